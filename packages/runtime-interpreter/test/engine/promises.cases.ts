/** Bodies of async functions that log what happens in which order; the host's own engine knows the order. */
export const programs: ReadonlyArray<readonly [name: string, code: string]> = [
  [
    "jobs run after the code, in order",
    `
    Promise.resolve(1).then(log); queueMicrotask(() => log("m")); Promise.resolve(2).then(log); log("sync")
    await null; await null; log("end")`,
  ],
  [
    "a promise as resolution takes three ticks",
    `
    const inner = Promise.resolve("inner")
    new Promise((resolve) => resolve(inner)).then(log)
    let p = Promise.resolve()
    for (let i = 0; i < 5; i++) p = p.then(() => log(i))
    await p; await p`,
  ],
  [
    "await of promises, values and thenables",
    `
    const thenable = { then(resolve) { log("then"); resolve("thenable") } }
    const run = async (name, value) => { log(name, await value) }
    await Promise.all([run("thenable", thenable), run("value", 1), run("promise", Promise.resolve(2))])`,
  ],
  [
    "all: order of results, the first rejection wins",
    `
    const later = (value, ticks) => { let p = Promise.resolve(); while (ticks-- > 0) p = p.then(() => {}); return p.then(() => value) }
    log(await Promise.all([later("a", 5), "b", later("c", 1)]))
    try { await Promise.all([later(1, 5), Promise.reject(new Error("x")), Promise.reject(new Error("y"))]) } catch (e) { log(e.message) }
    log(await Promise.all([]), await Promise.all(new Set([1, Promise.resolve(2)])))`,
  ],
  [
    "allSettled, any, race",
    `
    log(await Promise.allSettled([1, Promise.reject("no"), Promise.resolve(3)]))
    log(await Promise.any([Promise.reject(1), Promise.resolve(2), 3]))
    try { await Promise.any([Promise.reject(1), Promise.reject(2)]) } catch (e) { log(e.name, e.message, e.errors, e instanceof AggregateError) }
    log(await Promise.race([new Promise(() => {}), Promise.resolve("r"), "s"]))
    try { await Promise.any([]) } catch (e) { log(e.errors.length) }`,
  ],
  [
    "combinators reject what is not iterable",
    `
    for (const name of ["all", "allSettled", "any", "race"]) {
      try { await Promise[name](5) } catch (e) { log(name, e.name) }
    }`,
  ],
  [
    "a throwing iterator rejects; a throwing resolve closes the iterator",
    `
    const iterable = { [Symbol.iterator]() { return { next() { throw new Error("next") }, return() { log("return"); return {} } } } }
    try { await Promise.all(iterable) } catch (e) { log(e.message) }
    class Sub extends Promise { static resolve() { throw new Error("resolve") } }
    const closing = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }), return() { log("return"); return {} } } } }
    try { await Sub.all(closing) } catch (e) { log(e.message) }`,
  ],
  [
    "finally",
    `
    log(await Promise.resolve(1).finally(() => 2))
    try { await Promise.reject(new Error("kept")).finally(() => "dropped") } catch (e) { log(e.message) }
    try { await Promise.resolve(1).finally(() => { throw new Error("replaced") }) } catch (e) { log(e.message) }
    log(await Promise.resolve(1).finally(), await Promise.reject(2).finally(null).catch((e) => e))
    await Promise.all([Promise.resolve().finally(() => log("f")).then(() => log("after f")), Promise.resolve().then(() => log("t")).then(() => log("t2")).then(() => log("t3"))])`,
  ],
  [
    "catch and then pass values through",
    `
    log(await Promise.resolve(1).catch(() => 2), await Promise.reject(1).then(() => 2, (e) => e + 10))
    log(await Promise.resolve(1).then(undefined).then(null).then(3))
    log(await Promise.reject("r").then((x) => x).catch((e) => "caught " + e))`,
  ],
  [
    "the executor",
    `
    log(await new Promise((resolve, reject) => { resolve(1); reject(2); resolve(3) }))
    log(await new Promise(() => { throw new TypeError("t") }).catch((e) => e.message))
    log(await new Promise((resolve) => { resolve("first"); throw new Error("late") }))
    for (const wrong of [() => new Promise(), () => Promise(() => {}), () => new Promise(1)]) try { wrong() } catch (e) { log(e.message) }`,
  ],
  [
    "a promise that is its own resolution",
    `
    let own; own = new Promise((resolve) => queueMicrotask(() => resolve(own)))
    try { await own } catch (e) { log(e.name, e.message) }`,
  ],
  [
    "subclasses",
    `
    class Sub extends Promise {}
    const p = Sub.resolve(1)
    log(p instanceof Sub, p.then(() => {}) instanceof Sub, Sub.all([]) instanceof Sub, p.finally(() => {}) instanceof Sub)
    class Plain extends Promise { static get [Symbol.species]() { return Promise } }
    log(Plain.resolve(1).then(() => {}) instanceof Plain, Promise.resolve(p) === p, Sub.resolve(p) === p)
    log(await Sub.all([Sub.resolve(1), 2]), await Sub.race([3]))`,
  ],
  [
    "thenables that misbehave",
    `
    const settle = (then) => new Promise((resolve) => resolve({ then }))
    log(await settle((resolve, reject) => { resolve(1); reject(2); throw 3 }))
    log(await settle(() => { throw "thrown" }).catch((e) => e))
    log(await settle((resolve) => resolve({ then: (again) => again("nested") })))
    log(await Promise.resolve({ get then() { throw "getter" } }).catch((e) => e), await new Promise((r) => r({ then: 5 })))`,
  ],
  [
    "static methods on what is no constructor",
    `
    for (const name of ["all", "race", "resolve", "reject"]) {
      for (const receiver of [undefined, {}, () => {}]) try { await Promise[name].call(receiver, []) } catch (e) { log(name, e.name) }
    }`,
  ],
  [
    "async functions and generators in between",
    `
    const f = async (x) => { log("f" + x); await null; log("g" + x); return x }
    async function* numbers() { for (let i = 0; i < 3; i++) yield f(i) }
    const other = f("o")
    for await (const n of numbers()) log(n)
    await other`,
  ],
  [
    "timers come after jobs, in order of delay, and can be cleared",
    `
    await new Promise((resolve) => {
      setTimeout(() => { log("t10"); resolve() }, 10)
      setTimeout((a, b) => log("t0", a, b), 0, 1, 2)
      const cleared = setTimeout(() => log("never"), 1); clearTimeout(cleared); clearTimeout(undefined); clearTimeout(12345)
      queueMicrotask(() => log("micro"))
      Promise.resolve().then(() => log("promise"))
    })
    let n = 0
    await new Promise((resolve) => { const id = setInterval(() => { log("i" + ++n); if (n === 3) { clearInterval(id); resolve() } }, 1) })`,
  ],
]
