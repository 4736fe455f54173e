/** Bodies of functions that change what built-ins rely on where they take a shorter way, or that show the order in which they do things. */
export const shortcuts: Readonly<Record<string, ReadonlyArray<string>>> = {
  "collections made of iterables": [
    // As they are
    `return [[...new Set([1, 2, 1])], [...new Set(new Set([3, 3, 4]))], [...new Set("hello")], [...new Set(new Map([[1, 2]]))]]`,
    `return [[...new Map([[1, 2], ["a", "b"]])], [...new Map(new Map([[1, 2], [NaN, 3]]))], [...new Map(new Set([[1, 2]]))]]`,
    `return [Object.fromEntries([["a", 1], ["b", 2], ["a", 3], [1, 4]]), Object.fromEntries(new Map([["x", 1]])), Object.fromEntries([])]`,
    `return [[...new Set([-0])].map((x) => Object.is(x, 0)), [...new Map([[-0, 1]]).keys()].map((x) => Object.is(x, 0))]`,
    `const all = Array.from({ length: 3000 }, (_, i) => i % 2000); return [new Set(all).size, new Map(all.map((x) => [x, x])).size, new Set(new Set(all)).size, new Map(new Map(all.map((x) => [x, -x]))).get(1999), Object.keys(Object.fromEntries(all.map((x) => [x, x]))).length]`,
    // Holes, getters, and what is no entry
    `return [[...new Set([1, , 2])], [...new Map([[1, , 3], [2]])], Object.fromEntries([["a", , 2], ["b"]])]`,
    `const log = []; const entry = { get 0() { log.push("key"); return "k" }, get 1() { log.push("value"); return 1 } }; return [[...new Map([["a", 0], entry, ["b", 2]])], Object.fromEntries([entry, ["c", 3]]), log]`,
    `const log = []; const key = { toString() { log.push("text"); return "k" } }; return [Object.fromEntries([["a", 1], [key, 2]]), log, [...new Map([[key, 1]])].length]`,
    `const tries = []; for (const list of [[[1, 2], 3], [1], ["ab"], [null], [[1], undefined]]) { for (const make of [(l) => new Map(l), Object.fromEntries]) { try { tries.push(make(list)) } catch (e) { tries.push(e.name) } } } return tries`,
    `const seen = new Set([[1, 1], 2, [3, 3]]).values(); try { new Map(seen) } catch (e) { return [e.name, [...seen].length] }`,
    `const list = [["a", 1]]; Object.defineProperty(list, 1, { get() { return ["b", 2] }, enumerable: true }); return [[...new Map(list)], Object.fromEntries(list)]`,
    // Patched
    `const log = []; const { add } = Set.prototype; Set.prototype.add = function(x) { log.push(x); return add.call(this, x * 2) }; return [[...new Set([1, 2])], log]`,
    `const log = []; const { set } = Map.prototype; Map.prototype.set = function(k, v) { log.push(k); return set.call(this, v, k) }; return [[...new Map([[1, 2]])], [...new Map(new Map([[3, 4]]))], log]`,
    `Set.prototype[Symbol.iterator] = function*() { yield 7 }; return [[...new Set(new Set([1, 2]))].length, new Set(new Set([1, 2])).has(7)]`,
    `Map.prototype[Symbol.iterator] = function*() { yield [7, 8] }; return [new Map(new Map([[1, 2], [3, 4]])).get(7), Object.fromEntries(new Map([[1, 2]]))]`,
    `Array.prototype[Symbol.iterator] = function*() { yield ["a", 9] }; return [new Map([[1, 2]]).get("a"), new Set([1, 2]).size, Object.fromEntries([])]`,
    `const proto = Object.getPrototypeOf(new Set().values()); const { next } = proto; proto.next = function() { const r = next.call(this); return r.done ? r : { done: false, value: r.value + 1 } }; return [new Set(new Set([1, 2])).has(3), new Set(new Set([1, 2])).size]`,
    `const proto = Object.getPrototypeOf(new Map().values()); const { next } = proto; proto.next = function() { const r = next.call(this); return r.done ? r : { done: false, value: [r.value[0], 0] } }; return [new Map(new Map([[1, 2]])).get(1), Object.fromEntries(new Map([[1, 2]]))]`,
    `const proto = Object.getPrototypeOf([].values()); const { next } = proto; proto.next = function() { const r = next.call(this); return r.done ? r : { done: false, value: [r.value[0], 0] } }; return [new Map([[1, 2]]).get(1), Object.fromEntries([[1, 2]])]`,
    `const s = new Set([1, 2]); s[Symbol.iterator] = function*() { yield 5 }; const m = new Map([[1, 2]]); m[Symbol.iterator] = function*() { yield ["q", 5] }; return [new Set(s).has(5), new Map(m).get("q"), Object.fromEntries(m)]`,
    `class Odd extends Set { *[Symbol.iterator]() { yield 1 } } class Kept extends Map {} return [new Set(new Odd([2, 4])).has(1), new Map(new Kept([[1, 2]])).get(1), new Kept([[1, 2]]) instanceof Kept, new Odd([2, 4]).size]`,
    `Object.setPrototypeOf(Set.prototype, { get x() { return 1 } }); const s = new Set([1]); return [s.x, [...new Set(s)].length]`,
    `const log = []; const s = new Set([1, 2, 3]); const t = new Set((function*() { for (const x of s) { log.push(x); s.delete(2); yield x } })()); return [[...t], log]`,
    `const iterator = [1, 2, 3][Symbol.iterator](); iterator.next(); return [[...new Set(iterator)], iterator.next().done]`,
  ],
  "texts and patterns": [
    // As they are
    String
      .raw`return ["a-b-c".replace(/-/, "+"), "a-b-c".replace(/-/g, "+"), "abc".replace(/(?<x>b)/, "[$<x>$1$&$\`$']"), "abc".replace(/x/g, "y"), "".replace(/^/, "z"), "aa".replace(/x*/g, "-")]`,
    String
      .raw`return ["a1b22".match(/\d+/g), "abc".match(/\d/g), "a1".match(/(?<l>[a-z])(\d)?(x)?/), "xAy".match(/a/i).index, "abc".search(/c/), "abc".search(/x/g)]`,
    String
      .raw`return ["a, b,c".split(/,\s*/), "abc".split(/(b)/), "abc".split(/(?:)/), "".split(/x/), "".split(/(?:)/), "a1b2".split(/\d/), "a😀b".split(/(?:)/u), "abc".split(/(x)?b/), "abc".split(/b/, 1)]`,
    String
      .raw`return [[..."a1b22".matchAll(/[a-z](\d+)/g)].map((m) => [...m, m.index, m.input, m.groups]), [..."aaa".matchAll(/x*/g)].length, [..."a😀".matchAll(/(?:)/gu)].map((m) => m.index)]`,
    `return ["a.b.c".replaceAll(".", "-"), "aaa".replaceAll("aa", "b"), "abc".replaceAll("", "-"), "abc".replaceAll("x", "y"), "a$b".replaceAll("$", "$$"), "aba".replaceAll("a", "[$&]"), "".replaceAll("", "x"), "aba".replaceAll(/a/g, "$&$&"), "aba".replaceAll(/a/g, (x, i) => x + i)]`,
    `try { return "aba".replaceAll(/a/, "b") } catch (e) { try { return [e.name, "aba".replaceAll(/a/, () => "b")] } catch (f) { return [e.name, f.name] } }`,
    String
      .raw`const text = "word ".repeat(3000); return [text.match(/\w+/g).length, text.split(/ /).length, text.replace(/o/g, "00").length, text.replaceAll("o", "").length, [...text.matchAll(/w/g)].length, text.replace(/r/g, () => "").length]`,
    String
      .raw`return ["x".repeat(14).replace(/(x+x+)+y/g, "").length, "x".repeat(14).match(/(x+x+)+y/g), "x".repeat(14).split(/(x+x+)+y/).length, [...("x".repeat(14).matchAll(/(x+x+)+y/g))].length, "x".repeat(14).search(/(x+x+)+y/)]`,
    // What stays in the expression
    String
      .raw`const r = /a/g; const s = /a/y; const log = []; r.lastIndex = 2; "aaa".replace(r, "b"); log.push(r.lastIndex); r.lastIndex = 2; log.push("aaa".match(r), r.lastIndex); r.lastIndex = 1; log.push([..."aaa".matchAll(r)].length, r.lastIndex); s.lastIndex = 1; log.push("aab".replace(s, "x"), s.lastIndex, "aab".replace(s, "x"), s.lastIndex, "ba".split(s), s.lastIndex, "ba".search(s), s.lastIndex); return log`,
    String
      .raw`const r = /a/g; const iterator = "aba".matchAll(r); r.lastIndex = 9; r.compile("b"); return [[...iterator].map((m) => m.index), [...iterator], iterator.next()]`,
    `const r = /a/g; Object.freeze(r); const tries = []; for (const f of [() => "aa".replace(r, "b"), () => "aa".match(r), () => [..."aa".matchAll(r)].length, () => "aa".split(r), () => "aa".search(r), () => r.exec("aa"), () => "aa".search(Object.freeze(/a/))]) { try { tries.push(f()) } catch (e) { tries.push(e.name) } } return tries`,
    `const r = /b/; r.lastIndex = -0; const i = "abc".search(r); return [i, Object.is(r.lastIndex, -0)]`,
    `const r = /b/; const log = []; r.lastIndex = { valueOf() { log.push("lastIndex"); return 0 } }; return ["abc".replace(r, "x"), "abc".match(r).index, "abc".split(r), log.length]`,
    // Patched
    `RegExp.prototype[Symbol.replace] = () => "mine"; RegExp.prototype[Symbol.match] = () => "mine"; RegExp.prototype[Symbol.matchAll] = () => ["mine"]; RegExp.prototype[Symbol.search] = () => 7; RegExp.prototype[Symbol.split] = () => ["mine"]; return ["a".replace(/a/, "b"), "a".replaceAll(/a/g, "b"), "a".replace(/a/, () => "b"), "a".match(/a/g), "a".matchAll(/a/g), "a".search(/a/), "a".split(/a/)]`,
    `const log = []; const { exec } = RegExp.prototype; RegExp.prototype.exec = function(t) { log.push(this.lastIndex); return exec.call(this, t) }; return ["aba".replace(/a/g, "x"), "aba".match(/a/g), "aba".split(/b/), "aba".search(/b/), [..."aba".matchAll(/a/g)].length, /a/.test("a"), log]`,
    `const r = /a/g; r.exec = () => null; return ["aba".replace(r, "x"), "aba".match(r), "aba".search(r), [..."aba".matchAll(r)].length]`,
    `Object.defineProperty(RegExp.prototype, "flags", { get() { return "" } }); const tries = []; for (const f of [() => [..."aba".matchAll(/a/g)].length, () => "aba".replaceAll(/a/g, "x")]) { try { tries.push(f()) } catch (e) { tries.push(e.name) } } return tries`,
    `Object.defineProperty(RegExp, Symbol.species, { get() { return class extends RegExp { exec() { return null } } } }); return ["aba".split(/b/), [..."aba".matchAll(/a/g)].length, "aba".replace(/a/g, "x")]`,
    `const C = RegExp.prototype.constructor; RegExp.prototype.constructor = class extends C { exec() { return null } }; return ["aba".split(/b/), [..."aba".matchAll(/a/g)].length]`,
    `const proto = Object.getPrototypeOf("".matchAll(/a/g)); const { next } = proto; proto.next = function() { const r = next.call(this); return r.done ? r : { done: false, value: r.value.index } }; return [..."aba".matchAll(/a/g)]`,
    `class Own extends RegExp {} const r = new Own("a", "g"); return ["aba".replace(r, "x"), "aba".match(r), "aba".split(r), [..."aba".matchAll(r)].length, "aba".search(r)]`,
    `const log = []; const text = { toString() { log.push("text"); return "aba" } }; const by = { toString() { log.push("by"); return "x" } }; return [String.prototype.replace.call(text, /a/g, by), String.prototype.split.call(text, /b/), String.prototype.match.call(text, /a/g), log]`,
    `const log = []; const out = "abab".replace(/a(b)/g, (...args) => { log.push(args); return args[1] }); return [out, log]`,
    `const r = /a/g; return "aaa".replace(r, () => { r.lastIndex = 0; return String(r.lastIndex) })`,
    `try { return "aba".replace(/a/g, () => { throw new Error("mine") }) } catch (e) { return e.message }`,
  ],
  "JSON texts": [
    `return [1, "a", true, null, undefined, NaN, -0, 1e21, Infinity, () => 1, Symbol("x"), [undefined, () => 1], { a: undefined, b() {}, c: Symbol() }, [], {}, new Number(1), new String("s"), Object(true)].map((x) => [JSON.stringify(x), JSON.stringify(x, null, 2), JSON.stringify(x, undefined, "--")])`,
    `return [JSON.stringify({ a: () => 1 }, null, 2), JSON.stringify({ a: () => 1, b: 2, c: undefined }, null, 1), JSON.stringify([() => 1, undefined], null, 1), JSON.stringify({ a: {}, b: [], c: [[]] }, null, 1)]`,
    `const big = Array.from({ length: 700 }, (_, i) => ({ id: i, f: () => 1, text: "x".repeat(i % 40), inner: { u: undefined, list: [i, undefined, () => 1] } })); return [JSON.stringify(big), JSON.stringify(big, null, 1), JSON.stringify({ big, more: big.length })]`,
    `const shapes = Array.from({ length: 30 }, (_, i) => ({ ["k" + i % 7]: i, ["l" + i % 3]: { ["m" + i % 5]: [i] } })); return JSON.stringify([shapes, shapes.toReversed?.() ?? [...shapes].reverse()])`,
    `const own = []; own.toJSON = () => "mine"; const list = [[1], own, [2]]; return [JSON.stringify(list), JSON.stringify([[1], [2]])]`,
    `const log = []; const o = { a: 1, get b() { log.push("b"); return 2 }, c: { toJSON(key) { log.push(key); return 3 } } }; return [JSON.stringify(o), JSON.stringify([o, o]), log]`,
    `const a = JSON.stringify([1, "x", { y: [2] }]); Array.prototype.toJSON = () => "array"; const b = JSON.stringify([1, { y: [2] }]); delete Array.prototype.toJSON; Object.prototype.toJSON = function() { return Object.keys(this).length }; const c = [JSON.stringify({ a: [1], b: {} }), JSON.stringify([{}])]; delete Object.prototype.toJSON; String.prototype.toJSON = () => "text"; Number.prototype.toJSON = () => 7; const d = [JSON.stringify("x"), JSON.stringify(1), JSON.stringify({ a: "x", b: 1 })]; return [a, b, c, d]`,
    `BigInt.prototype.toJSON = function() { return String(this) }; return [JSON.stringify(1n), JSON.stringify({ a: 1n })]`,
    `const tries = []; const circle = {}; circle.self = [circle]; for (const x of [1n, circle, { a: [1n] }]) { try { tries.push(JSON.stringify(x)) } catch (e) { tries.push(e.name) } } return tries`,
    `return [JSON.stringify({ a: 1, b: [1, { a: 2, c: 3 }] }, ["a", "b"]), JSON.stringify([1, { a: 2 }], (k, v) => typeof v === "number" ? v + 1 : v), JSON.stringify({ a: [1] }, null, { valueOf: () => 2 }), JSON.stringify([1], null, new Number(1)), JSON.stringify([1], null, new String("+")), JSON.stringify([1], {}, 1), JSON.stringify([1], 5, "--------------------")]`,
    String
      .raw`return ["1", " [1, 2 ]", '{"a":{"b":[]},"a":1}', '"\\u0041\\n"', "true", "null", "-0.5e1"].map((text) => JSON.parse(text))`,
    `return ["", "{", "[1,]", "{'a':1}", "01", "nul", undefined, "1 2"].map((text) => { try { return JSON.parse(text) } catch (e) { return e.name } })`,
    `const log = []; return [JSON.parse({ toString() { log.push("text"); return "[1]" } }), JSON.parse(1), JSON.parse(null), JSON.parse("[1,2]", 7), JSON.parse("[1,2]", (k, v) => Array.isArray(v) ? v : v * 2), log]`,
    `const text = JSON.stringify(Array.from({ length: 900 }, (_, i) => ({ i, s: "é".repeat(i % 9) }))); const back = JSON.parse(text); return [text.length, back.length, back[899], JSON.stringify(back) === text]`,
  ],
  "arrays and functions of the program's": [
    `const log = []; const list = [1, 2, 3]; const out = list.map((x, i, all) => { if (i === 0) { all.push(9); all[1] = 7; delete all[2] } log.push([x, i, all === list]); return x * 2 }); return [out, 2 in out, log]`,
    `return [[1, , 3].map((x) => x), [1, , 3].filter(() => true), [, 1].find((x) => x === undefined), [, 1].findIndex((x) => x === undefined), [, , 1].reduce((a, b) => a + b, 5), [1, 2, 3].reduceRight((a, b) => a + "-" + b), [1, 2, 3, 4].findLast((x) => x % 2), [1, 2, 3].findLastIndex((x) => x > 9)]`,
    `const kept = []; [1, 2, 3].forEach(function() { kept.push(arguments) }); [4, 5].reduce(function() { kept.push(arguments); return 0 }); [6].map((...all) => kept.push(all)); return kept.map((a) => Array.from(a).slice(0, 2))`,
    `const log = []; [3, 1, 2].sort(function() { log.push([...arguments]); return arguments[0] - arguments[1] }); return log.every((pair) => pair.length === 2) && new Set(log).size === log.length`,
    `const self = {}; return [[1].map(function() { return this === self }, self), [1].some(function() { return this === self }, self), Array.from([1], function() { return this === self }, self), Array.from({ length: 1 }, function() { return this === self }, self)]`,
    `const tries = []; for (const f of [() => [].map(1), () => [].reduce((a) => a), () => Array.from([], 1), () => [].sort(1), () => [1].map(() => { throw new TypeError("mine") }), () => Array.from([1], () => { throw new RangeError("x") }), () => [2, 1].sort(() => { throw new RangeError("x") }), () => [].flatMap()]) { try { f() } catch (e) { tries.push(e.name) } } return tries`,
    `return [Array.from([1, 2, , 4], (x, i) => [x, i]), Array.from({ length: 3, 1: "b" }, (x, i) => [x, i]), Array.from("añ😀", (x) => x + x), Array.from(new Set([1, 2]), (x) => -x), Array.from(new Map([[1, 2]])), Array.from([1, , 3]), Array.from({ length: 2 }), Array.from(5), Array.from({ length: "2", 0: 1 }, (x) => x)]`,
    `const list = [1, 2, 3]; const out = Array.from(list, (x, i) => { if (i < 3) list.push(x); if (i === 4) list.length = 2; return x }); return out`,
    `const log = []; const source = { get length() { log.push("length"); return 2 }, get 0() { log.push(0); return "a" }, get 1() { log.push(1); return "b" } }; return [Array.from(source, (x) => x + x), log]`,
    `class Own extends Array {} const own = Own.from([1, 2], (x) => x + 1); return [own instanceof Own, own.length, Own.from({ length: 2 }) instanceof Own, Array.from.call(Object, [1]), Array.from.call(null, [1], (x) => x)]`,
    `Array.prototype[Symbol.iterator] = function*() { yield 7 }; return [Array.from([1, 2]), Array.from([1, 2], (x) => x * 2)]`,
    `const a = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5003); const sorted = a.slice().sort((x, y) => x - y); const by = a.map((x, i) => ({ x: x % 10, i })).sort((p, q) => p.x - q.x); return [sorted.every((x, i) => i === 0 || sorted[i - 1] <= x), by.every((p, i) => i === 0 || by[i - 1].x < p.x || (by[i - 1].x === p.x && by[i - 1].i < p.i)), sorted.length, a.length]`,
    `const lists = []; for (let n = 0; n < 40; n++) { const a = Array.from({ length: n }, (_, i) => (i * 31 + n * 17) % 11); lists.push(a.slice().sort((x, y) => x - y), a.slice().sort((x, y) => y - x), a.toSorted?.((x, y) => x - y) ?? [...a].sort((x, y) => x - y)) } return lists`,
    `return [[3, undefined, 1, , 2].sort((a, b) => a - b), [2, 1].sort(() => NaN), [2, 1, 3].sort((a, b) => ({ valueOf: () => a - b })), [2, 1].sort((a, b) => String(a - b))]`,
    `const log = []; const list = [3, 1, 2]; list.sort((a, b) => { list.length = 0; return a - b }); return [list]`,
    `return [[1, 2].flatMap((x) => [x, [x]]), [1, 2].flatMap((x) => x % 2 ? [] : x), [[1, [2]], [3]].flatMap((x) => x)]`,
    `class Own extends Array {} const own = Own.of(3, 1, 2); return [own.map((x) => x) instanceof Own, own.filter(() => true) instanceof Own, own.sort((a, b) => a - b) === own, own.flatMap((x) => [x]) instanceof Own]`,
    `const inner = (n) => n === 0 ? [] : [n].map((x) => [...inner(x - 1), x]).flat(); return [inner(20), [1, 2].map((x) => [3, 4].map((y) => [5].reduce((a, b) => a + b, x * y)))]`,
    `const bound = function(a, b) { return [this.k, a, b] }.bind({ k: 1 }, 2); return [[9].map(bound), [9].map(Number), ["1", "2", "3"].map(parseInt), [1, 4].map(Math.sqrt), [[1], [2]].map(Array.isArray), [1].map(new Proxy((x) => x + 1, {}))]`,
  ],
}
