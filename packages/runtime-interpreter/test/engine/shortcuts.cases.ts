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
}
