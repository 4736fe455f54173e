import { type Exhaustion, group } from "./case.ts"

const calls = group("Calls of tools", "LIMIT_EXCEEDED", [
  ["one after another", `for (;;) await tools.echo({})`],
  ["all at once", `await Promise.all(Array.from({ length: 2000 }, (_, i) => tools.echo({ i })))`],
  ["without waiting", `for (let i = 0; i < 1500; i++) tools.echo({ i })\nawait tools.echo({})`],
  [
    "in a callback of a sort",
    `const a = Array.from({ length: 500 }, (_, i) => i); let last; a.sort(() => { last = tools.echo({}); return 0.5 }); for (let i = 0; i < 1000; i++) last = tools.echo({}); await last`,
  ],
  [
    "of calls that fail",
    `for (;;) { try { await tools.fail({}) } catch (e) { if (e.code === "LIMIT_EXCEEDED") throw e } }`,
  ],
])

const stubborn = group("Calls of tools, by a program that does not give up", "EXECUTION_BUDGET_EXCEEDED", [
  ["after the last one", `for (;;) { try { await tools.echo({}) } catch {} }`],
  ["that do not exist", `for (;;) { try { await tools.nothing({}) } catch {} }`],
  ["of what is no input", `for (;;) { try { await tools.echo(() => 1) } catch {} }`],
  ["names of tools that are looked at", `for (let i = 0;; i++) { try { tools["t" + i % 100].x } catch {} }`],
  ["searches", `for (;;) { try { await search({ query: "echo rows ".repeat(20) }) } catch {} }`],
])

const ended = group("Calls of tools, within what a run has", "ok", [
  [
    "a thousand and one, of which one fails",
    `let failed = 0; for (let i = 0; i < 1001; i++) { try { await tools.echo({}) } catch (e) { failed += e.code === "LIMIT_EXCEEDED" } } return failed === 1 ? "ok" : failed`,
  ],
  [
    "a thousand at once",
    `const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.echo({ i }))); return all.every((r, i) => r.i === i) ? "ok" : all`,
  ],
  ["calls that nobody waits for", `for (let i = 0; i < 100; i++) tools.echo({ i }); return "ok"`],
])

const lines = group("Logs", "ok", [
  [
    "many lines",
    `for (let i = 0; i < 20000; i++) console.log(i); return "ok"`,
    ["ok", "EXECUTION_BUDGET_EXCEEDED"],
    "Each line takes steps.",
  ],
  ["one long line", `console.log("x".repeat(1 << 24)); return "ok"`, [
    "ok",
    "EXECUTION_BUDGET_EXCEEDED",
    "LIMIT_EXCEEDED",
  ], "Its characters take steps and memory."],
  ["many long lines", `const t = "x".repeat(1 << 16); for (let i = 0; i < 200; i++) console.log(t); return "ok"`, [
    "ok",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "Their characters take steps."],
  ["a long array", `console.log(new Array(1e6).fill({ a: 1 })); return "ok"`, [
    "ok",
    "LIMIT_EXCEEDED",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "The array itself takes memory and steps."],
  [
    "an object of many keys",
    `const o = {}; for (let i = 0; i < 10000; i++) o["k" + i] = i; console.log(o); return "ok"`,
  ],
  [
    "a value that holds a value twice that holds a value twice",
    `let o = ["x"]; for (let i = 0; i < 60; i++) o = [o, o]; console.dir(o, { depth: 60 }); return "ok"`,
    ["ok", "EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
    "Text that doubles with each level takes steps and memory.",
  ],
  [
    "a circle",
    `const o = {}; o.o = { o, p: [o, o, o] }; o.m = new Map([[o, o]]); console.dir(o, { depth: Infinity }); return "ok"`,
  ],
  [
    "a table of many rows",
    `console.table(Array.from({ length: 5000 }, (_, i) => ({ i, ["c" + i % 50]: i }))); return "ok"`,
    ["ok", "EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
    "Rows times columns take steps and memory.",
  ],
  [
    "groups in groups",
    `for (let i = 0; i < 100000; i++) console.group(); for (let i = 0; i < 2000; i++) console.log("x\\ny\\nz"); return "ok"`,
    ["ok", "EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
    "What is put before each line takes steps.",
  ],
  ["formats", `console.log("%s".repeat(10000), ...new Array(10000).fill("y")); return "ok"`],
  [
    "texts of programs that are asked",
    `console.log({ toString() { for (;;) {} }, toJSON() { for (;;) {} }, [Symbol.toPrimitive]() { for (;;) {} } }); return "ok"`,
  ],
  [
    "a proxy whose traps loop",
    `console.log(new Proxy({ a: 1 }, { get() { for (;;) {} }, ownKeys() { for (;;) {} }, getPrototypeOf() { for (;;) {} } })); return "ok"`,
  ],
  [
    "a long typed array",
    `console.log(new Uint8Array(1 << 20), new Map(Array.from({ length: 10000 }, (_, i) => [i, i]))); return "ok"`,
  ],
  ["logs without end", `for (;;) console.log("x".repeat(1000))`, "EXECUTION_BUDGET_EXCEEDED"],
  ["errors without end", `for (;;) { try { null.x } catch (e) { console.error(e) } }`, "EXECUTION_BUDGET_EXCEEDED"],
])

const ends = group("Ends that do not come", "EXECUTION_ERROR", [
  ["a promise that nobody settles", `await new Promise(() => {})`],
  ["a promise that waits for itself", `let p; p = (async () => { await null; return p })(); await p`],
  ["a result that is such a promise", `return new Promise(() => {})`],
  ["a thenable that does nothing", `await { then() {} }`],
  ["a generator that waits", `for await (const x of (async function* () { yield await new Promise(() => {}) })()) x`],
])

export const calling: ReadonlyArray<Exhaustion> = [...calls, ...stubborn, ...ended, ...lines, ...ends]
