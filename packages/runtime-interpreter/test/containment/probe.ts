/**
 * What stands before every program that tries to escape. It takes the built-ins it needs before the program can change them, and
 * defines:
 *
 * - `keep(value)` remembers what a program got hold of, and gives it back. It calls nothing that programs can replace.
 * - `attempt(f, ...args)` keeps what `f` gives or throws, and what its promise gives or throws.
 * - `gained(text)` reports something that no program should be able to do.
 * - `probe(...roots)` walks every property, symbol, accessor and prototype reachable from the roots and from what was kept, as far as
 *   the program's built-ins. It gives the list of what is not the program's own: functions that make functions of text, objects of
 *   another realm, texts that tell of the host.
 * - `survey(...roots)` goes on through the built-ins, the globals and the tools, and also looks for names of the host.
 */
export const probe = String.raw`
const { attempt, gained, keep, probe, survey } = (() => {
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
  const { add, has } = Set.prototype, { endsWith, includes } = String.prototype, { then } = Promise.prototype
  const Text = String, Collection = Set, ownTop = Object.prototype, ownTools = tools, ownFunction = (() => {}).constructor, ownPromises = Promise.prototype
  const hostNames = new Set(["process", "mainModule", "require", "module", "Buffer", "global", "window", "self", "document",
    "WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry", "ShadowRealm", "Deno", "Bun", "fetch"])
  const hostTexts = ["node:", "file:/", "/packages/", "/node_modules/", ".ts:", ".js:", ".mjs:", ".cjs:"]
  let kept = null, report = null
  const keep = (value) => { kept = { __proto__: null, value, next: kept }; return value }
  const gained = (text) => { report = { __proto__: null, text, next: report } }
  const attempt = (f, ...args) => {
    let value
    try { value = f(...args) } catch (error) { return keep(error) }
    keep(value)
    try { apply(then, value, [keep, keep]) } catch {}
    return value
  }
  const walk = (roots, seen, whole) => {
    const tried = new Collection([ownFunction])
    let work = null
    const visit = (value, path) => { work = { __proto__: null, value, path, next: work } }
    for (let item = kept; item !== null; item = item.next) visit(item.value, "kept")
    for (let i = 0; i < roots.length; i++) visit(roots[i], "root" + i)
    if (whole) { visit(globalThis, "globalThis"); visit(ownTools, "tools") }
    for (let item = work; item !== null; item = work) {
      work = item.next
      const { path, value } = item
      if (typeof value === "string") {
        for (let i = 0; i < hostTexts.length; i++) if (apply(includes, value, [hostTexts[i]])) gained(path + " has the text " + value)
        continue
      }
      if (value === null || (typeof value !== "object" && typeof value !== "function") || apply(has, seen, [value])) continue
      apply(add, seen, [value])
      let keys = []
      try { keys = ownKeys(value) } catch (error) { visit(error, path + " threw") }
      const count = keys.length < 2000 ? keys.length : 2000
      for (let i = 0; i < count; i++) {
        const key = keys[i]
        let desc
        try { desc = getOwnPropertyDescriptor(value, key) } catch (error) { visit(error, path + " threw") }
        if (desc === undefined) continue
        const at = path + "." + Text(key)
        if (whole && path === "globalThis" && apply(has, hostNames, [key])) gained(at + " is there")
        visit(desc.value, at)
        if (desc.get === undefined && desc.set === undefined) continue
        visit(desc.get, at + ".get")
        visit(desc.set, at + ".set")
        try { visit(value[key], at) } catch (error) { visit(error, at + " threw") }
      }
      let top = value, proto = null
      try {
        proto = getPrototypeOf(value)
        for (let next = proto, steps = 0; next !== null && steps < 100; steps++) { top = next; next = getPrototypeOf(next) }
      } catch (error) { visit(error, path + " threw") }
      visit(proto, path + ".[[Prototype]]")
      try {
        if (top !== ownTop && getOwnPropertyDescriptor(top, "hasOwnProperty") !== undefined) gained(path + " is of another realm")
      } catch (error) { visit(error, path + " threw") }
      if (proto === ownPromises) { try { apply(then, value, [keep, keep]) } catch {} }
      let makers = []
      try { makers = [value.constructor, value.constructor.constructor] } catch {}
      for (let i = 0; i < makers.length; i++) {
        const maker = makers[i]
        if (typeof maker !== "function" || apply(has, tried, [maker])) continue
        apply(add, tried, [maker])
        visit(maker, path + ".constructor")
        let name
        try { name = maker.name } catch {}
        if (typeof name !== "string" || !apply(endsWith, name, ["Function"])) continue
        try { if (typeof maker("return 1") === "function") gained(path + ".constructor made a function of text") } catch {}
      }
    }
    let list = []
    for (let item = report, n = 0; item !== null && n < 20; item = item.next, n++) list = [...list, item.text]
    return list
  }
  const builtIns = () => {
    const known = new Collection([globalThis, ownTop, ownFunction, ownFunction.prototype, Object.getPrototypeOf(Int8Array)])
    for (const name of ["Object", "Array", "String", "Number", "Boolean", "Symbol", "BigInt", "Error", "TypeError", "RangeError", "Promise",
      "Map", "Set", "RegExp", "Date", "Intl", "console", "Uint8Array", "URL"]) {
      const { value } = getOwnPropertyDescriptor(globalThis, name)
      apply(add, known, [value])
      if (typeof value === "function") apply(add, known, [value.prototype])
    }
    return known
  }
  const known = builtIns()
  return { attempt, gained, keep, probe: (...roots) => walk(roots, new Collection(known), false), survey: (...roots) => walk(roots, new Collection(), true) }
})();
`
