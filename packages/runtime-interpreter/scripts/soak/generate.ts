// Random programs: they end by construction, say all they do in a log, and change nothing outside themselves.
import * as fc from "fast-check"

type Text = fc.Arbitrary<string>

/** A text with holes: `$0` is what the first arbitrary gives, and so on. */
const form = (template: string, ...parts: ReadonlyArray<Text>): Text =>
  parts.length === 0
    ? fc.constant(template)
    : fc.tuple(...parts).map((texts) => template.replace(/\$(\d)/g, (_match, n: string) => texts[Number(n)]!))

const from = (words: string): Text => fc.constantFrom(...words.trim().split(/\s+/))

const choice = (lines: string): Text => fc.constantFrom(...lines.trim().split("\n").map((line) => line.trim()))

const list = (part: Text, minLength: number, maxLength: number, separator = ", "): Text =>
  fc.array(part, { minLength, maxLength }).map((parts) => parts.join(separator))

const variable = from("a b c d p q")
const literal = from(
  `0 1 -1 -0 2 3 7 0.5 -1.5 NaN Infinity -Infinity 1e21 1e-7 255 4294967295 2147483648 9007199254740993 0x1f 0b11 1n -3n 12345678901234567890n
  "" "a" "b" "abc" "1" "-1" "01" "1e3" "\\u00e9" "\\ud83d\\ude00" "\\ud83d" "0x10" "Infinity" "true" "null" "a,b,,c" "\\n" undefined null true false S
  [] {} [1] [,1] [1,[2,[3]]]`,
)
const longLiteral = choice(`
  " 12 "
  "Hello, World"
  [3, 1, 2, 10, undefined]
  [1, , 3]
  ["b", "a", "C"]
  ({ a: 1, b: { c: [1, 2] } })
  ({ x: 1, get y() { log("get y"); return this.x }, set y(v) { log("set y", v) } })
  ({ valueOf() { log("valueOf"); return 5 }, toString() { log("toString"); return "str" } })
  ({ toString() { return "key" }, valueOf: null })
  ({ [Symbol.toPrimitive](hint) { log(hint); return hint === "number" ? 42 : "prim" } })
  ({ [Symbol.toPrimitive]: () => ({}) })
  ({ length: 2, 0: "x", 1: "y" })
  ({ then: 1 })
  Object.create(null)
  Object.freeze({ x: 1 })
  Object.freeze([1, 2])
  Object.create({ x: "inherited" }, { y: { value: 2 } })
  new Date(0)
  new Date(NaN)
  new Date(Date.UTC(2024, 1, 29, 12, 34, 56, 789))
  new Map([[1, "one"], ["k", { v: 1 }], [NaN, 0]])
  new Set([3, 1, "1", 1, -0])
  new Error("message")
  new TypeError("type", { cause: 1 })
  new Proxy({ x: 1 }, { get: (o, k) => typeof k === "symbol" ? undefined : "got " + k, has: () => true })
  new Proxy([1, 2], {})
  new Uint8Array([1, 256, 3])
  Object(1)
  Object("text")
  Object(2n)
  /b+/g
  (x => x)
  (function f(x, y = 1) { return this === undefined ? x : y })
  (class K { static s = 1; m() { return 2 } })
  (function* () { yield 1; yield 2 })()
`)

const binary = from("+ - * / % & | ^ << >> >>> < > <= >= == != === !== && || ??")
const assignment = from("= += -= *= /= %= &= |= ^= <<= >>= >>>= &&= ||= ??=")
const unary = from("- + ! ~ typeof void")

/** What is called on values, with holes for arguments. */
const methods = choice(`
  String($0).at($1)
  String($0).charCodeAt($1)
  String($0).codePointAt($1)
  String($0).concat($1, $2)
  String($0).endsWith($1)
  String($0).includes($1, $2)
  String($0).indexOf($1, $2)
  String($0).lastIndexOf($1, $2)
  String($0).padStart(small($1), $2)
  String($0).padEnd(small($1))
  String($0).repeat(small($1))
  String($0).replace($1, $2)
  String($0).replace(String($1), (...args) => { log(args); return $2 })
  String($0).replaceAll(String($1), $2)
  String($0).replaceAll(String($1), "[$$&$$1$$\`]")
  String($0).slice($1, $2)
  String($0).split($1, $2)
  String($0).substring($1, $2)
  String($0).substr($1, $2)
  String($0).trim()
  String($0).toUpperCase()
  String($0).normalize("NFD")
  String($0).localeCompare(String($1)) > 0
  [...String($0)]
  String.raw({ raw: $0 }, $1)
  String.fromCharCode($0, $1)
  Number($0)
  parseInt($0, $1)
  parseFloat($0)
  Number($0).toFixed(small($1))
  Number($0).toPrecision(small($1))
  Number($0).toExponential(small($1))
  Number($0).toString(small($1) + 2)
  Number.isInteger($0)
  Number.isSafeInteger($0)
  Math.max($0, $1, $2)
  Math.min($0, $1)
  Math.round($0)
  Math.sign($0)
  Math.hypot($0, $1)
  Math.trunc($0)
  Math.imul($0, $1)
  Math.clz32($0)
  Math.fround($0)
  BigInt($0)
  BigInt.asIntN(8, $0)
  BigInt.asUintN(small($1), $0)
  Boolean($0)
  Symbol($0).description
  isNaN($0)
  encodeURIComponent($0)
  decodeURIComponent($0)
  escape?.($0)
  Array.from($0)
  Array.from($0, (x, i) => [x, i])
  Array.from({ length: small($0) }, (_, i) => i)
  Array.of($0, $1)
  Array.isArray($0)
  [$0, $1].concat($2, $0)
  [$0, $1, $2].copyWithin(small($0), small($1))
  [$0, $1].entries().next()
  [$0, $1].every((x) => { log(x); return x })
  [$0, $1, $2].fill($0, small($1), small($2))
  [$0, $1, $2].filter((x) => x)
  [$0, $1, $2].find((x) => x === $1)
  [$0, $1, $2].findLastIndex((x) => x == $0)
  [$0, [$1, [$2]]].flat(small($2))
  [$0, $1].flatMap((x) => [x, x])
  [$0, $1].includes($2)
  [$0, $1].indexOf($2)
  [$0, $1, $2].join($0)
  [$0, $1, $2].lastIndexOf($1, small($2))
  [$0, $1].map((x, i, all) => [x, i, all.length])
  [$0, $1, $2].reduce((s, x) => [s, x])
  [$0, $1, $2].reduceRight((s, x) => [s, x], 0)
  [$0, $1, $2].reverse()
  [$0, $1, $2].slice(small($0), small($1))
  [$0, $1].some((x) => x)
  [$0, $1, $2].map(plain).sort()
  [[$2, 1], [$1, 2], [$0, 3], [$1, 4]].sort(([x], [y]) => (typeof x).length - (typeof y).length)
  [$0, $1, $2].map(plain).toSorted()
  [$0, $1, $2].splice(small($0), small($1), $2)
  [$0, $1, $2].toSpliced(small($0), small($1), $2)
  [$0, $1].with(small($0), $1)
  [$0, $1].unshift($2)
  [$0, $1].toString()
  [$0, , $1].keys().next()
  [$0, $1].at($2)
  Object.keys($0)
  Object.values($0)
  Object.entries($0)
  Object.assign({}, $0, $1)
  Object.fromEntries([[key($0), $1]])
  Object.getOwnPropertyNames($0)
  Object.getOwnPropertyDescriptors($0)
  Object.is($0, $1)
  Object.isFrozen($0)
  Object.hasOwn($0, key($1))
  Object.defineProperty({}, key($0), { value: $1, enumerable: true })
  Object.defineProperty([], "length", { value: small($0) })
  Object.getPrototypeOf($0) === Object.prototype
  Object.setPrototypeOf({ z: 1 }, $0)
  Reflect.ownKeys({ [key($0)]: 1, [key($1)]: 2, ...$2 })
  Reflect.has({ x: 1 }, key($0))
  Reflect.get({ get x() { return this } }, "x", $0)
  Reflect.apply((...args) => args, $0, [$1])
  Object.prototype.toString.call($0)
  JSON.stringify($0)
  JSON.stringify({ k: $0, l: [$1] }, null, Math.trunc(small($2)))
  JSON.stringify($0, (k, v) => { log(k); return v }, gap($1))
  JSON.stringify([$0], [key($1), "x"])
  JSON.parse(JSON.stringify($0) ?? "null")
  JSON.parse(String($0))
  JSON.parse(JSON.stringify([$0, $1]) ?? "[]", function (k, v) { log(k); return Array.isArray(v) ? v.length : v })
  new Date($0)
  new Date(Number($0), small($1), small($2))
  new Date($0).getTime()
  new Date(Number($0)).toISOString()
  new Date(Number($0)).toJSON()
  Date.UTC(small($0) + 2020, small($1), small($2))
  Date.parse("2024-0" + small($0) + "-1" + small($1) + "T00:00:00Z")
  (() => { const date = new Date(Number($0)); return [date.setUTCMonth(small($1)), date.setUTCDate(small($2)), date.setUTCHours(small($0), small($1)), date.getUTCDay(), date.setUTCFullYear(2000 + small($2))] })()
  new Date(2024, small($0), small($1), small($2)).getTimezoneOffset()
  new Date(Number($0)) - new Date(Number($1))
  new Date(Number($0)) + ""
  new Map([[$0, $1], [$2, $0]])
  new Map([[$0, $1]]).get($2)
  new Map([[$0, 1], [$1, 2]]).delete($0)
  new Set([$0, $1, $2])
  new Set($0)
  [...new Set([$0, $1]).keys()]
  new WeakMap([[$0, 1]]).has($0)
  structuredClone === undefined
  new Array(small($0)).length
  [...$0]
  ({ ...$0, ...$1 })
  Math.max(...$0)
  $0 instanceof $1
  key($0) in $1
  $0?.[key($1)]
  $0?.[$1]
  $0?.[key($1)]?.($2)
  new ($0)($1)
  ($0)($1, $2)
  Symbol.keyFor(Symbol.for(String($0)))
  \`\${$0}-\${$1}\`
  ((strings, ...values) => [strings, strings.raw, values])\`a\${$0}\\n\${$1}\`
  new Error($0, { cause: $1 }).message
  Promise.resolve($0) instanceof Promise
  Iterator === undefined ? 0 : 1
`.replace(/\n\s*Iterator.*\n/, "\n"))

// -----------------------------------------------------------------------------------------------------------------------
// Regular expressions
// -----------------------------------------------------------------------------------------------------------------------

const nestedPattern = {
  depthSize: "small",
  maxDepth: 4,
  depthIdentifier: fc.createDepthIdentifier(),
  withCrossShrink: true,
} as const

const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    nestedPattern,
    from("a b c . \\d \\w \\s \\b ^ $ [ab] [^a] [a-c] \\W 1 é 😀 \\u0062 \\x61 \\n \\D"),
    form("$0$1", tie("term"), from("* + ? {2} {1,2} {0,} *? +? ?? {1,2}?")).map((text) =>
      /^(?:\^|\$|\\b)/.test(text)
        ? `(?:${text.replace(/[*+?{].*$/, "")})`
        : /[*+?}][*+?{]/.test(text)
        ? `(?:${text.replace(/([*+?}])[*+{?].*$/, "$1")})?`
        : text
    ),
    form("($0)", tie("pattern")),
    form("(?:$0)", tie("pattern")),
    form("(?<n$1>$0)", tie("pattern"), from("1 2 3 4 5 6 7 8 9")),
    form("(?=$0)", tie("pattern")),
    form("(?!$0)", tie("pattern")),
    form("(?<=$0)", tie("pattern")),
    form("(?<!$0)", tie("pattern")),
    from("\\1 \\2"),
  ),
  pattern: fc.oneof(
    nestedPattern,
    list(tie("term"), 1, 3, ""),
    list(tie("term"), 1, 2, "|"),
  ),
}))
const subject = list(from("a b c aa ab abc 1 12 _ é 😀 \\n A B - ."), 0, 6, "").map((text) => `"${text}"`)
const flags = from("g i m s u y d gi gu gy iu ms gd v gv \u200b").map((text) => text.replace("\u200b", ""))
const regularExpression = fc.tuple(pattern, flags).map(([parts, chosen]) => {
  // With a function that replaces, V8 loses matches behind an empty one of a back-reference.
  const letters = /[uv]/.test(chosen) && /\\[12]/.test(parts) ? chosen.replace("g", "") : chosen
  // Older hosts refuse two groups of one name.
  let groups = 0
  const text = parts.replace(/\(\?<n\d>/g, () => `(?<n${++groups}>`)
  try {
    return String(new RegExp(text, letters))
  } catch {
    return `new RegExp(${JSON.stringify(text)}, ${JSON.stringify(letters)})`
  }
})
const matching = choice(`
  $0.exec($1)
  (($0).exec($1) ?? {}).groups
  $0.test($1)
  $1.match($0)
  $1.search($0)
  $1.split($0)
  $1.split($0, 3)
  $1.replace($0, "[$$&|$$1|$$<n1>|$$\`|$$']")
  $1.replace($0, (...args) => { log(args); return "-" })
  ((r) => [r.exec($1), r.lastIndex, r.exec($1), r.lastIndex])($0)
  [...$1.matchAll(new RegExp($0, "g"))]
  $1.replaceAll(new RegExp($0, "g"), "<$$&>")
  ((r) => { r.lastIndex = 1; return [r.test($1), r.lastIndex] })($0)
  [$0.flags, $0.source]
  ($0.exec($1) ?? {}).indices
`)

// -----------------------------------------------------------------------------------------------------------------------
// Expressions, patterns, statements
// -----------------------------------------------------------------------------------------------------------------------

/** What is too deep, or shrinks, becomes the first of its alternatives. */
const nested = {
  depthSize: "small",
  maxDepth: 5,
  depthIdentifier: fc.createDepthIdentifier(),
  withCrossShrink: true,
} as const

type Grammar = Record<
  "expression" | "target" | "pattern" | "member" | "statement" | "body" | "step" | "waiting",
  string
>

const { body, waiting } = fc.letrec<Grammar>((tie) => {
  const e = tie("expression")
  const s = tie("body")
  const filled = (templates: Text, ...parts: ReadonlyArray<Text>): Text =>
    fc.tuple(templates, ...parts).map(([template, ...texts]) =>
      (template as string).replace(/\$(\d|\$)/g, (_match, n: string) => n === "$" ? "$" : (texts[Number(n)] as string))
    )
  return {
    expression: fc.oneof(
      nested,
      { weight: 4, arbitrary: fc.oneof(variable, literal) },
      { weight: 2, arbitrary: longLiteral },
      {
        weight: 4,
        arbitrary: form("($0 $1 $2)", e, binary, e).map((text) =>
          text.includes("??") ? text.replace(/\?\?/g, "|| 0 ||") : text
        ),
      },
      form("($0 ?? $1)", e, e),
      { weight: 2, arbitrary: form("($0 $1)", unary, e) },
      { weight: 6, arbitrary: filled(methods, e, e, e) },
      {
        weight: 3,
        // V8 looks for matches inside of surrogate pairs, where the specification goes on behind them.
        arbitrary: fc.tuple(matching, regularExpression, subject).map(([template, regexp, text]) =>
          template.replace(
            /\$([01$])/g,
            (_match, n: string) =>
              n === "$"
                ? "$"
                : n === "0"
                ? regexp
                : /[uv]\w*$|"\w*[uv]\w*"\)$/.test(regexp)
                ? text.replaceAll("😀", "é")
                : text,
          )
        ),
      },
      form("($0 ? $1 : $2)", e, e, e),
      form("t(1, $0)", e),
      form("($0, $1)", e, e),
      form("$0.$1", variable, from("x y z length")),
      form("$0?.$1?.$2", variable, from("x y z"), from("x length")),
      form("$0[key($1)]", variable, e),
      form("($0 $1 cap($2))", tie("target"), assignment, e),
      form("($0 = cap($1))", tie("target"), e),
      form("$0++", tie("target")),
      form("--$0", tie("target")),
      form("(delete $0[key($1)])", from("c d"), e),
      form("(($0) ** 2)", fc.oneof(variable, literal)),
      form("[$0, ...[$1]]", e, e),
      form("({ x: $0, [key($1)]: $2, y })".replace(", y", ", a"), e, e, e),
      form("((x, y = $0, ...z) => $1)($2)", e, e, e),
      form("((p, q) => { $0 })($1, $2)", s, e, e),
      form("(function () { return [typeof this, arguments.length, $0] })($1)", e, e),
      form("(([p, q = $0, ...z]) => [p, q, z])($1)", e, e),
      form("(({ x, y: { z } = {}, ...rest }) => [x, z, rest])($0)", e),
      form("[...(function* () { const r = yield $0; log(r); yield* [$1]; return $2 })()]", e, e, e),
      form(
        "(() => { try { return $0 } catch (e) { return [\"caught\", kind(e)] } finally { log(\"finally\") } })()",
        e,
      ),
      form("new (class { $0 })($1)", tie("member"), e),
      form(
        "(class extends (class { constructor(v) { this.v = v } m() { return this.v } }) { $0 m() { return [super.m(), $1] } })",
        tie("member"),
        e,
      ).map((text) => `new ${text}(1).m()`),
    ),
    member: fc.array(
      fc.oneof(
        form("x = $0;", e),
        form("static y = $0;", e),
        form("#z = $0; z() { return this.#z }", e),
        form("get g() { return $0 }", fc.oneof(variable, literal)),
        form("constructor(v) { log(new.target === undefined, v); this.w = $0 }", e),
        form("static { log($0) }", e),
        form("[key($0)]() { return $1 }", e, e),
        form("static #p() { return $0 } static q() { return this.#p() }", e),
      ),
      { minLength: 1, maxLength: 3, size: "max" },
    ).map((members) =>
      // One constructor, and private names of their own.
      members.filter((text, i) =>
        !text.startsWith("constructor") || members.findIndex((other) => other.startsWith("constructor")) === i
      )
        .map((text, i) => text.replaceAll("#", `#_${i}`)).join(" ")
    ),
    target: fc.oneof(
      { weight: 4, arbitrary: variable },
      form("$0.$1", from("c d"), from("x y z")),
      form("$0[key($1)]", from("c d"), fc.oneof(variable, literal)),
    ),
    pattern: fc.oneof(
      nested,
      { weight: 2, arbitrary: tie("target") },
      form("[$0, $1 = $2]", tie("pattern"), tie("target"), e),
      form("[, $0, ...$1]", tie("target"), tie("target")),
      form("{ x: $0, y: $1 = $2 }", tie("pattern"), tie("target"), e),
      form("{ [key($0)]: $1, ...$2 }", e, tie("target"), variable),
    ),
    statement: fc.oneof(
      nested,
      { weight: 8, arbitrary: form("log($0)", e) },
      { weight: 5, arbitrary: form("$0 = cap($1)", variable, e) },
      { weight: 3, arbitrary: form("; ($0 = $1)", tie("pattern"), e) },
      form("if ($0) { $1 } else { $2 }", e, s, s),
      form("for (let i = 0; i < 3; i++) { $0; if (i === 1 && $1) $2; log(i) }", s, e, from("break continue")),
      form("for (const k in $0) { log(k); $1 }", e, s).map((text) =>
        `{ let n = 0; ${text.replace("log(k);", "log(k); if (n++ > 5) break;")} }`
      ),
      form("{ let n = 0; for (const v of $0) { if (n++ > 5) break; log(v); $1 } }", e, s),
      form("{ let n = 0; do { $0 } while (n++ < 2 && $1) }", s, e),
      form(
        "(() => { outer: for (const i of [0, 1, 2]) { for (const j of [0, 1]) { if ($0) $1 outer; log(i, j); $2 } } })()",
        e,
        from("break continue"),
        s,
      ),
      form("switch ($0) { case $1: log(1); case $2: log(2); break; default: log(3) }", e, e, e),
      form("try { $0 } catch (e) { err(e); $1 }", s, s),
      form("try { $0 } catch { $1 } finally { log(\"f\") }", s, s),
      form("throw $0", e),
      form("{ let p = $0; const f = () => p; p = cap($1); log(f()) }", e, e),
      form("{ const fs = []; for (let i = 0; i < 2; i++) fs.push(() => (i += 1)); log(fs.map((f) => f()), $0) }", e),
      form("const $0 = $1; log($0)", from("u v w"), e).map((text) => `{ ${text} }`),
      form("{ function h(x, [y] = [$0], { z = x } = {}) { $1; return [x, y, z] } log(h(), h($2)) }", e, s, e),
      form("{ log(typeof u); let u = $0 }", e),
      form(
        "{ const i = { [Symbol.iterator]() { let n = 0; return { next: () => ({ value: n, done: n++ > 2 }), return(v) { log(\"return\"); return {} } } } }; for (const v of i) { log(v); $0; if ($1) break } }",
        s,
        e,
      ),
      form(
        "{ function* g() { try { const r = yield $0; log(r); yield* [$1] } catch (e) { log(\"in\", e); yield 9 } finally { log(\"end\") } } const i = g(); log(i.next()); log(i.$2) }",
        e,
        e,
        choice("next(1)\nreturn(2)\nthrow(3)\nthrow(new Error(\"x\"))"),
      ),
      form(
        "{ const o = { x: $0, get y() { log(\"y\"); return 1 }, set y(v) { log(\"set\", v) }, m() { return [this.x, super.toString === Object.prototype.toString] } }; o.y = $1; o.y += 1; log(o.m(), Object.keys(o)) }",
        e,
        e,
      ),
    ),
    body: list(tie("statement"), 1, 3, "; "),
    // Activities that wait, each beside the others.
    step: fc.oneof(
      form("await $0", e),
      form("log(await later($0, $1))", e, from("0 1 2")),
      form("try { await Promise.reject($0) } catch (e) { log(e) }", e),
      form("await { then(r, j) { log(\"then\"); $0($1) } }", from("r j"), e),
      form("for await (const v of [$0, later($1, 1)]) log(v)", e, e),
      form(
        "for await (const v of (async function* () { yield $0; log(\"in\"); yield later($1, 1) })()) { log(v); if ($2) break }",
        e,
        e,
        e,
      ),
      form("log(await Promise.$0([$1, later($2, 1), Promise.resolve(3)]))", from("all allSettled any race"), e, e),
      form(
        "Promise.resolve($0).then((v) => { log(\"v\", v); return $1 }).catch((e) => log(\"e\", e)).finally(() => log(\"f\"))",
        e,
        e,
      ),
      form("new Promise((r, j) => { $0($1); throw 1 }).then(log, (e) => log(\"no\", e))", from("r j r"), e),
      form("queueMicrotask(() => log(\"m\", $0))", fc.oneof(variable, literal)),
      form("log(await (async () => { try { return $0 } finally { await 1; log(\"fin\") } })())", e),
      form(
        "{ const g = (async function* () { try { yield $0; yield 2 } finally { log(\"g\") } })(); g.next().then(log, err); g.return($1).then(log, err); g.next().then(log, err) }",
        e,
        e,
      ),
      form("log($0)", e),
    ),
    waiting: form(
      "await Promise.allSettled([$0].map((f, i) => f().then((v) => log(\"done\", i, v), (e) => log(\"failed\", i, e))))",
      list(form("async () => { $0 }", list(tie("step"), 1, 3, "; ")), 1, 3),
    ),
  }
})

/** A program, as its statements; each is run whatever became of those before it. */
export const programs: fc.Arbitrary<ReadonlyArray<string>> = fc.array(
  fc.oneof({ weight: 5, arbitrary: body }, { weight: 1, arbitrary: waiting }),
  { minLength: 1, maxLength: 6, size: "max" },
)
