// What to write instead, for the mistakes that models make in the grammar.
import * as acorn from "acorn"
import type { Problem } from "./diagnostics.ts"
import type { Location } from "./source.ts"
import type { Steps } from "./steps.ts"

interface Failed {
  readonly text: string
  readonly problem: Problem
  /** The text before the place, as far as a look goes. */
  readonly before: string
  /** The text from the place on, as far as a look goes. */
  readonly rest: string
  /** The token that was not expected, or nothing. */
  readonly token: string
  readonly previous: string
  readonly place: (offset: number) => string
}

interface Bracket {
  readonly text: string
  readonly offset: number
}

type Rule =
  & {
    /** Matched against the message. */
    readonly message?: RegExp
    readonly when?: (failed: Failed) => boolean
  }
  & ({ readonly hint: string | ((failed: Failed) => string | undefined) } | {
    /** Told also what is open at the place, outermost first. */
    readonly opened: (failed: Failed, open: ReadonlyArray<Bracket>) => string | undefined
  })

const open = new Set(["(", "[", "{", "${"])

/** So many characters are looked through at once. */
const PIECE = 4096

// The brackets and template literals that are open at a place, outermost first.
function* openBrackets(text: string, end: number): Steps<ReadonlyArray<Bracket>> {
  const stack: Array<Bracket> = []
  const tokens = acorn.tokenizer(text, { ecmaVersion: "latest", sourceType: "module" })
  let from = 0
  try {
    for (;;) {
      const { start, type: { label } } = tokens.getToken()
      if (start >= end || label === acorn.tokTypes.eof.label) break
      if (open.has(label)) stack.push({ text: label, offset: start })
      else if (label === ")" || label === "]" || label === "}") stack.pop()
      else if (label === "`" && stack.at(-1)?.text !== "`") stack.push({ text: label, offset: start })
      else if (label === "`") stack.pop()
      if (start - from > PIECE) {
        from = start
        yield
      }
    }
  } catch {
    // Where the text cannot be read any further, what was open before still is.
  }
  return stack
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" }

const unclosed = ({ place }: Failed, open: ReadonlyArray<Bracket>): string | undefined => {
  const bracket = open.at(-1)
  return bracket === undefined ? undefined : `The \`${bracket.text}\` at ${place(bracket.offset)} is not closed.`
}

// A statement begins on a later line than a list or a call that is still open.
const unclosedBefore = (failed: Failed, open: ReadonlyArray<Bracket>): string | undefined => {
  const { problem, text } = failed
  const bracket = open.at(-1)
  return (bracket?.text === "(" || bracket?.text === "[") && text.slice(bracket.offset, problem.offset).includes("\n")
    ? unclosed(failed, open)
    : undefined
}

const mismatched = ({ place, token }: Failed, open: ReadonlyArray<Bracket>): string | undefined => {
  const bracket = open.at(-1)
  if (bracket === undefined) {
    return `Nothing is open that this \`${token}\` could close: one is too many, or its opening is missing.`
  }
  return closers[bracket.text] === token
    ? undefined
    : `The \`${bracket.text}\` at ${place(bracket.offset)} is to be closed first.`
}

const typographic = /^[\u2018-\u201F\u2032\u2033\u00AB\u00BB\u300C\u300D\uFF02\uFF07]/
const entity = /&(?:lt|gt|amp|quot|apos|#39|#34|nbsp);/

const words: Readonly<Record<string, string>> = {
  and: "Write `&&` for `and`.",
  or: "Write `||` for `or`.",
  not: "Write `!` for `not`.",
  is: "Write `===` for `is`.",
  elif: "Write `else if` for `elif`.",
  then: "A condition stands in parentheses and its body in braces: `if (x) { ... }`.",
}

const python: Readonly<Record<string, string>> = {
  def: "Write `function name() { ... }` for `def`: programs are JavaScript.",
  lambda: "Write an arrow function, `(x) => x`, for `lambda`: programs are JavaScript.",
  elif: words["elif"]!,
  not: words["not"]!,
  f: "Write a template literal, `${x}` between backquotes, for an f-string: programs are JavaScript.",
  print: "Write `console.log(...)` for `print`: programs are JavaScript.",
  from: "Programs have no modules. Tools are on `tools`, as in `await tools.name(input)`; the rest is global.",
  except: "Write `catch (error) { ... }` for `except`: programs are JavaScript.",
  raise: "Write `throw` for `raise`: programs are JavaScript.",
  func: "Write `function` for `func`.",
}

// The first rule that fits gives the hint, so the particular stand before the general.
const rules: ReadonlyArray<Rule> = [
  {
    when: ({ rest }) => typographic.test(rest),
    hint: "Use straight quotes, ' or \", or backquotes.",
  },
  {
    when: ({ before, rest }) => entity.test(before.slice(-8) + rest.slice(0, 8)),
    hint: "The code has HTML entities, such as `&lt;`: write the characters themselves.",
  },
  {
    when: ({ before, rest }) => /```/.test(before.slice(-4) + rest.slice(0, 4)),
    hint: "Send the program alone, without Markdown around it.",
  },
  {
    message: /^Invalid (?:Unicode escape sequence|or unexpected token)$/,
    when: ({ before, rest }) => /\\["'`nt]/.test(before.slice(-1) + rest.slice(0, 2)) && !before.endsWith("\\\\"),
    hint:
      "The code was escaped once too often: line breaks and quotes outside strings stand in it as `\\n` and `\\\"`.",
  },
  {
    message: /^Invalid or unexpected token$/,
    when: ({ rest }) => /^["']/.test(rest),
    hint:
      "The string is not closed on its line. Write a line break as `\\n`, or use a template literal between backquotes.",
  },
  {
    message: /^Invalid or unexpected token$/,
    when: ({ rest }) => rest.startsWith("/*"),
    hint: "The comment is not closed by `*/`.",
  },
  {
    message: /^Invalid or unexpected token$/,
    when: ({ rest }) => rest.startsWith("#"),
    hint: "Comments begin with `//`.",
  },
  {
    message: /^Invalid or unexpected token$/,
    when: ({ before, rest }) => /\d$/.test(before) && /^[\p{ID_Start}$_]/u.test(rest),
    hint: "A name cannot begin with a digit. As a key, put it in quotes.",
  },
  {
    message: /^Unterminated template literal$/,
    opened: ({ place }, open) => {
      const begin = open.findLast((bracket) => bracket.text === "`")
      return begin === undefined
        ? undefined
        : `The template literal at ${place(begin.offset)} is not closed. A backquote inside one is written \`\\\`\`.`
    },
  },
  {
    message: /missing \/$/,
    hint: "A pattern ends with `/` on the line on which it begins; a `/` inside it is written `\\/`.",
  },
  {
    message: /^Invalid regular expression flags$/,
    hint: "The flags are d, g, i, m, s, u, v and y, each at most once, and not u with v.",
  },
  {
    message: /^Invalid regular expression: .*(?:Unterminated group|Unmatched '\)')$/s,
    hint: "A parenthesis that is meant as text is written `\\(` or `\\)`.",
  },
  {
    message: /^Invalid regular expression: .*Nothing to repeat$/s,
    hint: "A `*`, `+` or `?` that is meant as text is escaped: `\\*`.",
  },
  {
    message: /^Invalid regular expression: .*Invalid group$/s,
    hint:
      "JavaScript has no inline flags such as `(?i)`: put the flag behind the pattern, `/.../i`. A named group is `(?<name>...)`.",
  },
  {
    message: /^await is only valid|^Illegal await/,
    hint:
      "Make the function around it `async`. In a callback of `forEach` nothing waits: use `for (const x of xs)`, or `await Promise.all(xs.map(async (x) => ...))`.",
  },
  {
    message: /^Illegal (?:break|continue) statement$/,
    hint:
      "`break` and `continue` belong to a loop of the same function. A callback is no loop: use `for (const x of xs)` to leave it early, or `return` to go on with the next.",
  },
  {
    message: /^Identifier '.*' has already been declared$/s,
    hint: "Choose another name for one of them, or assign to it without `const`, `let` or `var`.",
  },
  { message: /^Missing initializer in const/, hint: "Give it a value, or declare it with `let`." },
  { message: /^Missing initializer in destructuring/, hint: "Put `= value` after the pattern." },
  {
    message: /^Invalid shorthand property initializer$/,
    hint: "In an object, a value follows its key after `:`, not `=`.",
  },
  { message: /^Cannot mix \?\?/, hint: "Put one of them in parentheses: `(a ?? b) || c`." },
  { message: /^Unary operator used immediately before exponentiation/, hint: "Put it in parentheses: `(-x) ** 2`." },
  {
    message: /^Invalid left-hand side/,
    when: ({ rest }) => /^[\w$.[\]'"]*\?\./.test(rest),
    hint: "An optional chain cannot be assigned to: check that the object is there first.",
  },
  {
    message: /^Invalid left-hand side/,
    hint: "Only a variable or a property can be assigned to. A comparison is written `===`.",
  },
  {
    message: /^Invalid destructuring assignment target$/,
    hint: "A pattern holds variables or properties, which are assigned to.",
  },
  {
    message: /^Unexpected (?:strict mode )?reserved word$|^Unexpected eval or arguments/,
    hint: ({ problem, text }) => {
      const word = /^[\p{ID_Continue}$]+/u.exec(text.slice(problem.offset, problem.offset + 40))?.[0]
      return word === undefined ? undefined : `\`${word}\` is a word of the language: choose another name.`
    },
  },
  {
    message: /^Octal (?:literals|escape)|^Decimals with leading/,
    hint: "Write an octal number as `0o17`, a character as `\\x1b`, and no zero before a decimal number.",
  },
  { message: /^Delete of an unqualified/, hint: "Only properties can be deleted: `delete object.key`." },
  { message: /^Illegal newline after throw$/, hint: "Put what is thrown on the line of `throw`." },
  { message: /^Missing catch or finally/, hint: "Follow the block with `catch (error) { ... }`." },
  { message: /^Undefined label/, hint: "A label names a loop around the place, in the same function." },
  { message: /^Illegal return statement$/, hint: "`return` belongs to a function or to the top level of the program." },
  { message: /^Rest element must be last/, hint: "Move the `...rest` to the end, with no comma behind it." },
  { message: /^Private field/, hint: "Declare the field in the class: `class Name { #field }`." },
  { message: /^'super' keyword/, hint: "`super` belongs to the methods of a class that extends another." },
  {
    message: /^Lexical declaration cannot|^In strict mode code, functions/,
    hint: "Put the statement in braces.",
  },
  { message: /^Unexpected end of input$/, opened: unclosed },
  {
    message: /^Unexpected identifier|^missing \)/,
    when: ({ before, problem }) => problem.token?.kind === "name" && /["']$/.test(before),
    hint:
      "A quote inside a text in the same quotes is written with a backslash, `\\'`; or put the text between backquotes.",
  },
  {
    message: /^Unexpected token '[a-z]+'$/,
    when: ({ previous }) => /^(?:const|let|var|function)$/.test(previous),
    hint: ({ token }) => `\`${token}\` is a word of the language: choose another name.`,
  },
  { when: ({ problem }) => problem.token?.kind === "keyword", opened: unclosedBefore },
  { when: ({ token }) => token === "if", hint: "A choice inside an expression is written `condition ? a : b`." },
  {
    when: ({ token }) => token === "for",
    hint: "There are no comprehensions: use `xs.map((x) => ...)` and `xs.filter((x) => ...)`.",
  },
  { when: ({ token }) => token === ";", opened: unclosed },
  {
    when: ({ previous, token }) => token !== "" && previous !== "" && Object.hasOwn(python, previous),
    hint: ({ previous }) => python[previous],
  },
  { when: ({ token }) => Object.hasOwn(words, token), hint: ({ token }) => words[token] },
  {
    when: ({ before, token }) => token === ":" && /\b(?:if|while|for|else|try|def|class)\b[^\n{]*$/.test(before),
    hint: "Blocks stand in braces: programs are JavaScript.",
  },
  {
    message: /^Unexpected (?:identifier|token)/,
    when: ({ before }) => /\b(?:if|while|for|switch)\s+(?!\()\S*$/.test(before + " "),
    hint: "Put the condition in parentheses.",
  },
  {
    when: ({ before, token }) => (token === "=" || token === "==") && /[!=]==$/.test(before),
    hint: "Equality is `===`, inequality `!==`.",
  },
  {
    when: ({ token }) => token === "else" || token === "catch" || token === "finally",
    hint: ({ token }) =>
      `\`${token}\` follows the closing brace of its \`${
        token === "else" ? "if" : "try"
      }\` block directly. Count the braces before it.`,
  },
  { when: ({ token }) => token === "#", hint: "Comments begin with `//`." },
  {
    when: ({ problem, token }) => token === "<" && problem.offset === 0,
    hint: "Send the program alone, without markup around it.",
  },
  {
    message: /^missing \) after argument list$/,
    opened: (failed, open) =>
      failed.problem.token?.kind === "punctuator"
        ? unclosed(failed, open)
        : "A comma or a closing parenthesis is missing before it.",
  },
  { when: ({ token }) => token === ")" || token === "]" || token === "}", opened: mismatched },
  {
    message: /^Unexpected (?:string|number|identifier|template string)/,
    when: ({ before }) => /[\w$)\]}"'`]\s*$/.test(before),
    hint: "Something is missing before it: a comma, an operator, or the quotes of a text.",
  },
]

// A template literal that is not closed is open until the end, wherever its problem was found.
const openUntil = ({ message, offset }: Problem): number =>
  message === "Unterminated template literal" ? Infinity : offset

/** What to write instead, if it is likely. */
export function* syntaxHint(
  text: string,
  problem: Problem,
  locate: (offset: number) => Location,
): Steps<string | undefined> {
  if (problem.hint !== undefined) return problem.hint
  const failed: Failed = {
    text,
    problem,
    before: text.slice(Math.max(0, problem.offset - 200), problem.offset),
    rest: text.slice(problem.offset, problem.offset + 200),
    token: problem.token?.text ?? "",
    previous: problem.token?.previous ?? "",
    place: (offset) => {
      const { column, line } = locate(offset)
      return `${line}:${column}`
    },
  }
  let brackets: ReadonlyArray<Bracket> | undefined
  for (const rule of rules) {
    const { message, when } = rule
    if (message !== undefined && !message.test(problem.message)) continue
    if (when !== undefined && !when(failed)) continue
    let found: string | undefined
    if ("hint" in rule) found = typeof rule.hint === "string" ? rule.hint : rule.hint(failed)
    else {
      brackets ??= yield* openBrackets(text, openUntil(problem))
      found = rule.opened(failed, brackets)
    }
    if (found !== undefined) return found
  }
  return undefined
}
