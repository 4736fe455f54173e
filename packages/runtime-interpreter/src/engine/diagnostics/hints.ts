// What to write instead, for the mistakes that models make and that show when a program runs.
import { absent, foreign } from "../builtins/absent.ts"

/** What is known of why a program failed. */
export interface Failure {
  /** The name of the error that was thrown: `TypeError`. */
  readonly name: string
  readonly message: string
  /** The code of the failed run, or of the failed call: `UNKNOWN_TOOL`, `RESULT_TOO_LARGE`. */
  readonly code?: string
  /** The source of the expression that was at fault: `issue.user`, of which a property was read. */
  readonly expression?: string
  /** What the value of that expression was: `undefined`, `string`, `array`, `object`, `promise`. */
  readonly value?: string
  /** The call that nobody awaited and whose promise was used as if it were its result: `tools.github.list_issues`. */
  readonly notAwaited?: string
  /** Whether that expression was a property of a text, which has none of that name. */
  readonly ofText?: boolean
  /** The names of the tools, dotted. */
  readonly tools?: ReadonlyArray<string>
}

type Hint = string | ((match: RegExpExecArray, failure: Failure) => string | undefined)

/** One mistake. The failure's code and message decide; the first rule that fits and has something to say gives the hint. */
interface Rule {
  readonly code?: string
  readonly message?: RegExp
  readonly when?: (failure: Failure) => boolean
  readonly hint: Hint
}

const awaited = (call: string): string => `\`${call}(...)\` gives a promise: write \`await ${call}(...)\`.`

const quoted = (expression: string | undefined): string => expression === undefined ? "The value" : `\`${expression}\``

/** The expression that reaches a tool: `tools.github["list-issues"]`. */
export const accessOf = (tool: string): string =>
  tool.split(".").reduce(
    (path, segment) =>
      /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(segment)
        ? `${path}.${segment}`
        : `${path}[${JSON.stringify(segment)}]`,
    "tools",
  )

// A tool whose expression goes on from this one: the host's, where there is one, and not what the runtime itself answers.
const inNamespace = (path: string, tools: ReadonlyArray<string> = []): string | undefined => {
  const inside = tools.map(accessOf).filter((access) =>
    access.startsWith(path) && /^[.[]/.test(access.slice(path.length))
  )
  return inside.find((access) => !access.startsWith("tools.$")) ?? inside[0]
}

// A name that is not declared may be a tool, a namespace of tools, or the last part of a tool's name.
const toolNamed = (name: string, tools: ReadonlyArray<string> = []): string | undefined => {
  const tool = tools.find((known) => known === name) ?? tools.find((known) => known.startsWith(`${name}.`)) ??
    tools.find((known) => known.endsWith(`.${name}`))
  return tool === undefined ? undefined : `Tools are called on \`tools\`: \`await ${accessOf(tool)}(input)\`.`
}

/** What to do instead of a global that programs do not have; `undefined` for a name that is none of the known ones. */
const insteadOf = (name: string): string | undefined => absent[name] ?? foreign[name]

const isText = ({ value }: Failure): boolean => value === "string"
const textHint = "The value is text. If it holds JSON, take `JSON.parse(text)`; else work on it as text."

const rules: ReadonlyArray<Rule> = [
  // Calls of tools.
  {
    code: "UNKNOWN_TOOL",
    // The toolkit's message names the nearest and the way to search, where there are any.
    when: ({ message }) => !/nearest|description|search/i.test(message),
    hint: "Call one of the tools in the description of `execute`, by its whole name on `tools`.",
  },
  {
    code: "INVALID_TOOL_INPUT",
    hint: "Compare the input with the tool's signature: the names of its keys, and what is required.",
  },

  // What does not cross to JSON.
  {
    code: "INVALID_DATA",
    message: /promise/i,
    hint: (_, { notAwaited }) =>
      notAwaited === undefined
        ? "Write `await` before what gives a promise, or `await Promise.all(...)` for several."
        : awaited(notAwaited),
  },
  { code: "INVALID_DATA", message: /function/i, hint: "Call the function and return what it gives." },
  {
    code: "INVALID_DATA",
    message: /cycl|circular/i,
    hint: "Return the parts that are needed, in new objects without the way back.",
  },
  { code: "INVALID_DATA", message: /bigint/i, hint: "Make it a text, `String(n)`, or a number, `Number(n)`." },
  { code: "INVALID_DATA", message: /symbol/i, hint: "Return text instead." },
  { code: "INVALID_DATA", message: /deep|nest/i, hint: "Return a flat list of the parts that are needed." },

  // Limits.
  {
    code: "RESULT_TOO_LARGE",
    hint: "Return less: filter, count, take the first few, or only the keys that are needed.",
  },
  {
    code: "EXECUTION_BUDGET_EXCEEDED",
    hint: "Look for a loop that does not end; else do less work in one run, or let a tool filter.",
  },
  { code: "TIMEOUT", hint: "Run independent calls together with `Promise.all`, or do less in one run." },
  {
    code: "LIMIT_EXCEEDED",
    message: /memory/i,
    hint: "Keep less at once: work page by page, and keep only what is needed of each.",
  },
  {
    code: "LIMIT_EXCEEDED",
    message: /calls/i,
    hint: "Use a tool that takes or gives many at once, or split the work over several runs.",
  },
  {
    code: "LIMIT_EXCEEDED",
    message: /source|code/i,
    hint: "Send a shorter program: data comes from tools, not from the code.",
  },

  // A promise where its value was meant.
  {
    when: ({ notAwaited, value }) =>
      notAwaited !== undefined && (value === "promise" || value === "undefined" || value === undefined),
    message:
      /^Cannot (?:read|set) properties of undefined|is not a function|is not iterable|not async iterable|^Cannot destructure|"\[object Promise\]"|#<Promise>/,
    hint: (_, { notAwaited }) => awaited(notAwaited!),
  },
  {
    message: /\[object Promise\]|#<Promise>/,
    hint: "A promise stands where its value was meant: write `await` before it.",
  },
  {
    when: ({ value }) => value === "promise",
    hint: (_, { expression }) => `${quoted(expression)} is a promise: write \`await\` before it.`,
  },

  // JSON.
  {
    message: /^"?\[object (?:Object|Array)\]"? is not valid JSON|^Unexpected token 'o', "\[object/,
    hint: "It is data already, not text: use it without `JSON.parse`. Tools give data.",
  },
  {
    message: /^"undefined" is not valid JSON/,
    hint: "`JSON.parse` was given `undefined`. Tools give data, which needs no parsing.",
  },
  {
    message: /is not valid JSON|^Unexpected end of JSON input|in JSON at position/,
    hint: "The text is not JSON: look at its beginning, `text.slice(0, 200)`.",
  },
  {
    message: /^Converting circular structure/,
    hint: "Take the parts that are needed into new objects without the way back.",
  },
  { message: /^Do not know how to serialize a BigInt/, hint: "Make it a text first: `String(n)`." },

  // Names.
  // What else there is to say of a global that programs do not have, its message says.
  { message: /^(\S+) is not defined\. /, hint: ([, name], { tools }) => toolNamed(name!, tools) },
  {
    message: /^(\S+) is not defined$/,
    hint: ([, name], { tools }) =>
      toolNamed(name!, tools) ?? insteadOf(name!) ??
        `Declare \`${name}\` with \`const\` or \`let\` first. Nothing is left of earlier runs: each program starts anew.`,
  },
  {
    message: /^Cannot access '(.+)' before initialization$/,
    hint: ([, name]) => `Move the declaration of \`${name}\` above its use.`,
  },
  {
    message: /^Assignment to constant variable/,
    hint: "Declare it with `let` if it changes, or give the new value another name.",
  },
  {
    message: /^globalThis\.([\w$]+) is not a (?:function|constructor)$/,
    hint: ([, name]) => insteadOf(name!),
  },
  {
    when: ({ expression }) => expression?.startsWith("globalThis.") === true,
    message: /^Cannot read properties of undefined/,
    hint: (_, { expression }) => insteadOf(expression!.slice("globalThis.".length)),
  },
  {
    message: /^The "callback" argument must be of type function\. Received "/,
    hint: "Programs compile no text as code: give a function, `() => { ... }`.",
  },

  // Reading and calling what is not there.
  {
    message: /^(tools(?:\.[\w$-]+|\["[^"]+"\])*) is not a function$/,
    hint: ([, path], { tools }) => {
      const inside = inNamespace(path!, tools)
      return inside === undefined
        ? `There is no tool \`${path}\`. Take a name from the description of \`execute\`, or look at \`Object.keys(tools)\`.`
        : `\`${path}\` is a namespace and no tool: call one of its tools, such as \`await ${inside}(input)\`.`
    },
  },
  {
    when: ({ expression }) => expression !== undefined && /^tools\b/.test(expression) && !/[()]/.test(expression),
    message: /^Cannot read properties of undefined/,
    hint: (_, { expression }) =>
      `There is nothing at \`${expression}\`. Take a name from the description of \`execute\`, or look at \`Object.keys(tools)\`.`,
  },
  {
    when: isText,
    message: /is not a function|^Cannot (?:create|set) propert|^Cannot use 'in' operator/,
    hint: textHint,
  },
  {
    when: ({ ofText }) => ofText === true,
    message: /^Cannot (?:read|set) properties of undefined|is not (?:iterable|a function)/,
    hint: (_, { expression }) =>
      `\`${expression!.replace(/\??(?:\.[^.[\]]+|\[[^[\]]*\])$/, "")}\` is text, which has no such property. ` +
      "If it holds JSON, take `JSON.parse(text)` first; else work on it as text.",
  },
  {
    message: /^Cannot create property '.*' on string|^Cannot use 'in' operator to search for '.*' in /s,
    hint: textHint,
  },
  {
    message: /\.(map|filter|forEach|find|some|every|reduce|slice|sort|flatMap|join|includes|push) is not a function$/,
    hint: ([, method], { expression, value }) =>
      value === "undefined"
        ? undefined
        : `${quoted(expression)} is no array${
          value === undefined ? "" : `, but ${article(value)}`
        }. Look at what it holds, ` +
          `\`Object.keys(value)\`: the list may be under one of its keys, where \`.${method}\` works.`,
  },
  {
    message: /is not iterable|object null is not iterable|^Spread syntax requires/,
    hint: (_, { expression, value }) =>
      value === "object"
        ? `${
          quoted(expression)
        } is an object: use \`Object.entries(value)\` or \`Object.values(value)\`, or the key that holds the list.`
        : `${quoted(expression)} is no list. Look at what it holds before going through it.`,
  },
  {
    when: ({ expression }) => expression === "this",
    message: /^Cannot (?:read|set) properties of undefined/,
    hint: "Only methods have a `this`, and only while they are called on their object. Use a variable.",
  },
  {
    message: /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) 'Symbol\(/,
    hint: ([, value], { expression }) => `${quoted(expression)} is ${value} here: check that it is there.`,
  },
  {
    message: /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '(.*?)'\)/s,
    hint: ([, value, key], { expression }) =>
      `${quoted(expression)} is ${value} here: check that it is there, \`${
        expression === undefined || expression.length > 60 ? "value" : expression
      }?.${
        /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key!) ? key : `[${JSON.stringify(key)}]`
      }\`, and compare the name with the data.`,
  },
  {
    message: /^Cannot destructure property '(.+?)' of '(.+)' as it is (undefined|null)/s,
    hint: ([, key, of, value]) =>
      `${of === value ? `What \`${key}\` is taken from` : `\`${of}\``} is ${value}: look at what it holds, or ${
        value === "null" ? "check it first." : "give it a default, `= {}`."
      }`,
  },
  {
    message: /^Cannot convert undefined or null to object/,
    hint: "The value is missing: check it, or take `value ?? {}`.",
  },
  { message: /is not a constructor$/, hint: "Only classes are made with `new`. A function is called without it." },
  { message: /^Class constructor .* cannot be invoked without 'new'/, hint: "Write `new` before it." },

  // Changing what is not to be changed.
  {
    message: /^Cannot (?:assign to read only property|add property|delete property|define property)/,
    hint: "The object cannot be changed. Change a copy: `{ ...value }`, or `structuredClone(value)`.",
  },

  // Values.
  {
    message: /^Cannot mix BigInt and other types/,
    hint: "Make both numbers, `Number(n)`, or both bigints, `BigInt(x)`.",
  },
  {
    message: /^Invalid time value/,
    hint: "The date was made from something that is no date: look at the text it came from.",
  },
  {
    message: /^Reduce of empty array with no initial value/,
    hint: "Give `reduce` a first value as its second argument.",
  },
  { message: /^Invalid array length/, hint: "The length is negative, fractional or too large." },
  {
    message: /^Invalid string length/,
    hint: "Build less text: keep the parts in an array and return what is needed of them.",
  },
  { message: /^Invalid count value/, hint: "The count of `repeat` is negative or too large." },
  {
    message: /^Maximum call stack size exceeded/,
    hint: "A function calls itself without end, or too deeply: check where it stops, or use a loop.",
  },
  {
    message: /^Invalid regular expression: .*(?:Unterminated group|Unmatched '\)')$/s,
    hint: "A parenthesis that is meant as text is escaped: `\\\\(` in a text that becomes a pattern.",
  },
  {
    message: /^Invalid regular expression: .*Invalid group$/s,
    hint:
      "JavaScript has no inline flags such as `(?i)`: give the flags as the second argument, `new RegExp(text, \"i\")`.",
  },
  {
    message: /^Invalid regular expression/,
    hint:
      "Text that becomes a pattern has its special characters escaped: `text.replace(/[.*+?^${}()|[\\]\\\\]/g, \"\\\\$&\")`.",
  },
  { message: /^Invalid flags/, hint: "The flags are d, g, i, m, s, u, v and y, each at most once, and not u with v." },
  { message: /must be called with a global RegExp|non-global RegExp/, hint: "Give the pattern the flag `g`." },
  { message: /^Unhandled rejection/, hint: "Await the call, in `try`/`catch` if it may fail." },
]

const article = (value: string): string => `${/^[aeiou]/.test(value) ? "an" : "a"} ${value}`

/** What to write instead, if it is likely. */
export const hintFor = (failure: Failure): string | undefined => {
  for (const { code, hint, message, when } of rules) {
    if (code !== undefined && code !== failure.code) continue
    if (when !== undefined && !when(failure)) continue
    const match = (message ?? /^/).exec(failure.message)
    if (match === null) continue
    const found = typeof hint === "string" ? hint : hint(match, failure)
    if (found !== undefined) return found
  }
  return undefined
}
