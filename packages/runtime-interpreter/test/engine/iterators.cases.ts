/** Expressions over iterators and collections, and their values as JSON: not every host that runs the tests has all of these yet. */
export const values: ReadonlyArray<readonly [expression: string, json: unknown]> = [
  // Iterator helpers
  [`[1, 2, 3, 4].values().filter((x) => x % 2).map((x, i) => [x, i]).toArray()`, [[1, 0], [3, 1]]],
  [`[1, 2, 3].values().take(2).toArray()`, [1, 2]],
  [`[1, 2, 3].values().drop(1).toArray()`, [2, 3]],
  [`[1, 2].values().flatMap((x) => [x, x * 10]).toArray()`, [1, 10, 2, 20]],
  [`[1, 2, 3].values().reduce((a, b) => a + b)`, 6],
  [`[[1, 2].values().some((x) => x > 1), [1, 2].values().every((x) => x > 1), [1, 2].values().find((x) => x > 1)]`, [
    true,
    false,
    2,
  ]],
  [`(() => { const seen = []; new Set([1, 2]).values().forEach((x, i) => seen.push(x, i)); return seen })()`, [
    1,
    0,
    2,
    1,
  ]],
  [
    `(() => { function* naturals() { try { for (let n = 0;; n++) yield n } finally { log.push("closed") } } const log = []; const a = naturals().filter((n) => n % 3 === 0).take(3).toArray(); return [a, log] })()`,
    [[0, 3, 6], ["closed"]],
  ],
  [
    `Iterator.from({ next() { return this.n < 3 ? { value: this.n++, done: false } : { done: true } }, n: 0 }).toArray()`,
    [0, 1, 2],
  ],
  [`Iterator.from("ab").toArray()`, ["a", "b"]],
  [`Iterator.concat([1], new Set([2, 3])).toArray()`, [1, 2, 3]],
  [`Iterator.zip([[1, 2, 3], ["a", "b"]]).toArray()`, [[1, "a"], [2, "b"]]],
  [`Iterator.zip([[1, 2, 3], ["a"]], { mode: "longest", padding: [0, "-"] }).toArray()`, [[1, "a"], [2, "-"], [
    3,
    "-",
  ]]],
  [`Iterator.zipKeyed({ n: [1, 2], s: ["a", "b"] }).toArray()`, [{ n: 1, s: "a" }, { n: 2, s: "b" }]],
  [
    `(() => { try { return Iterator.zip([[1], []], { mode: "strict" }).toArray() } catch (e) { return e.name } })()`,
    "TypeError",
  ],
  [`[1, 2, 3, 4, 5].values().chunks(2).toArray()`, [[1, 2], [3, 4], [5]]],
  [`[1, 2, 3, 4].values().windows(3).toArray()`, [[1, 2, 3], [2, 3, 4]]],
  [`[1].values().windows(3, "allow-partial").toArray()`, [[1]]],
  [`[[1, 2].values().includes(2), [1, 2].values().includes(1, 1)]`, [true, false]],
  [
    `(() => { const helper = [1, 2, 3].values().map((x) => x); return [helper.next().value, helper.return(), helper.next().done, helper[Symbol.toStringTag]] })()`,
    [1, { done: true }, true, "Iterator Helper"],
  ],
  [
    `(() => { class Count extends Iterator { n = 0; next() { return { value: this.n++, done: this.n > 3 } } } return new Count().map((x) => x + 1).toArray() })()`,
    [1, 2, 3],
  ],
  [
    `(() => { try { new Iterator() } catch (e) { return e.message } })()`,
    "Abstract class Iterator not directly constructable",
  ],
  [
    `(() => { let closed = 0; const it = { __proto__: Iterator.prototype, next: () => ({ value: 1, done: false }), return: () => (closed++, {}) }; try { it.map((x) => { throw new Error("no") }).next() } catch (e) { return [e.message, closed] } })()`,
    ["no", 1],
  ],
  // Map and Set
  [`[...new Map([["a", 1], ["b", 2], ["a", 3]])]`, [["a", 3], ["b", 2]]],
  [
    `(() => { const m = new Map(); m.set(NaN, 1).set(-0, 2); return [m.get(NaN), m.get(0), Object.is([...m.keys()][1], 0), m.size] })()`,
    [1, 2, true, 2],
  ],
  [
    `(() => { const m = new Map([[1, "a"], [2, "b"], [3, "c"]]); const seen = []; for (const [k] of m) { seen.push(k); if (k === 1) m.delete(2), m.set(4, "d"); if (k === 3 && seen.length < 3) m.delete(3), m.set(3, "again") } return seen })()`,
    [1, 3, 4, 3],
  ],
  [
    `(() => { const s = new Set(); for (let i = 0; i < 200; i++) s.add(i); const seen = []; for (const x of s) { seen.push(x); for (let i = x; i < x + 50; i++) s.delete(i) } return seen })()`,
    [0, 50, 100, 150],
  ],
  [
    `(() => { const s = new Set([1, 2, 3]); const seen = []; s.forEach((x) => { seen.push(x); if (x === 1) { s.clear(); s.add(9) } }); return seen })()`,
    [1, 9],
  ],
  [
    `(() => { const m = new Map([[1, 1]]); const it = m.entries(); it.next(); it.next(); m.set(2, 2); return [it.next().done, it[Symbol.toStringTag]] })()`,
    [true, "Map Iterator"],
  ],
  [`[...Map.groupBy([1, 2, 3, 4, 5], (x) => x % 2 ? "odd" : "even")]`, [["odd", [1, 3, 5]], ["even", [2, 4]]]],
  [
    `(() => { const m = new Map(); m.getOrInsert("a", []).push(1); m.getOrInsert("a", []).push(2); m.getOrInsertComputed("b", (k) => [k]); return [...m] })()`,
    [["a", [1, 2]], ["b", ["b"]]],
  ],
  [`[...new Set([1, 2, 3]).union(new Set([3, 4]))]`, [1, 2, 3, 4]],
  [`[...new Set([1, 2, 3]).intersection(new Map([[3, 0], [2, 0]]))]`, [3, 2]],
  [`[...new Set([1, 2, 3]).difference(new Set([2]))]`, [1, 3]],
  [`[...new Set([1, 2, 3]).symmetricDifference(new Set([3, 4]))]`, [1, 2, 4]],
  [
    `[new Set([1]).isSubsetOf(new Set([1, 2])), new Set([1, 2]).isSupersetOf(new Set([1])), new Set([1]).isDisjointFrom(new Set([2]))]`,
    [true, true, true],
  ],
  [`(() => { class Bag extends Map { set(k, v) { return super.set(k, v * 2) } } return [...new Bag([["a", 1]])] })()`, [
    ["a", 2],
  ]],
  [
    `(() => { const key = {}; const w = new WeakMap([[key, 1]]); const s = new WeakSet([key]); return [w.get(key), w.has({}), s.has(key), w.delete(key), w.has(key), w.getOrInsert(key, 5)] })()`,
    [1, false, true, true, false, 5],
  ],
  [
    `new Map([[1n, "one"], [2n ** 80n, "big"], ["x".repeat(20000), "long"]]).get("x".repeat(20000)) + new Map([[2n ** 80n, "big"]]).get(2n ** 80n)`,
    "longbig",
  ],
]

/** The same, awaited. */
export const promised: ReadonlyArray<readonly [expression: string, json: unknown]> = [
  [`Array.fromAsync([1, Promise.resolve(2)])`, [1, 2]],
  [`Array.fromAsync((async function* () { yield 1; yield 2 })(), async (x, i) => x * 10 + i)`, [10, 21]],
  [`Array.fromAsync({ length: 2, 0: Promise.resolve("a"), 1: "b" })`, ["a", "b"]],
  [`Array.fromAsync([Promise.reject(new Error("no"))]).catch((e) => e.message)`, "no"],
  [
    `(async () => { let closed = 0; const items = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1, done: false }), return: async () => (closed++, {}) }) }; try { await Array.fromAsync(items, () => { throw new Error("mapper") }) } catch (e) { return [e.message, closed] } })()`,
    ["mapper", 1],
  ],
  [`(async () => { const seen = []; for await (const x of [Promise.resolve(1), 2]) seen.push(x); return seen })()`, [
    1,
    2,
  ]],
  [
    `(async () => { let closed = 0; const items = { *[Symbol.iterator]() { try { yield Promise.reject(new Error("no")); yield 1 } finally { closed++ } } }; try { for await (const x of items); } catch (e) { return [e.message, closed] } })()`,
    ["no", 1],
  ],
]
