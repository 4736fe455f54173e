/** Something that one run may leave behind, or do meanwhile, and that another one would notice. */
export interface Between {
  readonly name: string
  readonly tries: string
  /** What the first run does. It calls `await tools.pause({})` where the second one is run in its midst. */
  readonly first: string
  /** What the second run gives: what it sees of the first one's doing. */
  readonly second: string
  /**
   * Whether the same in one program is noticed, which shows that the second part would see what it looks for. Not where the end of
   * the first run is what matters.
   */
  readonly noticed?: false
}

const between = (name: string, tries: string, first: string, second: string, noticed?: false): Between => ({
  name,
  tries,
  first,
  second,
  ...noticed === undefined ? undefined : { noticed },
})

/** Changes of one built-in object each, by methods, properties, prototypes and attributes. */
const intrinsics: ReadonlyArray<readonly [what: string, expression: string]> = [
  ["Object.prototype", "Object.prototype"],
  ["Array.prototype", "Array.prototype"],
  ["Function.prototype", "Object.getPrototypeOf(() => {})"],
  ["String.prototype", "String.prototype"],
  ["Number.prototype", "Number.prototype"],
  ["Promise.prototype", "Promise.prototype"],
  ["Map.prototype", "Map.prototype"],
  ["RegExp.prototype", "RegExp.prototype"],
  ["Date.prototype", "Date.prototype"],
  ["Error.prototype", "Error.prototype"],
  ["Symbol.prototype", "Symbol.prototype"],
  ["the prototype of typed arrays", "Object.getPrototypeOf(Uint8Array.prototype)"],
  ["the prototype of iterators", "Iterator.prototype"],
  ["the prototype of generators", "Object.getPrototypeOf(function* () {}).prototype"],
  ["the prototype of async generators", "Object.getPrototypeOf(async function* () {}).prototype"],
  ["Math", "Math"],
  ["JSON", "JSON"],
  ["Reflect", "Reflect"],
  ["Intl", "Intl"],
  ["console", "console"],
  ["Promise", "Promise"],
  ["Symbol", "Symbol"],
]

const pollution = intrinsics.map(([what, expression]) =>
  between(
    `changes of ${what}`,
    "A built-in that one run changes is that of all runs.",
    `const o = ${expression}
const names = Reflect.ownKeys(o).filter((key) => { const d = Object.getOwnPropertyDescriptor(o, key); return typeof d.value === "function" && d.writable })
o.left = "left"
for (const name of names.slice(0, 3)) o[name] = function changed() { return "changed" }
if (o !== Object.prototype) Object.setPrototypeOf(o, { inherited: "left" })
Object.defineProperty(o, "hidden", { value: "left" })
await tools.pause({})`,
    `const o = ${expression}, proto = Object.getPrototypeOf(o)
return [o.left, o.hidden, o.inherited, Object.isExtensible(o), proto === null ? null : Reflect.ownKeys(proto).length,
  Reflect.ownKeys(o).map((key) => { const d = Object.getOwnPropertyDescriptor(o, key); return [String(key), d.enumerable, d.configurable, typeof d.value, d.value?.name] })]`,
  )
)

const leftovers: ReadonlyArray<Between> = [
  between(
    "global variables",
    "A name that one run sets on the global object is there in the next.",
    "globalThis.left = 1; globalThis[Symbol.for('left')] = 2; Object.defineProperty(globalThis, 'fixed', { value: 3 }); var declared = 4; await tools.pause({})",
    "return [globalThis.left, globalThis[Symbol.for('left')], globalThis.fixed, Object.keys(globalThis).length, 'left' in globalThis, Object.getOwnPropertySymbols(globalThis).length]",
  ),
  between(
    "global functions replaced",
    "What one run puts in the place of a global is called by the next.",
    "globalThis.parseInt = () => 7; globalThis.Map = class {}; globalThis.setTimeout = (f) => f(); delete globalThis.structuredClone; await tools.pause({})",
    "return [parseInt('1'), Map.name, new Map([[1, 2]]).size, typeof structuredClone, setTimeout.name]",
  ),
  between(
    "registered symbols",
    "The registry of `Symbol.for` is one for all, and a symbol carries what is attached to it.",
    "globalThis.made = Symbol.for('shared'); new WeakMap(); await tools.pause({})",
    "return [globalThis.made === Symbol.for('shared'), Symbol.keyFor(Symbol.for('shared'))]",
  ),
  between(
    "well-known symbols",
    "Symbols that all runs have alike hold something of one run's.",
    "const weak = new WeakMap(); Symbol.prototype.mark = 'left'; Object.defineProperty(Symbol, 'iterator2', { value: Symbol.iterator }); await tools.pause({})",
    "return [Symbol.iterator.mark, Symbol.iterator2 === undefined, String(Symbol.iterator), Symbol.iterator.description]",
  ),
  between(
    "the strings of a tagged template",
    "The object of a template is kept by the program's text, with what one run put on it.",
    "const kept = []; const f = (s) => { kept.push(s); return s }; f`a${1}`; try { kept[0].left = 1 } catch {}; globalThis.template = kept[0]; await tools.pause({})",
    "const f = (s) => s; const s = f`a${1}`; return [s.left, Object.isFrozen(s), globalThis.template === undefined, s]",
  ),
  between(
    "shapes of objects",
    "Layouts that one run's objects led to decide the order or the attributes of another's.",
    "for (let i = 0; i < 300; i++) { const o = { b: 1, a: 2 }; o['k' + i] = i; Object.defineProperty(o, 'b', { enumerable: false }); Object.freeze(o) } class A { x = 1; #y = 2 } new A(); globalThis.Shaped = A; await tools.pause({})",
    "const o = { b: 1, a: 2 }; o.k0 = 1; return [Object.keys(o), Object.getOwnPropertyDescriptor(o, 'b').enumerable, Object.isFrozen(o), typeof Shaped]",
  ),
  between(
    "patterns and their positions",
    "A pattern that is compiled once keeps where the last match was.",
    "const r = /a/g; r.exec('aaa'); r.exec('aaa'); r.left = 1; globalThis.pattern = r; await tools.pause({})",
    "const r = /a/g; const m = r.exec('aaa'); return [m.index, r.lastIndex, r.left, typeof pattern]",
  ),
  between(
    "what was matched last",
    "Statics of `RegExp` hold a text of another run's.",
    "/(secret)/.exec('a secret'); RegExp.$1 = 'secret'; await tools.pause({})",
    "return [RegExp.$1, RegExp.lastMatch, RegExp.input, Object.keys(RegExp)]",
  ),
  between(
    "formatters",
    "A formatter that is kept for its options has been changed by another run.",
    "const f = new Intl.NumberFormat('de'); f.left = 1; Object.defineProperty(Intl.NumberFormat.prototype, 'format', { get: () => () => 'x' }); f.format(1); (1).toLocaleString('de'); await tools.pause({})",
    "const f = new Intl.NumberFormat('de'); return [f.left, f.format(1234.5), (1234.5).toLocaleString('de'), new Date(0).toLocaleDateString('de')]",
  ),
  between(
    "counters, timers and groups of the console",
    "The console goes on where another run stopped.",
    "console.count('x'); console.count('x'); console.group('g'); console.time('t'); console.countReset('y'); await tools.pause({})",
    "console.count('x'); console.log('line'); console.timeEnd('t'); return 1",
    false,
  ),
  between(
    "the random source",
    "Where one run stops in the row of random numbers is where the next begins.",
    "for (let i = 0; i < 100; i++) Math.random(); crypto.getRandomValues(new Uint8Array(9)); crypto.randomUUID(); await tools.pause({})",
    "return [Math.random(), Math.random()].map((x) => x >= 0 && x < 1)",
    false,
  ),
  between(
    "the time since the start",
    "A run's clock begins where the process's or another run's did, and tells how long they have been there.",
    "performance.now(); await tools.pause({})",
    "return [performance.now() < 5000, performance.timeOrigin === undefined]",
    false,
  ),
  between(
    "timers that were not cleared",
    "A timer of a run that is over goes off in the next.",
    "globalThis.fired = 0; setInterval(() => { globalThis.fired++; console.log('fired') }, 1); setTimeout(() => { throw 1 }, 2); await tools.pause({})",
    "await new Promise((resolve) => setTimeout(resolve, 10)); return [typeof fired, setTimeout(() => {}, 0)]",
    false,
  ),
  between(
    "calls that are not over",
    "The answer of a call of one run comes to another one's call of the same number.",
    "tools.slow({ of: 'first' }); await tools.pause({})",
    "return [await tools.slow({ of: 'second' }), await tools.echo({ of: 'second' })]",
    false,
  ),
  between(
    "promises that wait",
    "A job of one run is done in the midst of another.",
    "const wait = async () => { for (let i = 0; i < 50; i++) { await null; globalThis.jobs = i } }; wait(); await tools.pause({}); wait()",
    "const seen = []; for (let i = 0; i < 20; i++) { await null; seen.push(typeof jobs) } return [...new Set(seen)]",
  ),
  between(
    "the tools' own objects",
    "The namespaces of the tools are made once for all runs.",
    "for (const change of [() => { tools.left = 1 }, () => { tools.echo.left = 1 }, () => Object.setPrototypeOf(tools, {}), () => { Object.getPrototypeOf(tools.echo).left = 2 }]) { try { change() } catch {} } tools.nope; await tools.nope.nope({}).catch(() => {}); await tools.pause({})",
    "return [tools.left, tools.echo.left, Object.keys(tools), typeof tools.nope, Object.getPrototypeOf(tools) === Object.prototype]",
  ),
  between(
    "the host's own values",
    "A value that all runs read by name is changed by one.",
    "for (const change of [() => { settings.list.push(1) }, () => { settings.a.b = 2 }, () => { delete settings.a }, () => { globalThis.settings = 1 }, () => Object.setPrototypeOf(settings, { x: 1 })]) { try { change() } catch {} } Array.prototype.left = 1; await tools.pause({})",
    "return [settings, settings.x, settings.list.left, Object.isFrozen(settings.a)]",
  ),
  between(
    "what a tool gave",
    "The result of a call is the host's own object, and the next run gets it as this one left it.",
    "const r = await tools.same({}); r.list.push('left'); r.a.left = 1; delete r.a.b; Object.defineProperty(r, 'a', { get: () => 1 }); await tools.pause({})",
    "return await tools.same({})",
    false,
  ),
  between(
    "what search found",
    "The result of a search is made once for all runs.",
    "const r = await search({ query: 'echo' }); for (const key of Object.keys(r)) { try { r[key] = 'left' } catch {} } await tools.pause({})",
    "return JSON.stringify(await search({ query: 'echo' }))",
    false,
  ),
  between(
    "a run that failed",
    "What an error interrupted is not put back.",
    "Object.prototype.left = 1; await tools.pause({}); const f = () => f(); [1].map(() => { JSON.stringify({ toJSON() { throw new Error('x') } }) })",
    "return [{}.left, JSON.stringify({ a: [1, { b: 2 }] }), [1].map((x) => x + 1)]",
    false,
  ),
  between(
    "a run that was ended",
    "A meter ended a run in the midst of a built-in, whose state stays as it was.",
    "await tools.pause({}); const o = { toJSON() { for (;;); } }; [3, 1, 2].sort(() => JSON.stringify([[o]]))",
    "return [JSON.stringify({ a: [[]] }), [3, 1, 2].sort(), [[1, [2]]].toString(), String([1, [2, 3]])]",
    false,
  ),
  between(
    "an array that contains itself",
    "The list of arrays that are being joined is one for all runs.",
    "const a = [1]; a.push(a); a.push({ toString() { throw 1 } }); try { String(a) } catch {} globalThis.cyclic = a; await tools.pause({})",
    "const a = [1]; a.push(a); return [String(a), typeof cyclic]",
  ),
  between(
    "the depth of calls",
    "The stack that one run fills is the other's as well.",
    "let depth = 0; const down = async () => { depth++; if (depth < 500) await down(); else await tools.pause({}) }; await down(); const f = () => f(); try { f() } catch {}",
    "let depth = 0; const f = () => { depth++; f() }; try { f() } catch {} return depth",
    false,
  ),
  between(
    "fuel and memory",
    "What one run uses is taken from the other's.",
    "globalThis.held = []; for (let i = 0; i < 1000; i++) held.push(new Array(100).fill(i)); await tools.pause({}); for (let i = 0; i < 20000; i++);",
    "const held = []; for (let i = 0; i < 1000; i++) held.push(new Array(100).fill(i)); let n = 0; for (let i = 0; i < 20000; i++) n++; return [held.length, n]",
    false,
  ),
  between(
    "the calls of a run",
    "The number of calls is counted for all runs together.",
    "for (let i = 0; i < 15; i++) await tools.echo({ i }); await tools.pause({})",
    "let n = 0; for (let i = 0; i < 15; i++) { await tools.echo({ i }); n++ } return n",
    false,
  ),
  between(
    "weak references to what all have",
    "A weak table keyed by something that runs share tells one run of the other.",
    "const w = new WeakMap(), s = new WeakSet(); for (const key of [Object, Array.prototype, tools, tools.echo, globalThis, Math]) { w.set(key, 1); s.add(key) } globalThis.weak = w; await tools.pause({})",
    "return [typeof weak, new WeakMap().has(Object), new WeakSet().has(tools)]",
  ),
  between(
    "private names of a class",
    "The same text gives the same private names in all runs.",
    "class A { #x = 1; static has(o) { return #x in o } } globalThis.A = A; globalThis.a = new A(); await tools.pause({})",
    "class A { #x = 1; static has(o) { return #x in o } } return [A.has(new A()), typeof globalThis.A, typeof globalThis.a]",
  ),
  between(
    "another locale and zone",
    "A run's choice of language or place becomes the default.",
    "Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, { construct: (t, [l, o]) => new t('fr', o) }); Date.prototype.getTimezoneOffset = () => 90; await tools.pause({})",
    "return [new Intl.DateTimeFormat().resolvedOptions().locale, new Date(0).getTimezoneOffset(), new Date(0).toString()]",
  ),
]

/** Pairs of runs of one runtime, of which the second must be as if the first had never been. */
export const betweenRuns: ReadonlyArray<Between> = [...pollution, ...leftovers]
