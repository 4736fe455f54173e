/**
 * What runs inside QuickJS before the program: `tools`, `console`, and the way out for values. It is JavaScript in a text,
 * because it belongs to the engine in there; only texts and numbers cross to the host.
 */
export const guest = String.raw`(names, hostCall, hostLog) => {
  "use strict"
  const { parse, stringify } = JSON
  const calls = new Map()
  const failures = new WeakMap()
  const observed = new WeakSet()
  const raced = new WeakSet()
  let missing, outcome

  const failure = (code, message, retryable = true) => {
    const error = Object.assign(new Error(message), { name: "ToolFailure", code })
    failures.set(error, { code, message, retryable })
    return error
  }

  // JSON data as JSON.stringify has it, but what has no JSON form is an error with its path.
  const data = (value, path, within = []) => {
    if (typeof value?.toJSON === "function") value = value.toJSON()
    const refuse = (what) => failure("INVALID_DATA", path + " is " + what + ", which is not JSON data")
    if (value instanceof Promise) throw refuse("a promise that was not awaited")
    if (typeof value === "number") return Number.isFinite(value) ? value : null
    if (["function", "symbol", "bigint"].includes(typeof value)) throw refuse("a " + typeof value)
    if (typeof value !== "object" || value === null) return value
    if (within.includes(value)) throw refuse("inside itself")
    if (within.length >= 64) throw refuse("nested too deep")
    const inside = [...within, value]
    if (Array.isArray(value)) return Array.from(value, (item, i) => data(item, path + "[" + i + "]", inside) ?? null)
    return Object.fromEntries(
      Object.keys(value)
        .map((key) => [key, data(value[key], path + (/^[\w$]+$/.test(key) ? "." + key : "[" + stringify(key) + "]"), inside)])
        .filter(([, item]) => item !== undefined),
    )
  }

  // Awaiting a subclass goes through its "then", so that a call knows whether anyone looks at it.
  const then = Promise.prototype.then
  class Call extends Promise {
    static get [Symbol.species]() { return Promise }
    then(...reactions) {
      observed.add(this)
      return super.then(...reactions)
    }
  }
  const race = Promise.race
  Promise.race = function(items) {
    return race.call(this, Array.from(items, (item) => {
      if (!(item instanceof Call)) return item
      raced.add(item)
      return new Promise((resolve, reject) => then.call(item, resolve, reject))
    }))
  }

  const tool = (name) => (input = {}) => {
    const id = calls.size + 1
    const call = { name, open: true }
    calls.set(id, call)
    const settled = (settle) => (value) => { call.open = false; settle(value) }
    call.promise = new Call((resolve, reject) => {
      call.resolve = settled(resolve)
      call.reject = settled((error) => { call.error = error; reject(error) })
      try {
        if (typeof input !== "object" || input === null || Array.isArray(input)) {
          throw failure("INVALID_TOOL_INPUT", "The input of tools." + name + " is not an object")
        }
        hostCall(id, name, stringify(data(input, "input")))
      } catch (error) {
        call.reject(error)
      }
    })
    return call.promise
  }

  const namespace = (path) => {
    const target = names.includes(path) ? tool(path) : Object.create(null)
    const prefix = path === "" ? "" : path + "."
    for (const name of names) {
      if (!name.startsWith(prefix) || name === path) continue
      const key = name.slice(prefix.length).split(".", 1)[0]
      Object.defineProperty(target, key, { value: namespace(prefix + key), enumerable: true, configurable: true })
    }
    return new Proxy(Object.freeze(target), {
      get(target, key) {
        if (typeof key === "string" && !(key in target)) missing = prefix + key
        return target[key]
      },
    })
  }
  Object.defineProperty(globalThis, "tools", { value: namespace("") })

  const readable = (value) => {
    try { return typeof value === "string" ? value : stringify(data(value, "value")) ?? "undefined" } catch { return String(value) }
  }
  const log = (...values) => hostLog(values.map(readable).join(" "))
  globalThis.console = { log, info: log, warn: log, error: log, debug: log }

  const describe = (error) => {
    const thrown = error instanceof Error
    return {
      failure: failures.get(error),
      missing: thrown && /not a function/.test(error.message) ? missing : undefined,
      name: thrown ? error.name : "Uncaught",
      message: thrown ? String(error.message) : readable(error),
      stack: thrown ? String(error.stack) : "",
    }
  }

  return {
    describe: (error) => stringify(describe(error)),
    start: async (program, whole) => {
      try {
        let { value } = await program
        if (whole && typeof value === "function") value = value()
        outcome = { result: stringify(data(await value, "result") ?? null) }
      } catch (error) {
        outcome = { error: describe(error) }
      }
    },
    settle: (id, json, failed) => {
      const { reject, resolve } = calls.get(id)
      const value = parse(json)
      if (failed) reject(failure(value.code, value.message, value.retryable))
      else resolve(value)
    },
    // How far the program is; "lost" are the calls that nobody waits for any more.
    look: () => {
      const open = Array.from(calls).filter(([, call]) => call.open)
      const lost = outcome ? open.filter(([, { promise }]) => raced.has(promise) && !observed.has(promise)) : []
      const unhandled = Array.from(calls.values())
        .find(({ error, promise }) => error && !observed.has(promise) && !raced.has(promise))
      return stringify({ ...outcome, open: open.length - lost.length, lost: lost.map(([id]) => id),
        unhandled: unhandled && { ...describe(unhandled.error), name: unhandled.name } })
    },
  }
}`
