// Programs that call everything there is with what it does not expect: coercions that change what is worked on, proxies, iterators
// that break, species, subclasses, buffers that shrink, callbacks that call back, and intrinsics that are not what they were.
import { reach } from "./intrinsics.ts"
import type { Random } from "./random.ts"

/** What programs work on, and what happens in the middle of it. It draws lots of its own, so that a run repeats itself. */
const prelude = (seed: number): string =>
  `${reach}
const { apply, construct, defineProperty } = Reflect, { imul } = Math
let s = ${seed}
const rnd = (n) => (s = (imul(s, 1103515245) + 12345) & 0x7fffffff) % n
const kept = [undefined, null, 0, -1, NaN, "", "abc", 5n, Symbol.iterator, [], {}]
const keep = (v) => { kept[rnd(24)] = v; return v }
const any = () => kept[rnd(kept.length)]
let a = [3, 1, 2, , 5], o = { x: 1, get y() { return act() }, set y(v) { act() }, z: [1, { w: 2 }] }
let buf = new ArrayBuffer(16, { maxByteLength: 64 }), ta = new Uint8Array(buf), fa = new Float64Array(4), dv = new DataView(buf)
let map = new Map([[1, "one"], [o, 2], ["k", []]]), set = new Set([1, o, "s"]), wm = new WeakMap([[o, 1]])
let re = /a(b)?|(?<n>c)/g, st = /b+/y, str = "abcabc", date = new Date(86400000), err = new TypeError("x", { cause: o })
let p = Promise.resolve(1), q = new Promise(() => {}), usp = new URLSearchParams("a=1&b=2"), url = new URL("http://a.b/c?d#e")
const Big = 2 ** 53 - 1
function* counting() { let n = 0; try { for (;;) { act(); yield n++ } } finally { act() } }
let gen = counting(), agen = (async function* () { for (;;) yield act() })(), it = [1, 2, 3].values().map((x) => { act(); return x })
let depth = 0
const acts = [
  () => a.length = rnd(8), () => a.push(any()), () => a.splice(rnd(3), rnd(3), any()), () => a.shift(), () => { a = [1, , any()] }, () => a.sort(() => rnd(3) - 1),
  () => defineProperty(a, rnd(4), { get: act, set: act, configurable: true }), () => { a[rnd(2000)] = any() }, () => a.reverse(), () => delete a[rnd(4)],
  () => buf.resize(rnd(65)), () => buf.transfer(rnd(32)), () => { buf = new ArrayBuffer(rnd(32), { maxByteLength: 64 }); ta = new Uint8Array(buf); dv = new DataView(buf) }, () => ta.fill(rnd(300)), () => ta.set(a), () => structuredClone(buf, { transfer: [buf] }),
  () => map.clear(), () => map.set(any(), any()), () => map.delete(1), () => set.clear(), () => set.add(any()), () => set.delete(any()),
  () => { throw any() }, () => { throw new RangeError("act") }, () => re.lastIndex = rnd(9) - 2, () => { re.lastIndex = { valueOf: act } }, () => re.exec(str), () => re.compile?.("(a|b)*", "g"),
  () => gen.next(any()), () => gen.return(any()), () => gen.throw(any()), () => agen.next(), () => agen.return(p), () => it.next(), () => it.return?.(),
  () => Object.setPrototypeOf(any(), any()), () => Object.freeze(any()), () => Object.preventExtensions(any()), () => Object.assign(any(), any()), () => { o = hot({}) }, () => { o.x = any() }, () => delete o.x, () => { o["k" + rnd(99)] = any() },
  () => usp.append("c", any()), () => usp.delete("a"), () => usp.sort(), () => url.search = any(), () => date.setTime(rnd(9) * 1e15), () => { p = Promise.reject(any()); p.catch(() => {}) }, () => { p.then = any() },
  () => queueMicrotask(act), () => setTimeout(act, rnd(3)), () => tools.echo({ a: any() }), () => console.log(any(), any()), () => keep(any), () => any()(any()), () => new (any())(any()), () => String(any()), () => any() + any(), () => [...any()], () => ({ ...any() }), () => JSON.stringify(any()), () => any().then(act, act), () => a.concat(any(), a), () => str = str.slice(1) + "b",
]
const act = () => { if (depth > 4) return rnd(5); depth++; try { return acts[rnd(acts.length)]() } finally { depth-- } }
const fn = function (...args) { keep(args[rnd(args.length + 1)]); if (rnd(3) === 0) act(); return rnd(4) ? any() : rnd(9) - 2 }
const ok = (v) => (...args) => { keep(args[0]); act(); return v }
const traps = ["get", "set", "has", "deleteProperty", "ownKeys", "getOwnPropertyDescriptor", "defineProperty", "getPrototypeOf", "setPrototypeOf", "isExtensible", "preventExtensions", "apply", "construct"]
const hot = (target) => {
  const handler = {}, odds = 1 + rnd(4)
  for (const trap of traps) {
    if (rnd(3) === 0) continue
    handler[trap] = (...args) => { keep(args[rnd(args.length)]); if (rnd(odds * 4) === 0) act(); return rnd(odds * 3) === 0 ? any() : Reflect[trap](...args) }
  }
  try { return new Proxy(target, rnd(9) ? handler : hot(handler)) } catch { return new Proxy(ok(target), handler) }
}
const bad = (v) => ({ valueOf() { act(); return v }, toString() { act(); return rnd(2) ? v : "1" }, ...(rnd(2) ? { [Symbol.toPrimitive](hint) { act(); return v } } : null), toJSON: rnd(2) ? ok(v) : undefined })
const iter = (n, v) => ({ [Symbol.iterator]() { act(); let i = 0; return { next() { if (rnd(4) === 0) act(); return rnd(9) ? { value: rnd(3) ? v : any(), get done() { return i++ >= n } } : any() }, return() { act(); if (rnd(3) === 0) throw any(); return rnd(2) ? {} : any() }, throw: any() } }, [Symbol.asyncIterator]: any() })
const like = (n, v) => ({ length: n, 0: v, get 1() { return act() }, set 1(w) { act() }, 2: any() })
const sub = (Base) => { const Sub = class extends Base { static get [Symbol.species]() { act(); return rnd(2) ? Base : rnd(2) ? any() : function () { return any() } } get length() { return act() } constructor(...args) { super(...args); if (rnd(3) === 0) act() } }; return keep(Sub) }
`

const primitives = [
  "undefined",
  "null",
  "true",
  "0",
  "(-0)",
  "1",
  "2",
  "(-1)",
  "0.5",
  "7",
  "1e3",
  "2 ** 31",
  "2 ** 32",
  "2 ** 53",
  "Big",
  "(-Infinity)",
  "Infinity",
  "NaN",
  "1e308",
  "5e-324",
  "1n",
  "(-1n)",
  "2n ** 64n",
  "2n ** 4000n",
  "\"\"",
  "\"a\"",
  "\"abc\"",
  "\"0\"",
  "\"-1\"",
  "\"\\ud800\"",
  "\"a\\u0301\".repeat(9)",
  "\"x\".repeat(3000)",
  "\"length\"",
  "\"constructor\"",
  "\"__proto__\"",
  "\"then\"",
  "\"en-US\"",
  "\"g\"",
  "\"(a+)+b\"",
  "\"%2\"",
  "\"UTC\"",
  "\"2020-01-01\"",
  "\"[1,{\\\"a\\\":2}]\"",
  "Symbol.iterator",
  "Symbol.toPrimitive",
  "Symbol.species",
  "Symbol()",
]

const things =
  "a o buf ta fa dv map set wm re st str date err p q usp url gen agen it fn act any kept globalThis tools console Math JSON Reflect Intl Array Map Promise RegExp Uint8Array Proxy Object Function.prototype Symbol.prototype Array.prototype"
    .split(" ")

const bases = "Array Map Set Promise RegExp Uint8Array Error Object ArrayBuffer Date Function.prototype.bind".split(" ")

const wellKnown =
  "iterator asyncIterator species toPrimitive toStringTag hasInstance isConcatSpreadable match matchAll replace search split unscopables dispose asyncDispose"
    .split(" ").map((name) => `Symbol.${name}`)

const names =
  "length constructor __proto__ prototype then next return throw done value exec flags lastIndex toString valueOf toJSON name message stack get set has keys size add delete index input groups raw join resolve source global unicode sticky"
    .split(" ")

export interface Hostile {
  /** What must stay as it is. */
  readonly before: string
  /** Each can be left out. */
  readonly statements: ReadonlyArray<string>
}

/** A random program over these functions, which are named by expressions. */
export const hostile = (random: Random, functions: ReadonlyArray<string>): Hostile => {
  const { below, once, pick } = {
    below: (end: number) => random.below(end),
    once: (times: number) => random.once(times),
    pick: <A>(values: ReadonlyArray<A>) => random.pick(values),
  }

  const key = (): string => pick([() => pick(wellKnown), () => JSON.stringify(pick(names)), () => String(below(4))])()

  const value = (depth = 0): string => {
    if (depth > 3 || once(3)) return once(2) ? pick(primitives) : once(3) ? "any()" : pick(things)
    const inner = () => value(depth + 1)
    switch (below(22)) {
      case 0:
        return `[${random.list(0, 4, inner).join(", ")}]`
      case 1:
        return `({ x: ${inner()}, [${key()}]: ${inner()} })`
      case 2:
        return `hot(${inner()})`
      case 3:
        return `bad(${inner()})`
      case 4:
        return `iter(${below(9)}, ${inner()})`
      case 5:
        return `like(${pick(["0", "3", "2 ** 31", "2 ** 32", "Big", "-1", "bad(3)", "1e6"])}, ${inner()})`
      case 6:
        return `ok(${inner()})`
      case 7:
        return `sub(${pick(bases)})`
      case 8:
        return `new (sub(${pick(bases)}))(${inner()})`
      case 9:
        return `Object.create(${inner()})`
      case 10:
        return `({ get [${key()}]() { act(); return ${inner()} }, set [${key()}](v) { keep(v); act() } })`
      case 11:
        return `(async (v) => { keep(v); act(); await ${inner()}; return ${inner()} })`
      case 12:
        return `(function* () { act(); yield* ${inner()} })`
      case 13:
        return `new ${
          pick(["Uint8Array", "Int16Array", "Float64Array", "BigInt64Array", "Uint8ClampedArray", "DataView"])
        }(${inner()})`
      case 14:
        return pick([
          "/(?:a|b)*c/g",
          "/(?<x>.)\\k<x>/dgu",
          "/(?<=a)b|$/y",
          "/[\\p{L}--[a-c]]/v",
          "/(a*)*b/",
          "new RegExp(str, 'g')",
        ])
      case 15:
        return `({ then: ${inner()} })`
      case 16:
        return `({ [Symbol.iterator]: ${inner()}, next: ${inner()}, done: ${inner()} })`
      case 17:
        return `({ constructor: { [Symbol.species]: ${inner()} }, length: 3, 0: ${inner()} })`
      case 18:
        return `({ value: ${inner()}, writable: true, get: ${once(3) ? inner() : "undefined"}, configurable: ${
          once(2)
        }, enumerable: true })`
      case 19:
        return `(${pick(functions)})`
      case 20:
        return `Object.defineProperty(${inner()}, ${key()}, { get: act, set: act, configurable: true })`
      default:
        return `(${inner()} ${pick(["+", "*", "<", "==", "in", "instanceof", "??", "&&", "**"])} ${inner()})`
          .replace(/ (\?\?|&&|\*\*) /, " || ")
    }
  }

  const v = () => value()
  const fn = () => pick(functions)
  const receiver = (name: string): string => {
    const owner = /^(?:[GS]\()?(\w+)\.prototype/.exec(name)?.[1]
    const likely: Record<string, string> = {
      Array: "a",
      Map: "map",
      Set: "set",
      WeakMap: "wm",
      RegExp: "re",
      String: "str",
      Date: "date",
      Promise: "p",
      ArrayBuffer: "buf",
      DataView: "dv",
      Iterator: "it",
      Error: "err",
      URL: "url",
      URLSearchParams: "usp",
      Function: "fn",
      Object: "o",
      Number: "5",
      BigInt: "5n",
      Symbol: "Symbol.iterator",
    }
    if (owner === undefined || once(4)) return name.startsWith("P(Uint8Array)") && !once(4) ? "ta" : v()
    const plain = likely[owner]
    if (plain !== undefined) return once(4) ? `hot(${plain})` : plain
    return `new ${owner}(${v()})`
  }
  const list = (least: number, most: number) => random.list(least, most, v).join(", ")

  const forms: ReadonlyArray<() => string> = [
    () => {
      const f = fn()
      return `keep(apply(${f}, ${receiver(f)}, [${list(0, 4)}]))`
    },
    () => `keep(new (${fn()})(${list(0, 3)}))`,
    () => `keep(construct(${fn()}, [${list(0, 3)}], ${once(2) ? v() : fn()}))`,
    () =>
      `{ const r = apply(${fn()}, ${v()}, [${
        list(0, 3)
      }]); if (r?.next) for (let i = 0; i < 9; i++) keep(r.next(any())) }`,
    () => `for (const x of ${v()}) { keep(x); ${pick(["act()", "if (rnd(3) === 0) break", "throw x", ""])} }`,
    () => `for (const k in ${v()}) { keep(k); act() }`,
    () => `for await (const x of ${v()}) { keep(x); if (rnd(3) === 0) break; act() }`,
    () => `[a[rnd(5)], o.x, ...kept.z] = ${v()}`,
    () => `({ x: o.x, [${key()}]: a[1] = ${v()}, ...o.r } = ${v()})`,
    () => `keep([...${v()}, ...${v()}])`,
    () => `keep(fn(...${v()}))`,
    () => `keep({ ...${v()}, [${v()}]: ${v()} })`,
    () => `keep(await ${v()})`,
    () => `keep(\`\${${v()}}\${${v()}}\`)`,
    () => `keep(${v()}\`x\${${v()}}\`)`,
    () => `keep(${v()} ${pick(["in", "instanceof", "+", "==", "<", "**", "%", "<<", ">>>"])} (${v()}))`,
    () => `keep(${pick(["!", "-", "+", "~", "typeof ", "void "])}(${v()}))`,
    () => `${pick(things.slice(0, 10))}[${key()}] = ${v()}`,
    () => `delete ${pick(things.slice(0, 10))}[${key()}]`,
    () => `keep((${v()})?.[${key()}]?.(${list(0, 2)}))`,
    () => `{ let c = ${v()}; c ${pick(["+=", "-=", "**=", "??=", "||=", "&&=", ">>>="])} ${v()}; keep(c); c++ }`,
    () =>
      `keep(class extends ${v()} { static [${v()}] = act(); [${v()}] = ${v()}; static { keep(this) } #p = act(); m() { return super.x } })`,
    () =>
      `keep(new (class extends (${v()}) { constructor() { ${
        pick(["super(act())", "return any()", "act(); super(); super()", ""])
      } } })())`,
    () => `{ using r = { [Symbol.dispose]: ${v()} }; act() }`,
    () => `{ await using r = { [Symbol.asyncDispose]: ${v()}, [Symbol.dispose]: ${v()} }; act() }`,
    () => `switch (${v()}) { case ${v()}: act(); case ${v()}: keep(1); break; default: act() }`,
    () =>
      `keep((function* () { try { act(); yield ${v()}; yield* ${v()} } finally { act(); ${
        pick(["return 1", "yield 2", ""])
      } } })()).next()`,
    () => `{ const g = (function* () { yield g.next(); yield g.return(1) })(); keep([...g]) }`,
    () => `keep((async () => { try { await ${v()}; throw ${v()} } finally { await act() } })()).catch(() => {})`,
    () =>
      `keep(Promise.${pick(["all", "race", "any", "allSettled", "resolve", "reject", "try"])}(${v()})).catch?.(ok(1))`,
    () => `keep(await tools.${pick(["echo", "fail", "die", "late"])}(${v()}))`,
    () => `console.${pick(["log", "table", "dir", "error", "group", "assert", "count"])}(${list(1, 3)})`,
    () => `keep(${pick(["setTimeout", "queueMicrotask", "setInterval"])}(${once(2) ? "act" : v()}, ${v()}))`,
    () => `keep(JSON.stringify(${v()}, ${once(2) ? v() : "ok(1)"}, ${v()}))`,
    () => `keep(JSON.parse(${once(2) ? "'{\"a\":[1,{\"b\":2}],\"__proto__\":1}'" : v()}, ${once(2) ? "fn" : v()}))`,
    () => `keep(structuredClone(${v()}, ${v()}))`,
    () =>
      `defineProperty(${
        pick([
          "Array",
          "Object",
          "RegExp",
          "Promise",
          "String",
          "Function",
          "Map",
          "Set",
          "Iterator",
          "Error",
          "Number",
        ])
      }.prototype, ${key()}, ${
        pick(["{ get: act, set: act, configurable: true }", "{ value: fn, writable: true, configurable: true }", v()])
      })`,
    () =>
      `${pick(["Array", "RegExp", "Promise", "Map", "P(Uint8Array)", "ArrayBuffer"])}${
        pick([".prototype", ""])
      }[${key()}] = ${v()}`,
    () => `Object.setPrototypeOf(${pick(things)}, ${v()})`,
    () =>
      `globalThis[${
        JSON.stringify(pick(["Array", "Promise", "Object", "x", "undefined", "Error", "Symbol"]))
      }] = ${v()}`,
    () => `act()`,
    () =>
      `a.${pick(["sort", "map", "filter", "reduce", "flatMap", "find", "forEach", "some", "toSorted", "findLast"])}(${
        once(2) ? "fn" : v()
      }, ${v()})`,
    () =>
      `keep(str.${
        pick([
          "replace",
          "replaceAll",
          "split",
          "match",
          "matchAll",
          "search",
          "localeCompare",
          "normalize",
          "at",
          "padEnd",
          "concat",
        ])
      }(${list(0, 3)}))`,
    () => `throw ${v()}`,
  ]

  const statements = random.list(3, 18, () => `try { ${pick(forms)()} } catch (e) { keep(e) }`)
  // Often it ends as programs do; sometimes as none should.
  const last = pick([
    () => "return 1",
    () => "return kept",
    () => "return any()",
    () => `return ${v()}`,
    () => `throw ${v()}`,
    () => "return { toJSON: act }",
    () => "return hot({ a: 1, b: [1] })",
  ])()
  return { before: prelude(below(2 ** 30)), statements: [...statements, last] }
}
