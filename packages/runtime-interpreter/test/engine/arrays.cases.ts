/** Expressions over arrays; the host's own engine knows their values. */
export const values: ReadonlyArray<string> = [
  // Construction
  `[Array(3).length, Array("3"), new Array(1, 2), Array.of(7), Array.isArray(new Proxy([], {}))]`,
  `Array.from({ length: 3, 0: "a", 2: "c" }, (x, i) => [x, i])`,
  `Array.from(new Set([1, 2, 2, 3]), (x) => x * 2)`,
  `Array.from("a𝒳b")`,
  `Array.from(new Map([[1, 2]]))`,
  `(() => { class Stack extends Array {} const s = Stack.from([1, 2, 3]); return [s instanceof Stack, s.map((x) => x) instanceof Stack, s.slice(1).constructor.name, Stack.of(9).length] })()`,
  // Elements that are not there
  `[1, , 3].map((x) => x * 2)`,
  `[0 in [, 1].map((x) => x), Object.keys([1, , 3].filter(() => true)), [1, , 3].indexOf(undefined), [1, , 3].includes(undefined)]`,
  `(() => { const seen = []; [1, , undefined, 4].forEach((x, i) => seen.push([i, x])); return seen })()`,
  `[3, , 1, undefined, 2].sort()`,
  `[3, , 1].reverse()`,
  `[1, , 2].concat([, 3])`,
  `[[1, , 2].join("-"), [null, undefined, [1, [2, null]]].join(), String([[], [[]]])]`,
  `(() => { const a = [1, 2, 3]; a.length = 5; a.push(6); a.unshift(0); return [a.length, Object.keys(a)] })()`,
  `(() => { const a = []; a[3] = 1; return [a.shift(), a.length, a.pop(), a.length, a.pop(), a.shift(), a.shift(), a.length] })()`,
  // Removing, inserting, moving
  `(() => { const a = [1, 2, 3, 4, 5]; return [a.splice(1, 2, "a", "b", "c"), a, a.splice(-2), a, a.splice(0, 0), a.splice(1), a] })()`,
  `(() => { const a = [1, 2, 3, 4, 5]; return [a.slice(-2), a.slice(1, -1), a.slice(9), a.slice(3, 1), a.slice(NaN), a.slice("1")] })()`,
  `[1, 2, 3, 4, 5].copyWithin(0, 3)`,
  `[1, 2, 3, 4, 5].copyWithin(1, 0, 3)`,
  `[[1, 2, 3].fill(0, 1), [1, 2, 3].at(-1), [1, 2, 3].with(-1, 9), [1, 2, 3].toSpliced(1, 1, 7, 8), [3, 1, 2].toSorted(), [1, 2].toReversed()]`,
  `[[1, [2, [3, [4]]]].flat(), [1, [2, [3, [4]]]].flat(Infinity), [1, 2].flatMap((x) => [x, [x]])]`,
  `(() => { const a = [1, 2, 3]; a.push(...a); a.push(); return a.push(1) + a.unshift() })()`,
  // Searching
  `[[NaN].includes(NaN), [NaN].indexOf(NaN), [-0].includes(0), [1, 2, 1].lastIndexOf(1), [1, 2, 1].lastIndexOf(1, -2), [1, 2, 3].indexOf(3, -1)]`,
  `[[1, 2, 3].find((x) => x > 1), [1, 2, 3].findLast((x) => x < 3), [1, 2].findIndex((x) => x > 5), [1, 2].findLastIndex((x) => x < 5)]`,
  // Folding
  `[[1, 2, 3].reduce((a, b) => a + b), [[1], [2]].reduceRight((a, b) => a.concat(b)), [].reduce((a, b) => a, 7), [, 5].reduce((a, b) => a)]`,
  `[[1, 2].every((x) => x), [].some((x) => x), [0, 1].some(Boolean)]`,
  // Sorting
  `[10, 9, 1, "b", "a", null, undefined, true].sort()`,
  `[5, 1, 4].sort((a, b) => b - a)`,
  `[5, 1, undefined, 4, , 2].sort((a, b) => a - b)`,
  `Array.from({ length: 100 }, (_, i) => ({ i, k: i % 7 })).sort((a, b) => a.k - b.k).map(({ i }) => i)`,
  `["é", "z", "a", "Z", "😀", "\\uffff"].sort()`,
  `Array.from({ length: 3000 }, (_, i) => (i * 7919) % 3001).sort().slice(0, 20)`,
  `[3, 2, 1].sort(() => NaN)`,
  `["b", "a"].sort(undefined)`,
  // Callbacks that change the array
  `(() => { const a = [1, 2, 3]; const seen = []; a.forEach((x) => { seen.push(x); if (x === 1) a.push(9), a.splice(1, 1) }); return [seen, a] })()`,
  `(() => { const a = [1, 2, 3]; return [a.map((x) => { a.length = 1; return x }), a] })()`,
  `(() => { const a = [1, 2, 3, 4]; return a.filter((x, i) => { a[i + 1] = 9; return x > 1 }) })()`,
  `(() => { const a = [3, 2, 1]; a.sort((x, y) => { a.length = 0; return x - y }); return a })()`,
  `(() => { const a = [1, 2, 3]; const seen = []; for (const x of a) { seen.push(x); if (seen.length < 6) a.push(x * 10) } return seen })()`,
  `(() => { const a = [1, 2, 3]; return [a.slice({ valueOf() { a.length = 1; return 0 } }), a] })()`,
  `(() => { const a = [1, 2, 3]; return [a.includes(undefined, { valueOf() { a.length = 1; return 0 } }), a.indexOf(2, { valueOf() { a.push(2); return 0 } })] })()`,
  // Cycles
  `(() => { const a = [1]; a.push(a, [a, 2]); return [a.join(";"), String(a), a.toLocaleString()] })()`,
  // Iterators
  `[[..."ab".split("").entries()], [...[1, , 2].keys()], [...[1, , 2].values()]]`,
  `(() => { const a = [1]; const it = a.values(); const first = it.next(); const end = it.next(); a.push(2); return [first, end, it.next(), it[Symbol.toStringTag]] })()`,
  // Array-likes
  `Array.prototype.map.call("abc", (x) => x + x)`,
  `Array.prototype.push.call({ length: 2, 0: "a" }, "b")`,
  `(() => { const o = { length: 3, 0: 1, 2: 3 }; Array.prototype.reverse.call(o); return [o, Array.prototype.join.call(o), Array.prototype.splice.call(o, 0, 1), o] })()`,
  `Array.prototype.concat.call(1, 2).length`,
  `[].concat({ length: 2, 0: "x", [Symbol.isConcatSpreadable]: true }, "y").length`,
  `(() => { const o = { length: 2 ** 53 - 2 }; Array.prototype.push.call(o, "x"); return Object.keys(o).length + ":" + o[2 ** 53 - 2] })()`,
  // What a prototype adds is seen
  `(() => { Array.prototype[1] = "p"; try { return [[1, , 3].map((x) => x), [1, , 3].slice().hasOwnProperty(1), [, ,].includes("p"), [1, , 3].join()] } finally { delete Array.prototype[1]; Array.prototype.length = 0 } })()`,
  `(() => { let got; Object.defineProperty(Object.prototype, 0, { configurable: true, set(v) { got = v } }); try { const a = []; a.push(5); return [got, a.length, 0 in a] } finally { delete Object.prototype[0] } })()`,
  // Frozen arrays
  `(() => { const a = Object.freeze([1, 2]); return [a.map((x) => x + 1), a.concat(3), [...a]] })()`,
]

/** Expressions that throw; the host says with which message. */
export const throws: ReadonlyArray<string> = [
  `[].reduce((a, b) => a)`,
  `[1].map(3)`,
  `[1].forEach()`,
  `[1].sort(5)`,
  `new Array(-1)`,
  `new Array(1.5)`,
  `[1].with(3, 0)`,
  `Array.prototype.map.call(null, (x) => x)`,
  `Object.freeze([1]).push(2)`,
  `Object.freeze([1, 2]).sort()`,
  `Array.from(null)`,
  `[].flatMap(1)`,
  `new Map([1])`,
  `Map()`,
  `Set.prototype.add.call({}, 1)`,
  `new Map().get.call(new Set(), 1)`,
  `new WeakMap().set(1, 2)`,
  `new WeakSet().add("a")`,
  `new Set(5)`,
  `[...{}]`,
]
