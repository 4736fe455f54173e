/**
 * Patterns with which a text makes a backtracking matcher work for years, or for minutes: those of published advisories of npm
 * packages (their shape, cut to the part that is slow), of incidents, of OWASP's list, and of each kind of construct.
 */

/** A pattern, and a text that attacks it. */
export interface Redos {
  readonly name: string
  /** Where it was found, or what makes it slow. */
  readonly tries: string
  readonly pattern: string
  readonly flags: string
  /** An expression of `n` that gives a text; the larger `n`, the slower. */
  readonly attack: string
  /** Large enough to be an attack. */
  readonly n: number
}

type Row = readonly [name: string, pattern: RegExp | string, attack: string, n?: number, flags?: string]

const kind = (tries: string, rows: ReadonlyArray<Row>): ReadonlyArray<Redos> =>
  rows.map(([name, pattern, attack, n = 5000, flags]) => ({
    name,
    tries,
    pattern: typeof pattern === "string" ? pattern : pattern.source,
    flags: flags ?? (typeof pattern === "string" ? "" : pattern.flags),
    attack,
    n,
  }))

const a = `"a".repeat(n) + "!"`
const spaces = `"x" + " ".repeat(n) + "x"`

const nested = kind("A repetition in a repetition", [
  ["plus in plus", /^(a+)+$/, a],
  ["star in star", /^(a*)*$/, a],
  ["letters in words", /^([a-zA-Z]+)*$/, a],
  ["digits", /^(\d+)*$/, `"1".repeat(n) + "x"`],
  ["words with a space", /^(\w+\s?)*$/, a],
  ["words without an end", /^(?:\w+\s*)+$/, `"word ".repeat(n) + "!"`],
  ["lazy in lazy", /^(?:a+?)+?$/, a],
  ["three deep", /^(((a+)+)+)+$/, a],
  ["two that follow each other", /(x+x+)+y/, `"x".repeat(n)`],
  ["names of groups", /^(?<x>(?<y>a+)+)+$/, a],
  ["counts", /^(?:a{1,20}){1,20}$/, a],
  ["a count of a rest", /^(.*a){20}$/, a],
  ["a list up to its eleventh", /(?:.*,){11}P/, `"1,".repeat(n)`],
  ["optional ones, then the same", "^(?:a?){30}a{30}$", `"a".repeat(n)`, 29],
  ["nothing again and again", /^(?:(?:a?)*)*$/, a],
  ["nothing, lazily", /(?:a*?)*?b/, a],
  ["separated numbers", /^(\d+(,\d+)*)*;$/, `"1,1".repeat(n)`],
])

const overlapping = kind("Alternatives that match the same", [
  ["one or two", /^(a|aa)+$/, a],
  ["one or none", /^(a|a?)+$/, a],
  ["a prefix of another", /^(?:abc|ab|a|bc|c|b)*d/, `"abc".repeat(n)`],
  ["both, or the two", /(a|b|ab)*c/, `"ab".repeat(n)`],
  ["any or a line's end", /^(?:.|\n|\s)+x$/, `" ".repeat(n)`],
  ["a class and its member", /^(?:[a-z]|a|\w)+$/, a],
  ["cases", /^(?:K|k|\u212a)+$/iu, `"k".repeat(n) + "!"`],
  ["spaces or words", /^(?:\s*\S*)*$/m, `"a b ".repeat(n) + "\\u0000"`],
  ["quoted or not", /^(?:(?:"(?:[^"]|"")*"|[^,]*),?)*$/, `'"",'.repeat(n) + '"'`],
  ["escaped or not", /^(?:\\.|[^x])*x$/, `"\\\\".repeat(n)`],
])

const long = kind("Rests of a text that are tried again from each place", [
  ["three rests", /[^]*[^]*[^]*x/, a],
  ["a rest, then a sign", /.*=.*;/, `"=".repeat(n)`],
  ["spaces before an end", /\s+$/, spaces, 50_000],
  ["brackets without end", /\[(?:\\.|[^\]])*\]\((?:\\.|[^)])*\)/, `"[".repeat(n)`],
  ["a long repetition from each place", /a+b/, `"a".repeat(n)`, 50_000],
  ["a comment without end", /\/\*[^]*?\*\//, `"/*".repeat(n)`, 20_000],
  ["a tag without end", /<(\w+)(?:\s+\w+(?:=(?:"[^"]*"|'[^']*'|[^>\s]+))?)*\s*\/?>/, `"<a " + "b ".repeat(n)`],
  ["edges of words", /\b(?:\w+\s*)+\b$/, `"a ".repeat(n) + "!"`],
])

const around = kind("Looking around, and looking back at a group", [
  ["ahead", /^(?=(a+)+b)/, a],
  ["not ahead", /^(?!(a|aa)+$)x/, a],
  ["behind", /(?<=(?:a+)+)b/, `"a".repeat(n) + "!b"`],
  ["behind, of a group", /(?<=^(a|aa)+)!$/, `"a".repeat(n) + "x!"`],
  ["not behind", /(?<!^(?:a|aa)+)c/, `"a".repeat(n) + "bc"`],
  ["a group again", /^(a+)\1+b/, a],
  ["groups again", /(a*)(a*)(a*)(a*)\1\2\3b/, a],
  ["a group again and again", /^(?:(a+)\1)+$/, a],
  ["a name again", /^(?:(?<x>a+)\k<x>?)+$/, a],
  ["ahead in a repetition", /^(?:(?=(a+))a)+$/, a],
  ["an atomic group, in the way of this language", /^(?:(?=(a+))\1)+b/, a],
])

const unicode = kind("Characters beyond the first 65,536, and sets of them", [
  ["letters", "^(?:\\p{L}+\\s?)+$", `"\\u00e9".repeat(n) + "!"`, 5000, "u"],
  ["a script and all letters", "^(?:\\p{Script=Greek}|\\p{L})+$", `"\\u03b1".repeat(n) + "!"`, 5000, "u"],
  ["faces", "^(?:\\u{1F600}+)+$", `"\\u{1F600}".repeat(n) + "!"`, 5000, "u"],
  ["halves of faces", "^(?:\\ud83d|\\ud83d?)+$", `"\\ud83d".repeat(n) + "!"`, 5000],
  ["a difference", "^(?:[\\p{L}--[q]]+)+$", a, 5000, "v"],
  ["texts in a set", "^(?:[\\q{aa|a}]|a)+$", a, 5000, "v"],
  ["an intersection without case", "^(?:[\\w&&\\p{L}]+)+$", a, 5000, "vi"],
  ["case of all languages", "^(?:[\\u00df\\u1e9es]+)+$", `"\\u00df".repeat(n) + "!"`, 5000, "iu"],
])

const owasp = kind("OWASP's list and the like", [
  [
    "an address of mail",
    /^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$/,
    a,
  ],
  ["a person's name", /^[a-zA-Z]+((['.,-][a-zA-Z ])?[a-zA-Z]*)*$/, a],
  ["a name of a class", /^(([a-z])+.)+[A-Z]([a-z])+$/, `"a".repeat(n)`],
  [
    "a firewall's rule, 2019",
    /(?:(?:"|'|\]|\}|\\|\d|(?:nan|infinity|true|false|null|undefined)|`|-|\+)+[)]*;?((?:\s|-|~|!|\{\}|\|\||\+)*.*(?:.*=.*)))/,
    `"x='" + "x=".repeat(n)`,
    2000,
  ],
  ["a site's trimming, 2016", /^[\s\u200c]+|[\s\u200c]+$/, spaces, 20_000],
  [
    "an address of the web",
    /^(?:(?:https?|ftp):\/\/)?(?:(?:[a-z\u00a1-\uffff0-9]-*)*[a-z\u00a1-\uffff0-9]+)(?:\.(?:[a-z\u00a1-\uffff0-9]-*)*[a-z\u00a1-\uffff0-9]+)*(?:\.(?:[a-z\u00a1-\uffff]{2,}))$/,
    `"http://" + "a".repeat(n)`,
  ],
  ["an address of a network", /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$))*$/, `"1.1".repeat(n) + "x"`],
  ["a list of attributes", /^(?:\s*[a-z-]+\s*=\s*(?:"[^"]*"|[^\s"]*)\s*)*$/, `"a=".repeat(n) + '"'`],
  ["floating numbers", /^[-+]?(?:\d+\.?\d*|\.\d+)*(?:e[-+]?\d+)?$/, `"1".repeat(n) + "x"`],
])

const packages = kind("An advisory of a package", [
  [
    "ansi-regex, CVE-2021-3807",
    "[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[-a-zA-Z\\d\\/#&.:=?%@~_]*)*)?\\u0007)|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))",
    `"\\u001B[" + ";".repeat(n)`,
    5000,
    "g",
  ],
  ["axios, CVE-2021-3749", /^\s*|\s*$/g, spaces, 50_000],
  ["charset, CVE-2017-16098", /(?:charset|encoding)\s*=\s*['"]? *([\w-]+)/i, `"charset".repeat(n) + " ".repeat(n)`],
  ["clean-css", /url\((?:[^)]+)*\)$/, `"url(" + "a".repeat(n)`],
  [
    "color-string, CVE-2021-29060",
    /^hwb\(\s*([+-]?\d*[.]?\d+)(?:deg)?\s*,\s*([+-]?[\d.]+)%\s*$/,
    `"hwb(" + "1".repeat(n)`,
    20_000,
  ],
  ["cookiejar, CVE-2022-25901", /[:](?=\s*[a-zA-Z0-9_-]+\s*[=])/g, `":" + ": a ".repeat(n)`],
  ["cross-spawn, CVE-2024-21538", /(\\*)$/, `"\\\\".repeat(n) + "x"`, 50_000],
  ["d3-color", /^rgb\(\s*([+-]?\d*\.?\d+(?:e[+-]?\d+)?)\s*,\s*([+-]?\d+)\s*\)$/i, `"rgb(" + "1".repeat(n)`, 20_000],
  ["debug, CVE-2017-16137", /\s*\n\s*/g, `" ".repeat(n) + "x"`, 50_000],
  ["forwarded, CVE-2017-16118", / *, */, `" ".repeat(n) + "x"`, 50_000],
  ["glob-parent, CVE-2020-28469", /[{[].*[}\]]$/, `"{".repeat(n)`, 20_000],
  ["hosted-git-info, CVE-2021-23362", /^[^@]+@[^:.]+\.[^:]+:.+$/, `"a@".repeat(n)`],
  ["http-cache-semantics, CVE-2022-25881", /\s*,\s*/, `" ".repeat(n)`, 50_000],
  [
    "is-svg, CVE-2021-28092",
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype svg[^>]*\s*(?:\[?(?:\s*<![^>]*>\s*)*\]?)*[^>]*>\s*)?(?:<svg[^>]*>[^]*<\/svg>|<svg[^/>]*\/\s*>)\s*$/i,
    `"<!doctype svg" + "<!>".repeat(n)`,
  ],
  ["jquery-validation, CVE-2021-21252", /^(?:(?:(?:[a-z0-9]-*)*[a-z0-9]+\.)+[a-z]{2,})$/i, `"a".repeat(n) + "!"`],
  [
    "loader-utils, CVE-2022-37603",
    /\[(?:([^[:\]]+):)?(?:hash|contenthash)(?::([a-z]+\d*))?(?::(\d+))?\]/gi,
    `"[a".repeat(n)`,
  ],
  ["lodash, CVE-2020-28500", /^\s+|\s+$/g, spaces, 50_000],
  ["luxon, CVE-2023-22467", /\([^)]*\)|[\n\t]/g, `"(".repeat(n)`, 20_000],
  ["marked, code", /^(`+)\s*([\s\S]*?[^`])\s*\1(?!`)/, `"\`" + " ".repeat(n)`],
  [
    "marked, emphasis, CVE-2017-16114",
    /^_((?:__|[\s\S])+?)_(?!_)|^\*((?:\*\*|[\s\S])+?)\*(?!\*)/,
    `"*" + "**".repeat(n) + "x"`,
  ],
  ["marked, headings", /^ *(#{1,6}) *([^\n]+?) *#* *(?:\n+|$)/, `"# #" + " ".repeat(n) + "x"`],
  ["micromatch, CVE-2024-4067", /\{.*\}/, `"{".repeat(n)`, 20_000],
  ["mime, CVE-2017-16138", /.*[./\\](\w+)$/, `"/".repeat(n)`, 20_000],
  ["minimatch, CVE-2022-3517", /\{(?:(?!\{).)*\}.*x/, `"{".repeat(n) + "}".repeat(n)`],
  ["moment, CVE-2017-18214", /D[oD]?(\[[^[\]]*\]|\s+)+MMMM?/, `"D" + " ".repeat(n)`],
  ["moment, CVE-2022-31129", /\([^)]*\)|[\n\t]/g, `"(".repeat(n)`, 50_000],
  [
    "ms, CVE-2015-8315",
    /^((?:\d+)?\.?\d+) *(ms|seconds?|minutes?|hours?|days?|years?|y)?$/i,
    `"5".repeat(n) + "x"`,
    50_000,
  ],
  ["negotiator, CVE-2016-10539", /^\s*(\S+?)\s*(?:;(.*))?$/, `"x" + " ".repeat(n) + "x"`],
  [
    "normalize-url, CVE-2021-33502",
    /^data:(?<type>[^,]*?),(?<data>[^#]*?)(?:#(?<hash>.*))?$/,
    `"data:" + ",#".repeat(n) + "\\n"`,
  ],
  ["nth-check, CVE-2021-3803", /^([+-]?\d*n)?\s*(?:([+-]?)\s*(\d+))?$/, `"2n" + " ".repeat(n) + "!"`],
  [
    "path-parse, CVE-2021-23343",
    /^((?:[^/]*(?:\/(?:[^/]+\/)*)?)?)((?:\.{1,2}|[^/]+?|)(\.[^./]*|))(?:\/*)$/,
    `"/" + "a/".repeat(n) + "a\\n./".repeat(9)`,
  ],
  ["path-to-regexp, CVE-2024-45296", /^\/([^/]+?)-([^/]+?)-([^/]+?)\/?$/, `"/" + "-a".repeat(n) + "/a"`, 2000],
  ["postcss, CVE-2021-23382", /\/\*\s*# sourceMappingURL=(.*)\s*\*\//g, `"/*# sourceMappingURL=".repeat(n)`, 2000],
  ["prismjs, CVE-2021-3801", /(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*|\s)+x/, `"/**/".repeat(n)`],
  ["semver, CVE-2022-25883", /(\s*)([<>]?=?)\s*([v=\s]*\d+|x)(?:\s*-\s*)y/, `" ".repeat(n)`, 2000],
  [
    "ssri, CVE-2021-27290",
    /^([a-z0-9]+)-([A-Za-z0-9+/=]{44,88})(\?[\x21-\x7E]*)*$/,
    `"x-" + "A".repeat(44) + "?".repeat(n) + "\\n"`,
  ],
  ["tough-cookie, CVE-2017-15010", /^(([^=;]+))\s*=\s*([^\n\r\0]*)/, `"x" + " ".repeat(n) + "y"`],
  ["trim, CVE-2020-7753", /^\s*|\s*$/g, spaces, 50_000],
  ["trim-newlines, CVE-2021-33623", /(\r?\n|\r)+$/, `"\\n".repeat(n) + "x"`, 50_000],
  ["ua-parser-js, CVE-2021-27292", /(?:[\w.]+)*\/([\w.]+)*;/, `"a".repeat(n) + "!"`],
  ["ua-parser-js, CVE-2022-25927", /\s\s*$/, spaces, 50_000],
  [
    "validator, CVE-2021-3765",
    /^hsla?\((?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+))(?:deg|turn)?(?:,[+-]?(?:\d+(?:\.\d+)?)%){2}\)$/i,
    `"hsl(" + "0".repeat(n)`,
    50_000,
  ],
  ["validator, of slugs", /^[^\s_-](?!.*?[-_]{2,})[a-z0-9-\\][^\s]*[^-_\s]$/, `"a".repeat(n) + "-"`, 20_000],
  ["word-wrap, CVE-2023-26115", /[ \t]*$/gm, `"x" + " ".repeat(n) + "x"`, 50_000],
])

/** All of them. */
export const patterns: ReadonlyArray<Redos> = [
  ...nested,
  ...overlapping,
  ...long,
  ...around,
  ...unicode,
  ...owasp,
  ...packages,
]

/** The ways into a matcher, as expressions of the pattern `p`, its flags `f` and the text `s`. */
export const entries = {
  test: `new RegExp(p, f).test(s)`,
  exec: `new RegExp(p, f).exec(s)`,
  match: `s.match(new RegExp(p, f + (f.includes("g") ? "" : "g")))`,
  matchAll: `Array.from(s.matchAll(new RegExp(p, f + (f.includes("g") ? "" : "g"))), (m) => [m.index, ...m])`,
  replace: `s.replace(new RegExp(p, f), (...all) => all.length)`,
  replaceAll: `s.replaceAll(new RegExp(p, f + (f.includes("g") ? "" : "g")), "[$&]")`,
  split: `s.split(new RegExp(p, f))`,
  search: `s.search(new RegExp(p, f))`,
  sticky: `((r) => { r.lastIndex = 1; return [r.exec(s), r.lastIndex] })(new RegExp(p, f.replace("g", "") + "y"))`,
} as const

export type Entry = keyof typeof entries

/** A pattern that is attacked by one way. */
export interface Attack extends Redos {
  readonly entry: Entry
  /** A program that gives "ok", if it comes to an end. */
  readonly code: string
}

const programOf = ({ attack, flags, pattern }: Redos, n: number, value: string): string =>
  `const n = ${n}, p = ${JSON.stringify(pattern)}, f = ${JSON.stringify(flags)}, s = ${attack};\n${value}`

/** A program that gives what comes of a pattern, and of a text of this length, by each way. */
export const allOf = (one: Redos, n: number): string =>
  programOf(one, n, `return [${Object.values(entries).join(", ")}]`)

export const redosCases: ReadonlyArray<Attack> = patterns.flatMap((one) =>
  Object.entries(entries).map(([entry, value]) =>
    Object.assign({}, one, {
      name: `${one.name}: ${entry}`,
      entry: entry as Entry,
      code: programOf(one, one.n, `${value}\nreturn "ok"`),
    })
  )
)
