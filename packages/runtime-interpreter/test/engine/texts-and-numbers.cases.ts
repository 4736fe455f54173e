/** Expressions over strings, numbers, `Math` and bigints; the host's own engine knows their values. */
export const values: ReadonlyArray<string> = [
  // Construction
  `[String(1), String(null), String(Symbol("s")), new String("ab").length, typeof new String(""), String(-0), String([1, [2]])]`,
  `[String.fromCharCode(72, 105, 65536 + 33), String.fromCodePoint(128512, 65), String.raw\`a\\n\${1}b\`, String.raw({ raw: "xyz" }, 1, 2, 3)]`,
  `Object.getOwnPropertyNames(new String("ab"))`,
  // Places
  `["abc".at(-1), "abc".at(5) === undefined, "abc".charAt(1), "abc".charAt(9), "abc".charCodeAt(1), Number.isNaN("a".charCodeAt(4)), "😀".codePointAt(0), "😀".codePointAt(1)]`,
  `["hello".slice(1, -1), "hello".slice(-3), "hello".slice(3, 1), "hello".substring(3, 1), "hello".substring(-1, 2), "hello".substr(-3, 2), "hello".substr(1)]`,
  `["banana".indexOf("an"), "banana".indexOf("an", 2), "banana".indexOf("", 9), "banana".lastIndexOf("an"), "banana".lastIndexOf("an", 2), "banana".lastIndexOf("x"), "banana".lastIndexOf("")]`,
  `["abc".includes("bc"), "abc".includes("a", 1), "abc".startsWith("b", 1), "abc".endsWith("b", 2), "abc".startsWith("")]`,
  // Long texts and needles, repetitive ones above all
  `(() => { const a = "a".repeat(5000); return [a.indexOf("b" + a), (a + "b" + a).indexOf("b" + a.slice(1)), a.lastIndexOf("b" + a.slice(9)), (a + "b" + a).lastIndexOf("ab" + a.slice(300)), (a + "b").split("a".repeat(300)).length] })()`,
  `(() => { const p = "ab".repeat(200) + "c"; const t = "ab".repeat(3000) + "c" + p + "ab".repeat(700); return [t.indexOf(p), t.indexOf(p, 5700), t.lastIndexOf(p), t.lastIndexOf(p, 5000), t.split(p).map((x) => x.length), t.replaceAll(p, "-").length] })()`,
  `("word,".repeat(9000) + "end").split(",").length + ("x".repeat(20000)).split("").length`,
  `("one, two; ".repeat(2000)).split(", ", 5)`,
  // Making texts
  `["ab".repeat(3), "".repeat(1e9), "5".padStart(3, "0"), "5".padEnd(4, "ab"), "abc".padStart(2), "a".padStart(5, ""), "a".concat(1, null, [2])]`,
  `["  \\t a \\u00a0\\ufeff".trim() + "|", " a ".trimStart() + "|", " a ".trimEnd() + "|", String.prototype.trimLeft.name]`,
  `["ÀÉ".toLowerCase(), "straße".toUpperCase(), "ΑΣ".toLowerCase(), "İ".toLowerCase().length, "ŉ".toUpperCase(), "I".toLocaleLowerCase("tr")]`,
  `["\\u00e9".normalize("NFD").length, "e\\u0301".normalize().length, "ﬁ".normalize("NFKC")]`,
  `["a\\ud800b".isWellFormed(), "a\\ud800b".toWellFormed(), "😀".isWellFormed(), "\\udc00\\ud800".toWellFormed()]`,
  `["x".anchor('a"b'), "x".big(), "x".link("u"), "x".sub()]`,
  // Patterns
  `["a-b-c".split("-"), "abc".split(""), "abc".split(), "".split(""), "".split(","), "a,b,c".split(",", 2), "a1b2".split(/\\d/), "abc".split("", 2), "a,b".split(",", 0)]`,
  `["aXbX".replace("X", "$&$&"), "abc".replace("b", "[$\`|$'|$$|$1|$<x>]"), "aaa".replace("a", (m, i, s) => m + i + s), "aaa".replaceAll("a", "b"), "aaa".replaceAll("", "-"), "abc".replaceAll("b", (m, i) => i)]`,
  `["2020-01-02".replace(/(\\d+)-(\\d+)-(\\d+)/, "$3/$2/$1/$4"), "abc".replace(/(?<x>b)/, "<$<x>>"), "aBc".replace(/[A-Z]/g, (c) => "_" + c.toLowerCase())]`,
  `["abcabc".match("b").index, "abcabc".match(/b/g), "abc".match("z"), [..."a1b2".matchAll(/\\d/g)].map((m) => m[0] + m.index), "abc".search("c"), "a.c".search(".")]`,
  `["abc".replace({ [Symbol.replace]: (s, r) => s + r }, "!"), "abc".split({ [Symbol.split]: (s, l) => [s, l] }, 3), "abc".search({ [Symbol.search]: () => 7 })]`,
  // Comparing and walking
  `["a".localeCompare("b"), "a".localeCompare("A"), "ä".localeCompare("z", "de"), "ä".localeCompare("z", "sv"), "2".localeCompare("10", undefined, { numeric: true }), "a".localeCompare("A", "en", { sensitivity: "base" })]`,
  `[[..."a😀b"], [..."\\ud800x"].length, [...new String("hi")], Array.from("añ")]`,
  `(() => { const it = "ab"[Symbol.iterator](); return [it.next(), it.next(), it.next(), it.next(), Object.prototype.toString.call(it)] })()`,
  // Numbers
  `[Number("0x1f"), Number("  12 "), Number(""), Number("1_0"), Number("1e3"), Number(null), Number([5]), Number(10n), Number("-Infinity"), Number(new Date(5))]`,
  `[(255).toString(16), (0.5).toString(2), (-255).toString(36), (1e21).toString(7), (0.1).toString(3), (123.456).toString(36)]`,
  `[(1.005).toFixed(2), (1e21).toFixed(2), (-1.5).toFixed(0), (0).toFixed(2), (123.456).toFixed(1), (1.45).toFixed(20)]`,
  `[(123.456).toPrecision(4), (0.00001).toPrecision(1), (1e21).toPrecision(3), (5).toPrecision(), (123456).toExponential(2), (0).toExponential(), NaN.toFixed(200 > 100 ? 1 : 0)]`,
  `[Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.isNaN("a"), Number.isFinite("1"), Number.EPSILON > 0, Number.parseFloat === parseFloat, Number.MAX_SAFE_INTEGER]`,
  `[(1234567.891).toLocaleString("en-US"), (0.256).toLocaleString("en-US", { style: "percent" }), (5).toLocaleString("de-DE", { style: "currency", currency: "EUR" }), (12n).toLocaleString("en-US")]`,
  // Math
  `[Math.max(), Math.min(), Math.max(1, NaN, 3), Math.max("3", 2), Math.min(0, -0) === 0 && 1 / Math.min(0, -0), Math.hypot(3, 4), Math.hypot(), Math.hypot(1e200, 1e200), Math.hypot(NaN, -Infinity)]`,
  `[Math.round(-0.5) === 0 && 1 / Math.round(-0.5), Math.round(2.5), Math.round(-2.5), Math.trunc(-4.7), Math.sign(-3), Math.cbrt(27), Math.fround(5.5), Math.clz32(1), Math.imul(0xffffffff, 5), Math.log2(8), Math.pow(2, -1)]`,
  `Object.getOwnPropertyNames(Math).filter((key) => Math[key].length !== undefined).length > 30`,
  // Bigints
  `[BigInt("0xff") + "", BigInt(" 12 ") + "", BigInt(true) + "", BigInt("") + "", (-255n).toString(16), (10n ** 30n).toString(36), BigInt(Number.MAX_SAFE_INTEGER) + ""]`,
  `[BigInt.asIntN(8, 255n) + "", BigInt.asUintN(8, -1n) + "", BigInt.asIntN(64, 2n ** 63n) + "", BigInt.asUintN(0, 5n) + "", BigInt.asIntN(2 ** 53 - 1, -5n) + ""]`,
  `[7n / 2n + "", -7n % 3n + "", 2n ** 200n + "", (1n << 100n) + "", (-5n >> 1n) + "", (5n & -2n) + "", typeof 1n, 1n < 2, 2n == 2]`,
]

/** Expressions that throw; the host says with which message. */
export const throws: ReadonlyArray<string> = [
  `"a".repeat(-1)`,
  `"a".repeat(Infinity)`,
  `String.fromCodePoint(-1)`,
  `String.fromCodePoint(1.5)`,
  `"a".normalize("x")`,
  `"abc".includes(/b/)`,
  `"abc".startsWith(/b/)`,
  `"abc".replaceAll(/b/, "")`,
  `"abc".matchAll(/b/)`,
  `String.prototype.trim.call(null)`,
  `String.prototype.toString.call(1)`,
  `String(Object.create(null))`,
  `Symbol() + ""`,
  `(1).toString(1)`,
  `(1).toFixed(101)`,
  `(1).toPrecision(0)`,
  `Number.prototype.toFixed.call("x")`,
  `Number(Symbol())`,
  `+1n`,
  `BigInt(1.5)`,
  `BigInt("1.5")`,
  `BigInt(undefined)`,
  `new BigInt(1)`,
  `1n + 1`,
  `1n / 0n`,
  `BigInt.asIntN(-1, 1n)`,
  `BigInt.prototype.toString.call(1)`,
  `(1).toLocaleString("not a locale")`,
  `(1).toLocaleString("en", { style: "currency" })`,
]

/** Expressions that would be too large, and what they say. */
export const tooLarge: ReadonlyArray<readonly [expression: string, message: string]> = [
  [`"x".repeat(2 ** 30)`, "RangeError: Invalid string length"],
  [`"x".padStart(2 ** 40)`, "RangeError: Invalid string length"],
  [`"x".repeat(2 ** 23).concat("y".repeat(2 ** 23), "z")`, "RangeError: Invalid string length"],
  [`"a".repeat(2 ** 20).replaceAll("a", "b".repeat(100))`, "RangeError: Invalid string length"],
  [`"a".repeat(2 ** 18).replace("a", "$'".repeat(100))`, "RangeError: Invalid string length"],
  [`"\\u0390".repeat(2 ** 23).toUpperCase()`, "RangeError: Invalid string length"],
  [`"\\ufdfa".repeat(2 ** 21).normalize("NFKD")`, "RangeError: Invalid string length"],
  [`JSON.stringify(Array(40).fill("x".repeat(2 ** 20)))`, "RangeError: Invalid string length"],
  [`JSON.stringify("\\x01".repeat(2 ** 22))`, "RangeError: Invalid string length"],
  [`2n ** (2n ** 21n)`, "RangeError: Maximum BigInt size exceeded"],
  [`1n << 2n ** 62n`, "RangeError: Maximum BigInt size exceeded"],
  [`(() => { let n = 3n; for (;;) n *= n })()`, "RangeError: Maximum BigInt size exceeded"],
  [`BigInt("9".repeat(2 ** 20))`, "RangeError: Maximum BigInt size exceeded"],
  [`BigInt.asUintN(2 ** 53 - 1, -1n)`, "RangeError: Maximum BigInt size exceeded"],
]
