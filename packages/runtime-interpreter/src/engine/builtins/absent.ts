// What models know from elsewhere and programs do not have, and what to do instead. The one place for it: errors, hints and the
// documentation take their words from here.

/** What to do instead of compiling text as code. */
export const COMPILE_HINT =
  "Programs have no `eval` and make no functions from text. Write the code as a function of the program, or choose a function by its name from an object."

/** Globals that are left out for one reason. */
export interface Absence {
  readonly names: ReadonlyArray<string>
  /** What follows on "Programs have no `fetch`" in the message of the error. */
  readonly instead: string
}

const callTool = "Call a tool; the tools are listed in the description of `execute`."

/** Names that a host of JavaScript gives, or the language, each with what to do instead. */
export const absences: ReadonlyArray<Absence> = [
  {
    names: [
      "fetch",
      "XMLHttpRequest",
      "WebSocket",
      "EventSource",
      "Request",
      "Response",
      "Headers",
      "FormData",
      "axios",
      "got",
    ],
    instead: `. ${callTool}`,
  },
  {
    names: ["require", "importScripts", "__dirname", "__filename"],
    instead: ": nothing can be loaded. Use JavaScript's own built-ins, and `tools` for everything else.",
  },
  { names: ["module", "exports"], instead: ": a program is no module. `return` its value." },
  {
    names: [
      "fs",
      "fsPromises",
      "path",
      "os",
      "http",
      "https",
      "net",
      "dns",
      "child_process",
      "execSync",
      "spawn",
      "util",
      "zlib",
      "readline",
      "vm",
    ],
    instead: ", nor other modules of Node. Call a tool for what is outside.",
  },
  {
    names: ["process"],
    instead:
      ": no environment, arguments or files. Values that the host provides are listed in the description of `execute`.",
  },
  { names: ["Deno", "Bun"], instead: `. ${callTool}` },
  { names: ["global"], instead: ". Use `globalThis`." },
  {
    names: [
      "window",
      "document",
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
    ],
    instead: ": they do not run in a browser. Return data, or call a tool for what is outside.",
  },
  {
    names: ["Buffer"],
    instead: ". Use `Uint8Array` with `TextEncoder` and `TextDecoder`, or `atob` and `btoa`.",
  },
  { names: ["Blob", "File", "FileReader", "ReadableStream"], instead: ". Use text, `Uint8Array` and arrays." },
  {
    names: ["AbortController", "AbortSignal"],
    instead: ". Use `Promise.race` with a timer: a call that loses is ended with the run.",
  },
  {
    names: ["Worker", "MessageChannel"],
    instead: ". Start several tool calls and wait for them with `Promise.all`.",
  },
  { names: ["SharedArrayBuffer"], instead: ": nothing runs beside a program. Use `ArrayBuffer`." },
  { names: ["Atomics"], instead: ": nothing runs beside a program. Read and write the array itself." },
  { names: ["WeakRef"], instead: ". Keep the object itself, or use it as a key of a `WeakMap`." },
  { names: ["FinalizationRegistry"], instead: ". Use `try` and `finally`, or `using`." },
  { names: ["ShadowRealm", "WebAssembly"], instead: ". Write the work as a function of the program." },
  { names: ["Temporal"], instead: ". Use `Date`, and `Intl.DateTimeFormat` to show dates." },
]

/**
 * Names that models expect and programs do not have, each with a sentence that says what to do instead. It follows the message of
 * the error, as in "fetch is not defined", where a program that catches it reads it, too.
 */
export const absent: Readonly<Record<string, string>> = Object.assign(
  Object.create(null),
  Object.fromEntries(
    absences.flatMap(({ instead, names }) => names.map((name) => [name, `Programs have no \`${name}\`${instead}`])),
  ),
)

const library = (name: string) =>
  `Programs have no libraries, so no \`${name}\`. The language's own methods are there, and tools are on \`tools\`.`

const logged = (name: string) => `Write \`console.log(...)\` for \`${name}\`, or \`return\` the value.`

const onTools = "Tools are called on `tools`: `await tools.name(input)`."

/**
 * Names from libraries and from other languages, with what to write instead. A program may well have meant a variable or a tool of
 * its own, so these are hints, and no part of the error.
 */
export const foreign: Readonly<Record<string, string>> = Object.assign(
  Object.create(null),
  Object.fromEntries(
    ["_", "lodash", "moment", "dayjs", "luxon", "z", "Joi", "Ajv", "cheerio", "$"].map((name) => [name, library(name)]),
  ),
  Object.fromEntries(["print", "println", "puts", "echo"].map((name) => [name, logged(name)])),
  Object.fromEntries(["codemode", "functions", "tool", "mcp"].map((name) => [name, onTools])),
  {
    None: "Write `null` for `None`.",
    nil: "Write `null` for `nil`.",
    NULL: "Write `null` for `NULL`.",
    True: "Write `true` for `True`.",
    False: "Write `false` for `False`.",
    len: "Write `xs.length` for `len(xs)`.",
    range: "Write `for (let i = 0; i < n; i++)` for `range(n)`.",
    str: "Write `String(x)` for `str(x)`.",
    int: "Write `Math.trunc(x)` or `Number(x)` for `int(x)`.",
    float: "Write `Number(x)` for `float(x)`.",
    dict: "Write `{}` or `new Map()` for `dict()`.",
    list: "Write `[]` or `Array.from(xs)` for `list(xs)`.",
    sorted: "Write `xs.toSorted((a, b) => ...)` for `sorted(xs)`.",
    self: "Write `this` for `self`.",
    asyncio: "Start calls together with `await Promise.all([...])`.",
    arguments: "Only functions have `arguments`. What the host gives is listed in the description of `execute`.",
  },
)
