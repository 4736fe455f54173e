// What models know from elsewhere and programs do not have, and what to do instead.

const authority = "Call a tool; the tools are listed in the description of `execute`."
const noModules = "Tools are on `tools`, as in `await tools.name(input)`; the rest of the language is global."
const noPage = "There is no page and no browser. Return data."

const hosts: ReadonlyArray<readonly [names: ReadonlyArray<string>, instead: string]> = [
  [
    [
      "fetch",
      "XMLHttpRequest",
      "WebSocket",
      "EventSource",
      "Request",
      "Response",
      "Headers",
      "FormData",
      "axios",
      "http",
      "https",
      "net",
      "dns",
      "got",
    ],
    `They reach no network. ${authority}`,
  ],
  [["fs", "fsPromises", "path", "os", "child_process", "execSync", "spawn"], `They reach no files. ${authority}`],
  [["process", "Deno", "Bun", "global", "__dirname", "__filename"], `They see nothing of the host. ${authority}`],
  [["require", "module", "exports", "importScripts"], noModules],
  [
    ["_", "lodash", "moment", "dayjs", "luxon", "z", "Joi", "Ajv", "cheerio", "$"],
    `They have no libraries. ${noModules}`,
  ],
  [
    ["window", "document", "navigator", "location", "localStorage", "sessionStorage", "alert", "prompt", "confirm"],
    noPage,
  ],
  [["Buffer"], "Use `Uint8Array`, `TextEncoder`, `TextDecoder`, `atob` and `btoa`."],
  [["Blob", "File", "FileReader", "ReadableStream"], "Use text, `Uint8Array` and arrays."],
  [["setImmediate"], "Use `setTimeout` or `queueMicrotask`."],
  [["AbortController", "AbortSignal"], "Use `Promise.race` with a timer; the call that loses is ended with the run."],
  [["Worker", "SharedArrayBuffer", "Atomics", "MessageChannel"], "Start calls together with `Promise.all`."],
  [["WebAssembly", "ShadowRealm", "vm"], "Write the work as JavaScript."],
  [["WeakRef", "FinalizationRegistry"], "Keep the object itself, or key a `WeakMap` by it."],
  [["Temporal"], "Use `Date` and `Intl.DateTimeFormat`."],
  [["eval"], "Write the code out, or use `JSON.parse` for data."],
]

const languages: Readonly<Record<string, string>> = {
  None: "Write `null` for `None`.",
  nil: "Write `null` for `nil`.",
  NULL: "Write `null` for `NULL`.",
  True: "Write `true` for `True`.",
  False: "Write `false` for `False`.",
  print: "Write `console.log(...)` for `print`, or `return` the value.",
  println: "Write `console.log(...)` for `println`, or `return` the value.",
  puts: "Write `console.log(...)` for `puts`, or `return` the value.",
  echo: "Write `console.log(...)` for `echo`, or `return` the value.",
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
}

const table = new Map<string, string>([
  ...hosts.flatMap(([names, instead]) =>
    names.map((name) => [name, `Programs have no \`${name}\`. ${instead}`] as const)
  ),
  ...Object.entries(languages),
])

/** What to do instead of a global that programs do not have; `undefined` for a name that is none of the known ones. */
export const insteadOf = (name: string): string | undefined => table.get(name)
