/**
 * Programs that keep something half done and then wait for a tool that does not answer. The last value of each is reachable
 * while it waits, since the code after the wait uses it.
 */
const waits = (setup: string, kept: string): string => `${setup}\nawait tools.wait({ n: 1 })\nreturn [${kept}].length`

export const programs: ReadonlyArray<readonly [name: string, code: string]> = [
  ["a result that was not looked at", waits("const rows = await tools.rows({})", "rows")],
  ["a call", waits("const answer = tools.other({ a: [1] })", "answer")],
  [
    "functions of all kinds",
    waits(
      "let n = 0; const f = () => ++n; function g(...a) { return arguments.length + n } const o = { get x() { return n }, set x(v) { n = v }, m() { return super.toString() }, async a() {}, *g() {}, async *ag() {} }; const bound = g.bind(o, 1).bind(null, 2)",
      "f, g, o, bound",
    ),
  ],
  [
    "classes",
    waits(
      "class A { #p = 1; static #s = 2; #m() { return this.#p } static { this.y = A.#s } static get z() { return 1 } accessorLike = () => this.#m(); has(o) { return #p in o } } class B extends A { constructor() { super(); this.c = new.target } } const b = new B()",
      "b, A, B",
    ),
  ],
  [
    "generators",
    waits(
      "function* g(a) { try { for (const x of [1, 2, 3]) { const y = yield x + a; if (y) yield* [y, y] } } finally { yield 'f' } } const fresh = g(1), begun = g(2), delegating = g(3), closing = g(4), over = g(5); begun.next(); delegating.next(); delegating.next(9); closing.next(); closing.return(1); over.return(1)",
      "fresh, begun, delegating, closing, over",
    ),
  ],
  [
    "async functions",
    waits(
      "const never = new Promise(() => {}); const f = async (x) => { try { for (const y of [1, 2]) { await never } } finally { await null } }; const g = async () => { await f(1) }; const pending = [f(1), g()]",
      "never, pending",
    ),
  ],
  [
    "async generators with queued requests",
    waits(
      "const never = new Promise(() => {}); async function* g() { try { yield 1; yield never; yield 2 } finally { await never } } const fresh = g(), waiting = g(), returning = g(), finished = g(); const r = [waiting.next(), waiting.next(), waiting.next(), waiting.return(1), waiting.throw(2), returning.return(never), returning.next()]; async function* h() { yield* g() } const delegating = h(); r.push(delegating.next(), delegating.next(), delegating.next())",
      "fresh, waiting, returning, finished, delegating, r",
    ),
  ],
  [
    "promises and their functions",
    waits(
      "const made = new Promise((...both) => { made_ = both }); var made_; const chain = made.then((x) => x).catch(() => 1).finally(() => 2); const all = [Promise.all([made, 1]), Promise.allSettled([made]), Promise.any([made, Promise.reject(1)]), Promise.race([made])]; const resolvers = Promise.withResolvers(); const tried = Promise.try(() => made); const following = new Promise((r) => r(made)); class Sub extends Promise {} const sub = Sub.all([made, Sub.resolve(1)]).then(() => {}).finally(() => {})",
      "chain, all, resolvers, tried, following, sub",
    ),
  ],
  [
    "the functions that combinators give",
    waits(
      "const got = []; class Spy extends Promise { then(a, b) { got.push(a, b); return super.then(a, b) } static resolve(v) { return new Spy((r) => r(v)) } } const all = [Spy.all([1]), Spy.allSettled([1]), Spy.any([1]), Spy.race([1])]; const f = Spy.resolve(1).finally(() => {})",
      "got, all, f",
    ),
  ],
  [
    "thenables",
    waits(
      "const got = []; const t = { then(...both) { got.push(both) } }; const p = [Promise.resolve(t), (async () => t)(), (async () => { await t })(), Promise.all([t])]",
      "got, p",
    ),
  ],
  [
    "timers",
    waits(
      "const a = setTimeout((x) => x, 1e6, { n: 1 }); const b = setInterval(() => {}, 1e6); const s = new Promise((r) => setTimeout(r, 1e6))",
      "a, b, s",
    ),
  ],
  [
    "rejections",
    waits(
      "const p = Promise.reject(new TypeError('x')); const q = p.then(() => {}); q.catch(() => {}); const noted = (() => { try { throw { plain: 1 } } catch (e) { return e } })(); try { null.x } catch {}",
      "p, noted",
    ),
  ],
  [
    "half-used iterators",
    waits(
      "const iterators = [[1, 2, 3].values(), [1, 2].entries(), [1, 2].keys(), new Map([[1, 2], [3, 4]]).entries(), new Set([1, 2]).values(), 'abc'[Symbol.iterator](), 'a1b2'.matchAll(/[a-z](\\d)/g), new Uint8Array(3).values(), new URLSearchParams('a=1&b=2').entries(), new Intl.Segmenter('en', { granularity: 'word' }).segment('a b c')[Symbol.iterator]()]; for (const i of iterators) i.next(); const removed = new Set([1, 2, 3, 4]); const half = removed.values(); half.next(); removed.delete(1); removed.clear(); removed.add(5)",
      "iterators, half",
    ),
  ],
  [
    "iterator helpers",
    waits(
      "function* g() { yield* [1, 2, 3, 4, 5, 6] } const helpers = [g().map((x) => x), g().filter((x) => x), g().take(3), g().drop(1), g().flatMap((x) => [x, x]), Iterator.from({ next: () => ({ value: 1, done: false }) }), Iterator.concat?.([1, 2], [3]), Iterator.zip?.([[1, 2], [3, 4]]), Iterator.zipKeyed?.({ a: [1, 2], b: [3, 4] })].filter(Boolean); for (const h of helpers) h.next(); const wrapped = Iterator.from({ __proto__: null, next: () => ({ value: 1, done: false }) }); const fresh = g().map((x) => x).filter(Boolean).take(2)",
      "helpers, wrapped, fresh",
    ),
  ],
  [
    "inside a loop over a map",
    "const m = new Map([[1, { a: 1 }], [2, 3]]); for (const [k, v] of m) { await tools.wait({ k }); m.delete(k) } return 1",
  ],
  [
    "inside a loop over a generator",
    "function* g() { yield 1; yield 2 } for (const x of g()) { const [a, ...b] = g(); await tools.wait({ x }); a + b } return 1",
  ],
  ["inside for-in", "for (const k in { a: 1, b: 2, __proto__: { c: 3 } }) { await tools.wait({ k }) } return 1"],
  [
    "inside for await over a sync iterable",
    "function* g() { try { yield tools.wait({ n: 1 }); yield 2 } finally { } } for await (const x of g()) { await tools.wait({ x }) } return 1",
  ],
  ["inside for await over promises", "for await (const x of [1, tools.wait({ n: 1 })]) x; return 1"],
  [
    "inside try and finally",
    "try { try { throw new Error('a') } finally { await tools.wait({ n: 1 }) } } catch (e) { return e.message }",
  ],
  [
    "inside a destructuring",
    "const { a = await tools.wait({ n: 1 }), ...rest } = { b: 1 }, [c, ...d] = new Set([1, 2]); return [a, rest, c, d]",
  ],
  [
    "inside a template and a call",
    "const f = (...args) => args; return f(`a${await tools.wait({ n: 1 })}`, ...[1, 2])",
  ],
  [
    "Array.fromAsync",
    waits(
      "const never = new Promise(() => {}); async function* g() { yield 1; yield never } const made = [Array.fromAsync(g()), Array.fromAsync([1, never]), Array.fromAsync({ length: 2, 0: 1, 1: never }), Array.fromAsync([1, 2], async () => never), Array.fromAsync(new Set([never]), (x) => x)]",
      "made",
    ),
  ],
  [
    "disposal",
    waits(
      "const stack = new DisposableStack(); stack.use({ [Symbol.dispose]() {} }); stack.defer(() => {}); stack.adopt(1, () => {}); const never = new Promise(() => {}); const later = new AsyncDisposableStack(); later.use({ async [Symbol.asyncDispose]() { await never } }); later.adopt(1, async () => never); later.defer(() => {}); const moved = later.move(); const disposing = moved.disposeAsync(); const kept = new AsyncDisposableStack(); kept.use(null); kept.use({ [Symbol.dispose]() {} })",
      "stack, disposing, kept",
    ),
  ],
  [
    "inside await using",
    "const r = (n) => ({ async [Symbol.asyncDispose]() { await tools.wait({ n }) } }); { using s = { [Symbol.dispose]() {} }; await using a = r(1); await using b = r(2); a + b } return 1",
  ],
  [
    "inside a block that holds resources",
    "{ using s = { [Symbol.dispose]() {} }; await using a = { [Symbol.asyncDispose]() {} }; await tools.wait({ n: 1 }) } return 1",
  ],
  [
    "collections",
    waits(
      "const k = {}; const c = [new Map([[k, 1], ['long'.repeat(5000), 2], [NaN, 3], [2n ** 100n, 4]]), new Set([k, -0]), new WeakMap([[k, { v: k }]]), new WeakSet([k])]",
      "c, k",
    ),
  ],
  [
    "bytes",
    waits(
      "const b = new ArrayBuffer(8, { maxByteLength: 16 }); const views = [new Uint8Array(b, 1, 2), new Float64Array(b), new DataView(b), new BigInt64Array(1), new Uint8ClampedArray([300])]; const moved = new ArrayBuffer(4); moved.transfer?.()",
      "views, moved",
    ),
  ],
  [
    "objects of all kinds",
    waits(
      "const all = [new Date(0), /a(?<n>b)/dgu, Object(1n), Object(Symbol('s')), Object('text'), new Error('e', { cause: { deep: 1 } }), new AggregateError([1]), [1, , 3], Object.freeze([1]), Object.assign([], { x: 1 }), new Proxy({}, { get: () => 1 }), new Proxy(() => {}, {}), Proxy.revocable({}, {}), JSON.rawJSON?.('1'), Symbol.for('shared'), (function () { return arguments })(1, 2), { __proto__: null, [Symbol.iterator]: 1, 5: 2 }, globalThis, Math, new URL('https://a.b/c?d#e'), new URLSearchParams('a=b'), new TextEncoder(), new TextDecoder(), String.raw`a${1}`, ((s) => s)`x${1}\\u0041`]; const many = {}; for (let i = 0; i < 200; i++) many['k' + i] = i; for (let i = 0; i < 150; i++) delete many['k' + i]; all[1].exec('ab')",
      "all, many",
    ),
  ],
  [
    "formatters",
    waits(
      "const f = [new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }), new Intl.DateTimeFormat('en', { dateStyle: 'full' }), new Intl.ListFormat('en'), new Intl.PluralRules('en'), new Intl.RelativeTimeFormat('en'), new Intl.Collator('de'), new Intl.Segmenter('en'), typeof Intl.Locale]; f[0].format(1); f[1].format(0); f[5].compare('a', 'b'); const got = [f[0].format, f[1].format, f[5].compare]; (1234.5).toLocaleString(); new Date(0).toLocaleString(); new Date(2024, 1, 1).toString(); ['b', 'a'].sort(f[5].compare); 'a'.localeCompare('b')",
      "f, got",
    ),
  ],
  [
    "everything there is",
    waits(
      "const all = [...Reflect.ownKeys(globalThis)].map((k) => globalThis[k]); console.log('x'); console.time('t'); console.count(); console.group('g')",
      "all",
    ),
  ],
  [
    "tools",
    waits(
      "const seen = [tools, tools.a, tools.a.b, tools.a.b.c, tools['d-e'], Object.keys(tools)]; const missing = (() => { try { tools.nope() } catch (e) { return e } })()",
      "seen, missing",
    ),
  ],
  ["a result on its way", "return { then(resolve) { tools.wait({ n: 1 }).then(resolve) } }"],
  ["a program that is a function", "async () => { await tools.wait({ n: 1 }); return 1 }"],
]
