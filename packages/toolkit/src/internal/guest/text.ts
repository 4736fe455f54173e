/**
 * What runs inside an engine before the program: `tools`, `console`, and the way out for values. It is JavaScript in a text, because
 * it belongs to the engine in there; only texts and numbers cross to the host. `Guest.ts` says what it takes and gives.
 *
 * A program may replace every built-in, and a run has to come to its end all the same: what is used after the program has started is
 * taken beforehand, and loops count rather than iterate.
 */
export const text = String.raw`(names, hostCall, hostLog) => {
  "use strict"
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { assign, defineProperty, freeze, keys } = Object
  const { isArray } = Array
  const { then } = Promise.prototype
  const { race } = Promise
  const { exec } = RegExp.prototype
  const { get, set } = WeakMap.prototype
  const Text = String, Failed = Error, Wait = Promise
  const plain = /^[\w$]+$/, uncallable = /not a function/
  const matches = (pattern, text) => apply(exec, pattern, [text]) !== null

  const calls = []
  const failures = new WeakMap()
  let missing, outcome, open = 0

  const failure = (code, message, retryable = true) => {
    const error = assign(new Failed(message), { name: "ToolError", code })
    apply(set, failures, [error, { code, message, retryable }])
    return error
  }

  // JSON data as JSON.stringify has it, but what has no JSON form is an error with its path. The copy has no prototype, and so no
  // toJSON, that a program could have given it.
  const data = (value, path, parent) => {
    if (typeof value?.toJSON === "function") value = value.toJSON()
    const refuse = (what) => failure("INVALID_DATA", path + " is " + what + ", which is not JSON data")
    const type = typeof value
    if (value instanceof Wait) throw refuse("a promise that was not awaited")
    if (type === "number") return value - value === 0 ? value : null
    if (type === "function" || type === "symbol" || type === "bigint") throw refuse("a " + type)
    if (type !== "object" || value === null) return value
    const depth = parent ? parent.depth + 1 : 1
    for (let around = parent; around; around = around.parent) {
      if (around.value === value) throw refuse("inside itself")
    }
    if (depth > 64) throw refuse("nested too deep")
    const here = { value, depth, parent }
    if (isArray(value)) {
      const list = []
      define(list, "toJSON", undefined, false)
      for (let i = 0; i < value.length; i++) define(list, i, data(value[i], path + "[" + i + "]", here) ?? null)
      return list
    }
    const copy = { __proto__: null }
    const names = keys(value)
    for (let i = 0; i < names.length; i++) {
      const key = names[i]
      const item = data(value[key], path + (matches(plain, key) ? "." + key : "[" + stringify(key) + "]"), here)
      if (item !== undefined) define(copy, key, item)
    }
    return copy
  }
  const define = (target, key, value, enumerable = true) =>
    defineProperty(target, key, { __proto__: null, value, enumerable, configurable: true, writable: true })

  // Awaiting a subclass goes through its "then", so that a call knows whether anyone looks at it.
  class Call extends Promise {
    #call
    constructor(executor) { super(executor) }
    static get [Symbol.species]() { return Wait }
    static make(call, executor) {
      const promise = new Call(executor)
      promise.#call = call
      // An engine that tells its host of rejections that nobody handles is not to tell of this one: the guest does.
      apply(then, promise, [undefined, () => {}])
      return promise
    }
    static enterRace(item) {
      if (typeof item !== "object" || item === null || !(#call in item)) return item
      item.#call.raced = true
      return new Wait((resolve, reject) => { apply(then, item, [resolve, reject]) })
    }
    then(fulfilled, rejected) {
      if (this.#call) this.#call.observed = true
      return super.then(fulfilled, rejected)
    }
  }
  const { enterRace, make } = Call
  Promise.race = function(items) {
    const entered = []
    for (const item of items) define(entered, entered.length, enterRace(item))
    return apply(race, this, [entered])
  }

  const tool = (name) => (input = {}) => {
    const id = calls.length + 1
    const call = { name, open: true, observed: false, raced: false }
    define(calls, id - 1, call)
    open++
    const close = () => { call.open = false; open-- }
    return make(call, (resolve, reject) => {
      call.resolve = (value) => { close(); resolve(value) }
      call.reject = (error) => { close(); call.error = error; reject(error) }
      try {
        const sent = data(input, "input")
        if (typeof sent !== "object" || sent === null || isArray(sent)) {
          throw failure("INVALID_TOOL_INPUT", "The input of tools." + name + " is not an object")
        }
        hostCall(id, name, stringify(sent))
      } catch (error) {
        call.reject(error)
      }
    })
  }

  const list = parse(names)
  const namespace = (path) => {
    const target = list.includes(path) ? tool(path) : Object.create(null)
    const prefix = path === "" ? "" : path + "."
    for (const name of list) {
      if (!name.startsWith(prefix) || name === path) continue
      const key = name.slice(prefix.length).split(".", 1)[0]
      defineProperty(target, key, { value: namespace(prefix + key), enumerable: true, configurable: true })
    }
    return new Proxy(freeze(target), {
      get(target, key) {
        if (typeof key === "string" && !(key in target)) missing = prefix + key
        return target[key]
      },
    })
  }
  defineProperty(globalThis, "tools", { value: namespace("") })

  const readable = (value) => {
    try {
      return typeof value === "string" ? value : stringify(data(value, "value")) ?? "undefined"
    } catch {
      try { return Text(value) } catch { return "[a value that cannot be shown]" }
    }
  }
  const log = (...values) => {
    let line = ""
    for (let i = 0; i < values.length; i++) line += (i === 0 ? "" : " ") + readable(values[i])
    hostLog(line)
  }
  globalThis.console = { log, info: log, warn: log, error: log, debug: log }

  const describe = (error) => {
    try {
      const thrown = error instanceof Failed
      return {
        __proto__: null,
        failure: thrown ? apply(get, failures, [error]) : undefined,
        missing: thrown && matches(uncallable, error.message) ? missing : undefined,
        name: thrown ? Text(error.name) : "Uncaught",
        message: thrown ? Text(error.message) : readable(error),
        stack: thrown ? Text(error.stack) : "",
      }
    } catch {
      return { __proto__: null, name: "Uncaught", message: "an error that cannot be shown", stack: "" }
    }
  }

  const begin = async (program) => {
    try {
      const result = stringify(data(await program(), "result") ?? null)
      outcome = { result }
    } catch (error) {
      outcome = { error: describe(error) }
    }
  }

  return {
    start: (program) => { begin(program) },
    resolve: (id, json) => { calls[id - 1].resolve(parse(json)) },
    reject: (id, json) => {
      const { code, message, retryable } = parse(json)
      calls[id - 1].reject(failure(code, message, retryable))
    },
    // How far the program is; "lost" are the calls that nobody waits for any more.
    look: () => {
      const lost = []
      define(lost, "toJSON", undefined, false)
      let unhandled
      for (let i = 0; outcome && i < calls.length; i++) {
        const call = calls[i]
        if (call.observed || call.raced && !call.open) continue
        if (call.open && call.raced) define(lost, lost.length, i + 1)
        else if (call.error && !unhandled) unhandled = { ...describe(call.error), __proto__: null, name: call.name }
      }
      const { result, error } = outcome ?? {}
      return stringify({ __proto__: null, result, error, open: open - lost.length, lost, unhandled })
    },
  }
}`
