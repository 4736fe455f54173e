/** What to do instead of compiling text as code. */
export const COMPILE_HINT =
  "Programs cannot compile text as code. Write the code as a function of the program, or choose a function by its name from an object."

const tool = (name: string) =>
  `Programs have no \`${name}\`. Call a tool; the tools are listed in the description of \`execute\`.`

const module_ = (name: string) =>
  `Programs have no \`${name}\`: nothing can be loaded. Use JavaScript's own built-ins, and \`tools\` for everything else.`

const browser = (name: string) =>
  `Programs have no \`${name}\`: they do not run in a browser. Call a tool for what is outside.`

const nodeModule = (name: string) =>
  `Programs have no \`${name}\`, nor other modules of Node. Call a tool for what is outside.`

const network = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "EventSource",
  "Request",
  "Response",
  "Headers",
  "FormData",
  "axios",
]
const modules = ["require", "module", "exports", "import", "importScripts", "__dirname", "__filename"]
const nodeModules = ["fs", "path", "os", "http", "https", "net", "child_process", "util", "zlib", "readline"]
const browserGlobals = [
  "window",
  "document",
  "self",
  "navigator",
  "location",
  "history",
  "localStorage",
  "sessionStorage",
  "indexedDB",
  "alert",
  "prompt",
  "confirm",
  "requestAnimationFrame",
]

const rows = (names: ReadonlyArray<string>, hint: (name: string) => string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, hint(name)]))

/**
 * Names that models expect and programs do not have, each with a hint that says what to do instead. It follows the message
 * of the error, as in "fetch is not defined".
 */
export const absent: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  ...rows(network, tool),
  ...rows(modules, module_),
  ...rows(nodeModules, nodeModule),
  ...rows(browserGlobals, browser),
  eval: COMPILE_HINT,
  Function: COMPILE_HINT,
  process:
    "Programs have no `process`: no environment, arguments or files. Values that the host provides are listed in the description of `execute`.",
  Deno: tool("Deno"),
  Bun: tool("Bun"),
  global: "Programs have no `global`. Use `globalThis`.",
  Buffer: "Programs have no `Buffer`. Use `Uint8Array` with `TextEncoder` and `TextDecoder`, or `atob` and `btoa`.",
  Worker: "Programs have no `Worker`. Start several tool calls and wait for them with `Promise.all`.",
  SharedArrayBuffer: "Programs have no `SharedArrayBuffer`: nothing runs beside a program. Use `ArrayBuffer`.",
  Atomics: "Programs have no `Atomics`: nothing runs beside a program. Read and write the array itself.",
  WeakRef: "Programs have no `WeakRef`. Keep the object itself, or use it as a key of a `WeakMap`.",
  FinalizationRegistry: "Programs have no `FinalizationRegistry`. Use `try` and `finally`, or `using`.",
  ShadowRealm: COMPILE_HINT,
  WebAssembly: "Programs have no `WebAssembly`. Write the algorithm in JavaScript.",
  Temporal: "Programs have no `Temporal`. Use `Date`, and `Intl.DateTimeFormat` to show dates.",
})
