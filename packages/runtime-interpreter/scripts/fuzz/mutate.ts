// Real programs that were changed in places, and texts that are no programs at all.
import { tokenizer, tokTypes } from "acorn"
import type { Random } from "./random.ts"

/** A program's tokens with what stands between them. What cannot be read as tokens comes in words. */
export const tokensOf = (code: string): Array<string> => {
  const tokens: Array<string> = []
  let end = 0
  try {
    for (const token of tokenizer(code, { ecmaVersion: "latest" })) {
      if (token.type === tokTypes.eof) break
      if (token.start > end) tokens.push(code.slice(end, token.start))
      if (token.end > token.start) tokens.push(code.slice(token.start, token.end))
      end = token.end
    }
  } catch {
    // The rest is no JavaScript.
  }
  return [...tokens, ...code.slice(end).match(/\w+|\s+|[^\w\s]/gu) ?? []]
}

/** What is put where it does not belong. */
const foreign =
  `( ) [ ] { } , ; : . ... => ? ?? ?. = += **= ??= == === < > << >>> + ++ - -- * ** / % & && | || ^ ! ~ \` \${ # @ \\ // /* */ /a/ /(?<n>/v
  async await yield yield* function function* class extends super super() super.x new new.target return throw try catch finally for for(;;) for(const_x_of while do if else switch case default
  break continue const let var using delete typeof void in of instanceof this null undefined true eval arguments import import.meta import() export static get set #x with debugger
  0 -0 1n 0x1fffffffffffff 1e999 .5 0b2 08 1_0 "" '\\u{110000}' "\\ud800" \`\${1}\` [,] {a,} (a,b)=>{ ()=>{}
  enum interface type namespace declare abstract as satisfies <T> <T,>(x:T)=>x :string ! readonly implements keyof infer \u2028 \u0000 \ufeff \u200d é 𝒳 \\u0061 <!-- --> #!`
    .split(/\s+/)
    .map((token) => token.replaceAll("_", " "))

const change = (random: Random, tokens: Array<string>, other: ReadonlyArray<string>): void => {
  const at = random.below(tokens.length + 1)
  const from = random.below(tokens.length + 1)
  const some = 1 + random.below(random.once(3) ? 30 : 3)
  switch (random.below(9)) {
    case 0:
      tokens.splice(at, some)
      break
    case 1:
      tokens.splice(at, 0, ...tokens.slice(from, from + some))
      break
    case 2:
      tokens.splice(at, 1, random.pick(foreign))
      break
    case 3:
      tokens.splice(at, 0, random.pick(foreign))
      break
    case 4:
      if (at < tokens.length && from < tokens.length) {
        ;[tokens[at], tokens[from]] = [tokens[from]!, tokens[at]!]
      }
      break
    case 5: {
      const start = random.below(other.length)
      tokens.splice(at, random.below(some), ...other.slice(start, start + some * 4))
      break
    }
    case 6: {
      // The same again and again: depth and width of whatever it is.
      const piece = tokens.slice(from, from + some)
      const times = random.once(8) ? 2000 : 20
      tokens.splice(at, 0, ...Array.from({ length: times }, () => piece).flat().slice(0, 4000))
      break
    }
    case 7: {
      const names = tokens.filter((token) => /^[A-Za-z_$]\w*$/.test(token))
      if (names.length > 0) tokens[at] = random.pick(names)
      break
    }
    default:
      tokens.length = at
  }
}

/** What a token is, so that one may stand for another. */
const kindOf = (token: string): string =>
  /^["'`]/.test(token) ?
    "text" :
    /^\d/.test(token) ?
    "number" :
    reserved.test(token) ?
    token :
    /^[A-Za-z_$]/.test(token)
    ? "name"
    : /^([-+*/%&|^<>]|[=!]==?|&&|\|\||\?\?|\*\*|<=|>=|<<|>>>?)$/.test(token)
    ? "operator"
    : /^[-+*/%&|^<>?]+=$|^=$/.test(token)
    ? "assignment"
    : token

const reserved =
  /^(?:await|break|case|catch|class|const|continue|default|delete|do|else|finally|for|function|if|in|instanceof|let|new|of|return|switch|throw|try|typeof|var|void|while|yield)$/

/** Puts one token of a kind where another is: most such programs can still be read. */
const exchange = (random: Random, tokens: Array<string>, other: ReadonlyArray<string>): void => {
  for (let tries = 0; tries < 20; tries++) {
    const at = random.below(tokens.length)
    const kind = kindOf(tokens[at] ?? "")
    const alike = (random.once(3) ? other : tokens).filter((token) => kindOf(token) === kind && token !== tokens[at])
    if (alike.length === 0) continue
    tokens[at] = random.pick(alike)
    return
  }
}

/** The longest program that is made. */
const MAX_LENGTH = 20_000

/** A piece of a real program with some changes. */
export const mutated = (random: Random, corpus: ReadonlyArray<string>): string => {
  let code = random.pick(corpus)
  if (code.length > 3000) {
    const lines = code.split("\n")
    const start = random.below(lines.length)
    code = lines.slice(start, start + 1 + random.below(60)).join("\n").slice(0, MAX_LENGTH)
  }
  const tokens = tokensOf(code)
  const other = tokensOf(random.pick(corpus).slice(0, 4000))
  const apply = random.once(3) ? change : exchange
  for (let changes = 1 + random.below(random.once(4) ? 12 : 3); changes > 0; changes--) apply(random, tokens, other)
  return tokens.join("").slice(0, MAX_LENGTH)
}

const alphabets: ReadonlyArray<(random: Random) => number> = [
  (random) => random.below(256),
  (random) => 32 + random.below(95),
  (random) => random.below(65_536),
  (random) => 0xd7f0 + random.below(0x820),
  (random) => random.pick([40, 41, 91, 93, 123, 125, 60, 62, 47, 92, 34, 39, 96, 36, 10]),
]

/** A text of any characters. */
export const noise = (random: Random): string => {
  const alphabet = random.pick(alphabets)
  return String.fromCharCode(...random.list(0, random.once(10) ? 4000 : 120, () => alphabet(random)))
}

/** A real program of which some characters are others. */
export const damaged = (random: Random, corpus: ReadonlyArray<string>): string => {
  const code = random.pick(corpus)
  const start = random.below(code.length)
  const characters = code.slice(start, start + 1 + random.below(3000)).split("")
  const alphabet = random.pick(alphabets)
  for (let changes = 1 + random.below(6); changes > 0; changes--) {
    characters[random.below(characters.length + 1)] = String.fromCharCode(alphabet(random))
  }
  return characters.join("")
}
