/**
 * What races whom. Each program starts activities that log at each of their steps; the log tells in which order jobs ran. `ticks`
 * is a ruler beside them: it logs once a turn of the job queue.
 */
export const prelude = `
const lines = []
const show = (value) => value instanceof Error ? value.name + "(" + value.message + ")" : typeof value === "string" ? value : value === undefined ? "undefined" : JSON.stringify(value)
const log = (...values) => void lines.push(values.map(show).join(" "))
const ticks = async (n, name = "tick") => { for (let i = 1; i <= n; i++) { await null; log(name + i) } }
const thenable = (value, name = "then") => ({ then(resolve) { log(name); resolve(value) } })
const failing = (reason) => ({ then(_resolve, reject) { log("then"); reject(reason) } })
const later = (value, n) => { let p = Promise.resolve(); while (n-- > 0) p = p.then(() => {}); return p.then(() => value) }
const settled = (promise, name) => promise.then((v) => log(name, "ok", v), (e) => log(name, "no", e))
`

export const interleavings: ReadonlyArray<readonly [name: string, code: string]> = [
  // await
  [
    "await a value",
    "const f = async () => { log('a', await 1); log('b', await undefined) }; await Promise.all([f(), ticks(4)])",
  ],
  [
    "await a fulfilled promise",
    "const f = async () => { log(await Promise.resolve('p')); log(await Promise.resolve('q')) }; await Promise.all([f(), ticks(4)])",
  ],
  [
    "await a rejected promise",
    "const f = async () => { try { await Promise.reject('r') } catch (e) { log('caught', e) } }; await Promise.all([f(), ticks(4)])",
  ],
  [
    "await a pending promise",
    "let go; const p = new Promise((r) => { go = r }); const f = async () => log(await p); const g = async () => { await null; log('go'); go('v'); log('gone') }; await Promise.all([f(), g(), ticks(5)])",
  ],
  [
    "await a thenable",
    "const f = async () => { log(await thenable('t')); log('after') }; await Promise.all([f(), ticks(5)])",
  ],
  [
    "await a failing thenable",
    "const f = async () => { try { await failing('x') } catch (e) { log('caught', e) } }; await Promise.all([f(), ticks(5)])",
  ],
  [
    "await a thenable of a thenable",
    "const f = async () => log(await thenable(thenable('inner', 'second'), 'first')); await Promise.all([f(), ticks(6)])",
  ],
  [
    "await a thenable of a promise",
    "const f = async () => log(await thenable(Promise.resolve('p'))); await Promise.all([f(), ticks(7)])",
  ],
  [
    "await a promise of a subclass",
    "class Sub extends Promise {}; const f = async () => log(await Sub.resolve('s')); await Promise.all([f(), ticks(6)])",
  ],
  [
    "await a promise with another constructor",
    "const p = Promise.resolve('p'); p.constructor = Object; const f = async () => log(await p); await Promise.all([f(), ticks(6)])",
  ],
  [
    "await a promise with its own then",
    "const p = Promise.resolve('p'); p.then = function (...args) { log('own then'); return Promise.prototype.then.apply(this, args) }; const f = async () => log(await p); await Promise.all([f(), ticks(5)])",
  ],
  [
    "await an object whose then is a getter",
    "const o = { get then() { log('get'); return (r) => { log('call'); r('v') } } }; const f = async () => log(await o); await Promise.all([f(), ticks(5)])",
  ],
  [
    "await an object whose then throws",
    "const o = { get then() { throw new Error('getter') } }; const f = async () => { try { await o } catch (e) { log(e) } }; await Promise.all([f(), ticks(5)])",
  ],
  [
    "two functions in step",
    "const f = async (n) => { for (let i = 0; i < 3; i++) { log(n + i); await null } }; await Promise.all([f('a'), f('b')])",
  ],
  [
    "await in arguments and operators",
    "const v = async (x) => { log('start', x); await null; log('end', x); return x }; log((await v(1)) + (await v(2)), [await v(3), await v(4)])",
  ],
  [
    "await in finally",
    "const f = async () => { try { log('try'); return 'value' } finally { log('finally'); await null; log('finally 2') } }; await Promise.all([f().then(log), ticks(5)])",
  ],
  [
    "await in catch and again",
    "const f = async () => { for (const x of [1, 2]) try { await Promise.reject(x) } catch (e) { await null; log('c', e); continue } finally { await null; log('f', x) } }; await Promise.all([f(), ticks(8)])",
  ],
  [
    "await in a loop's condition",
    "let n = 0; const more = async () => ++n < 4; const f = async () => { while (await more()) log('n', n) }; await Promise.all([f(), ticks(8)])",
  ],

  // what async functions give
  ["return a value", "const f = async () => 'v'; await Promise.all([f().then(log), ticks(3)])"],
  ["return a promise", "const f = async () => Promise.resolve('p'); await Promise.all([f().then(log), ticks(5)])"],
  [
    "return an awaited promise",
    "const f = async () => await Promise.resolve('p'); await Promise.all([f().then(log), ticks(5)])",
  ],
  ["return a thenable", "const f = async () => thenable('t'); await Promise.all([f().then(log), ticks(5)])"],
  ["throw at once", "const f = async () => { throw 'x' }; await Promise.all([settled(f(), 'f'), ticks(3)])"],
  [
    "throw after an await",
    "const f = async () => { await null; throw 'x' }; await Promise.all([settled(f(), 'f'), ticks(4)])",
  ],
  [
    "throw in a default parameter",
    "const f = async (a = (() => { throw 'x' })()) => {}; await Promise.all([settled(f(), 'f'), ticks(3)])",
  ],
  [
    "functions through functions",
    "const f = async (n) => n === 0 ? 'end' : f(n - 1); const g = async (n) => n === 0 ? 'end' : await g(n - 1); await Promise.all([f(3).then((v) => log('f', v)), g(3).then((v) => log('g', v)), ticks(14)])",
  ],

  // then
  [
    "chains side by side",
    "const p = Promise.resolve(); const chain = (n) => p.then(() => log(n + 1)).then(() => log(n + 2)).then(() => log(n + 3)); await Promise.all([chain('a'), chain('b'), chain('c')])",
  ],
  [
    "many reactions of one promise",
    "let go; const p = new Promise((r) => { go = r }); p.then(() => log(1)); p.then(() => { log(2); p.then(() => log('late')) }); p.then(() => log(3)); p.catch(() => {}).then(() => log('c')); go(); await ticks(4)",
  ],
  ["then that returns a promise", "Promise.resolve().then(() => Promise.resolve('inner')).then(log); await ticks(6)"],
  ["then that returns a thenable", "Promise.resolve().then(() => thenable('inner')).then(log); await ticks(6)"],
  [
    "then that throws",
    "Promise.resolve().then(() => { throw 'x' }).then(() => log('no'), (e) => { log('e', e); return 1 }).then((v) => log('v', v)); await ticks(6)",
  ],
  [
    "then that returns itself",
    "const p = Promise.resolve().then(() => p); await Promise.all([settled(p, 'p'), ticks(5)])",
  ],
  [
    "rejections pass through",
    "const p = Promise.reject('r'); p.then(() => log('a')).then(() => log('b')).catch((e) => log('c', e)).finally(() => log('d')); p.catch(() => log('near')); await ticks(7)",
  ],
  ["finally in a chain", "Promise.resolve('v').finally(() => log('f')).then((v) => log('after', v)); await ticks(7)"],
  [
    "finally that waits",
    "Promise.resolve('v').finally(() => later('x', 2)).then((v) => log('after', v)); await ticks(10)",
  ],
  ["finally that throws", "settled(Promise.resolve('v').finally(() => { throw 'x' }), 'f'); await ticks(7)"],
  ["finally of a rejection", "settled(Promise.reject('r').finally(() => log('f')), 'r'); await ticks(7)"],
  [
    "a subclass in a chain",
    "class Sub extends Promise { constructor(e) { super(e); log('new') } }; Sub.resolve(1).then((v) => log('then', v)).finally(() => log('f')).then(() => log('end')); await ticks(8)",
  ],
  [
    "resolve with a promise, then reject",
    "const p = new Promise((resolve, reject) => { resolve(later('l', 1)); reject('no') }); settled(p, 'p'); await ticks(7)",
  ],
  [
    "resolve later with a pending promise",
    "let go; const inner = new Promise((r) => { go = r }); const p = new Promise((r) => r(inner)); p.then((v) => log('p', v)); inner.then((v) => log('inner', v)); await ticks(2); go('x'); await ticks(5, 'u')",
  ],
  [
    "a thenable that resolves twice and throws",
    "const t = { then(a, b) { a('first'); a('second'); b('third'); throw 'fourth' } }; settled(Promise.resolve(t), 't'); await ticks(4)",
  ],
  ["a thenable that throws", "settled(Promise.resolve({ then() { throw 'thrown' } }), 't'); await ticks(4)"],
  [
    "a thenable that resolves later",
    "const t = { then(r) { queueMicrotask(() => { log('now'); r('v') }) } }; settled(Promise.resolve(t), 't'); await ticks(5)",
  ],
  [
    "the order of thenable jobs",
    "for (const n of ['a', 'b']) new Promise((r) => r(thenable(n, 'job ' + n))).then(log); Promise.resolve().then(() => log('between')); await ticks(5)",
  ],

  // jobs
  [
    "microtasks between reactions",
    "queueMicrotask(() => { log('m1'); queueMicrotask(() => log('m3')) }); Promise.resolve().then(() => log('p1')).then(() => log('p2')); queueMicrotask(() => log('m2')); await ticks(4)",
  ],
  [
    "timers after all jobs",
    "setTimeout(() => log('timer'), 0); const f = async () => { for (let i = 0; i < 10; i++) await null; log('jobs') }; f(); await new Promise((r) => setTimeout(r, 20)); log('end')",
  ],
  [
    "jobs between timers",
    "setTimeout(() => { log('t1'); Promise.resolve().then(() => log('job of t1')) }, 1); setTimeout(() => log('t2'), 15); await new Promise((r) => setTimeout(r, 40)); log('end')",
  ],
  [
    "timers in order of their time",
    "setTimeout(() => log('b'), 30); setTimeout(() => log('a'), 5); await new Promise((r) => setTimeout(r, 60)); log('end')",
  ],
  [
    "a cleared timer",
    "const id = setTimeout(() => log('never'), 1); setTimeout(() => clearTimeout(other), 1); const other = setTimeout(() => log('never either'), 30); clearTimeout(id); await new Promise((r) => setTimeout(r, 50)); log('end')",
  ],
  [
    "an interval",
    "let n = 0; await new Promise((r) => { const id = setInterval(() => { log('i', ++n); Promise.resolve().then(() => log('job', n)); if (n === 3) { clearInterval(id); r() } }, 5) }); log('end')",
  ],

  // combinators
  [
    "all of a mixture",
    "Promise.all([1, Promise.resolve(2), thenable(3), later(4, 2)]).then((v) => log('all', v)); await ticks(9)",
  ],
  [
    "all of nothing",
    "Promise.all([]).then((v) => log('all', v)); Promise.allSettled([]).then((v) => log('settled', v)); await ticks(4)",
  ],
  [
    "all with a rejection",
    "settled(Promise.all([later(1, 4), Promise.reject('r'), Promise.reject('s')]), 'all'); await ticks(6)",
  ],
  [
    "allSettled",
    "Promise.allSettled([later(1, 2), Promise.reject('r'), failing('f')]).then((v) => log(v)); await ticks(8)",
  ],
  [
    "any",
    "Promise.any([Promise.reject('r'), later('l', 2), later('m', 1)]).then((v) => log('any', v)); await ticks(8)",
  ],
  [
    "any of rejections",
    "Promise.any([Promise.reject('r'), failing('f')]).catch((e) => log(e.name, e.errors)); await ticks(8)",
  ],
  ["race", "Promise.race([later('l', 1), Promise.resolve('p'), 'v']).then((v) => log('race', v)); await ticks(6)"],
  [
    "race of a thenable and a promise",
    "Promise.race([thenable('t'), later('l', 1)]).then((v) => log('race', v)); await ticks(6)",
  ],
  ["all in all", "Promise.all([Promise.all([1, 2]), Promise.race([3, 4])]).then((v) => log(v)); await ticks(9)"],
  [
    "combinators call then in order",
    "const spy = (n) => ({ then(r) { log('then', n); r(n) } }); Promise.all([spy(1), spy(2)]); Promise.race([spy(3), spy(4)]); Promise.allSettled([spy(5)]); Promise.any([spy(6)]); await ticks(4)",
  ],

  // generators that wait
  [
    "an async generator, step by step",
    "async function* g() { log('start'); yield 1; log('between'); yield Promise.resolve(2); log('end') }; const i = g(); const f = async () => { for (;;) { const r = await i.next(); log(r); if (r.done) break } }; await Promise.all([f(), ticks(12)])",
  ],
  [
    "queued requests",
    "async function* g() { log('a'); const x = yield 1; log('b', x); const y = yield 2; log('c', y); return 3 }; const i = g(); for (const n of [0, 1, 2, 3, 4]) i.next('n' + n).then((r) => log(n, r)); log('queued'); await ticks(12)",
  ],
  [
    "queued next, return, next",
    "async function* g() { try { yield 1; yield 2 } finally { log('f'); await null; log('g') } }; const i = g(); i.next().then(log); i.return('r').then(log); i.next().then(log); await ticks(12)",
  ],
  [
    "queued next, throw, next",
    "async function* g() { try { yield 1 } catch (e) { log('caught', e); yield 'c' } }; const i = g(); i.next().then(log); i.throw('t').then(log); i.next().then(log); i.throw('u').catch((e) => log('out', e)); await ticks(12)",
  ],
  [
    "return to a generator that did not start",
    "async function* g() { log('never') }; const i = g(); i.return(Promise.resolve('r')).then(log); i.next().then(log); await ticks(8)",
  ],
  [
    "return with a rejected promise",
    "async function* g() { yield 1 }; const i = g(); i.return(Promise.reject('r')).catch((e) => log('no', e)); i.next().then(log); await ticks(8)",
  ],
  [
    "throw to a generator that did not start",
    "async function* g() { log('never') }; const i = g(); settled(i.throw('t'), 't'); i.next().then(log); await ticks(6)",
  ],
  [
    "return to a finished generator",
    "async function* g() {}; const i = g(); await i.next(); i.return(later('r', 1)).then(log); i.return('s').then(log); i.next().then(log); i.throw('x').catch((e) => log('no', e)); await ticks(10)",
  ],
  [
    "return inside an async generator awaits",
    "async function* g() { return later('r', 2) }; g().next().then(log); await ticks(8)",
  ],
  [
    "return of a rejection inside is caught inside",
    "async function* g() { try { return Promise.reject('r') } catch (e) { log('caught', e); return 'x' } }; g().next().then(log); await ticks(8)",
  ],
  [
    "yield awaits",
    "async function* g() { yield later('y', 1); yield thenable('t') }; const i = g(); i.next().then(log); i.next().then(log); i.next().then(log); await ticks(12)",
  ],
  [
    "yield of a rejection throws inside",
    "async function* g() { try { yield Promise.reject('r') } catch (e) { log('caught', e); yield 'x' } }; const i = g(); i.next().then(log); i.next().then(log); await ticks(8)",
  ],
  [
    "a throw ends the generator",
    "async function* g() { yield 1; throw 'x' }; const i = g(); for (const n of [0, 1, 2]) settled(i.next(), n); await ticks(8)",
  ],
  [
    "return while suspended in try",
    "async function* g() { try { yield 1 } finally { yield 'f' } }; const i = g(); i.next().then(log); i.return('r').then(log); i.next().then(log); i.next().then(log); await ticks(12)",
  ],
  [
    "return of a rejection while suspended",
    "async function* g() { try { yield 1 } catch (e) { log('caught', e) } finally { log('f') } }; const i = g(); await i.next(); settled(i.return(Promise.reject('r')), 'ret'); await ticks(8)",
  ],
  [
    "yield* of an async generator",
    "async function* h() { yield 1; yield 2; return 'h' }; async function* g() { log(yield* h()) }; const i = g(); for (const n of [0, 1, 2]) i.next().then((r) => log(n, r)); await ticks(16)",
  ],
  [
    "yield* of a sync iterable",
    "async function* g() { log(yield* [1, Promise.resolve(2)]) }; const i = g(); for (const n of [0, 1, 2]) i.next().then((r) => log(n, r)); await ticks(16)",
  ],
  [
    "yield* of a sync generator that returns",
    "function* h() { yield 1; return Promise.resolve('r') }; async function* g() { log('got', yield* h()) }; const i = g(); for (const n of [0, 1]) i.next().then((r) => log(n, r)); await ticks(14)",
  ],
  [
    "return through yield*",
    "async function* h() { try { yield 1 } finally { log('h'); await null } }; async function* g() { try { yield* h() } finally { log('g') } }; const i = g(); await i.next(); i.return('r').then(log); await ticks(14)",
  ],
  [
    "throw through yield*",
    "async function* h() { try { yield 1 } catch (e) { log('h', e); yield 2 } }; async function* g() { yield* h() }; const i = g(); await i.next(); i.throw('t').then(log); i.next().then(log); await ticks(16)",
  ],
  [
    "throw through yield* to an iterator without throw",
    "const it = { [Symbol.asyncIterator]() { return this }, next: () => ({ value: 1, done: false }), return() { log('return'); return {} } }; async function* g() { yield* it }; const i = g(); await i.next(); settled(i.throw('t'), 't'); await ticks(10)",
  ],
  [
    "next from inside the generator",
    "let i; async function* g() { i.next().then((r) => log('inner', r)); yield 1; yield 2 }; i = g(); i.next().then((r) => log('outer', r)); await ticks(8)",
  ],

  // for await
  [
    "for await over values",
    "const f = async () => { for await (const x of [1, Promise.resolve(2), thenable(3)]) log(x) }; await Promise.all([f(), ticks(14)])",
  ],
  [
    "for await over an async generator",
    "async function* g() { yield 1; yield 2 }; const f = async () => { for await (const x of g()) log(x); log('end') }; await Promise.all([f(), ticks(12)])",
  ],
  [
    "for await that breaks",
    "async function* g() { try { yield 1; yield 2 } finally { log('f'); await null; log('g') } }; const f = async () => { for await (const x of g()) { log(x); break } log('end') }; await Promise.all([f(), ticks(14)])",
  ],
  [
    "for await that throws",
    "async function* g() { try { yield 1 } finally { await null; log('closed') } }; const f = async () => { for await (const x of g()) throw x }; await Promise.all([settled(f(), 'f'), ticks(14)])",
  ],
  [
    "for await over an iterator of our own",
    "const it = { n: 0, [Symbol.asyncIterator]() { return this }, next() { log('next'); return { value: this.n, done: this.n++ > 1 } }, return() { log('return'); return {} } }; const f = async () => { for await (const x of it) log(x) }; await Promise.all([f(), ticks(8)])",
  ],
  [
    "for await that breaks from a sync iterator",
    "const it = { [Symbol.iterator]() { return { next: () => ({ value: Promise.resolve('v'), done: false }), return() { log('return'); return { value: later('x', 1) } } } } }; const f = async () => { for await (const x of it) { log(x); break } log('end') }; await Promise.all([f(), ticks(12)])",
  ],
  [
    "two loops over one generator",
    "async function* g() { for (let i = 0; i < 6; i++) yield i }; const i = g(); const f = async (n) => { for await (const x of i) { log(n, x); if (x > 3) break } }; await Promise.all([f('a'), f('b'), ticks(20)])",
  ],
  [
    "a pipeline of async generators",
    "async function* source() { for (let i = 0; i < 3; i++) { log('s', i); yield i } }; async function* double(it) { for await (const x of it) { log('d', x); yield x * 2 } }; const f = async () => { for await (const x of double(source())) log('out', x) }; await Promise.all([f(), ticks(24)])",
  ],

  // everything at once
  [
    "many at once",
    "const work = async (n) => { log('w', n); await later(n, n); log('x', n); return n }; const p = Promise.all([3, 1, 2].map(work)); queueMicrotask(() => log('m')); p.then((v) => log(v)); Promise.race([work(5), work(4)]).then((v) => log('race', v)); await p; await ticks(10)",
  ],
  [
    "a lock",
    "let tail = Promise.resolve(); const lock = (fn) => { const run = tail.then(fn); tail = run.catch(() => {}); return run }; for (const n of [1, 2, 3]) settled(lock(async () => { log('in', n); await null; log('out', n); if (n === 2) throw 'two'; return n }), 'job ' + n); await ticks(24)",
  ],
  [
    "a queue of workers",
    "const items = [1, 2, 3, 4, 5]; const worker = async (name) => { while (items.length > 0) { const x = items.shift(); log(name, x); await later(null, x) } log(name, 'done') }; await Promise.all([worker('a'), worker('b')])",
  ],
  [
    "an error after a race",
    "const slow = later(null, 4).then(() => { throw 'slow' }); settled(Promise.race([slow, later('fast', 1)]), 'race'); settled(slow, 'slow'); await ticks(10)",
  ],
]

/** What the oldest supported host does not have, with the order that the specification gives. */
export const beyondHost: ReadonlyArray<readonly [name: string, code: string, expected: ReadonlyArray<string>]> = [
  [
    "for await over a rejection closes the sync iterator",
    "function* g() { try { yield Promise.reject('r') } finally { log('closed') } }; const f = async () => { for await (const x of g()) log(x) }; await Promise.all([settled(f(), 'f'), ticks(8)])",
    ["closed", "tick1", "tick2", "f no r", "tick3", "tick4", "tick5", "tick6", "tick7", "tick8"],
  ],
  [
    "await using disposes after an await of its own",
    "const r = (n) => ({ async [Symbol.asyncDispose]() { log('dispose', n); await null; log('disposed', n) } }); const f = async () => { await using a = r('a'); await using b = r('b'); log('body') }; await Promise.all([f().then(() => log('end')), ticks(7)])",
    [
      "body",
      "dispose b",
      "disposed b",
      "tick1",
      "dispose a",
      "tick2",
      "disposed a",
      "tick3",
      "tick4",
      "end",
      "tick5",
      "tick6",
      "tick7",
    ],
  ],
  [
    "await using of null waits once, using does not",
    "const f = async () => { { await using a = null; log('a') } log('after a'); { using b = null; log('b') } log('after b') }; await Promise.all([f(), ticks(3)])",
    ["a", "after a", "b", "after b", "tick1", "tick2", "tick3"],
  ],
  [
    "Promise.try",
    "Promise.try(() => { log('now'); return later('v', 1) }).then(log); settled(Promise.try(() => { throw 'x' }), 'x'); log('sync'); await ticks(6)",
    ["now", "sync", "x no x", "tick1", "tick2", "tick3", "v", "tick4", "tick5", "tick6"],
  ],
  [
    "Array.fromAsync",
    "Array.fromAsync([1, Promise.resolve(2)], async (x) => { log('map', x); return x * 2 }).then(log); await ticks(9)",
    ["tick1", "map 1", "tick2", "tick3", "tick4", "map 2", "tick5", "tick6", "tick7", "tick8", "[2,4]", "tick9"],
  ],
]
