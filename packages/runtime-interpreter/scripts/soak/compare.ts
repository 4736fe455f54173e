import type * as Engine from "@effect-codemode/runtime-interpreter/engine"
import { Script } from "node:vm"
import { Worker } from "node:worker_threads"
import { prelude } from "./prelude.ts"

/** The text of a program of these statements, which gives its log. */
export const textOf = (statements: ReadonlyArray<string>): string =>
  `${prelude}${statements.map((statement) => `try { ${statement} } catch (e) { err(e) }`).join("\n")}
await null
log(a, b, c, d, p, q)
return lines`

/** What became of a program: its log, or that it was no program, or took too long. */
export type Outcome = { readonly log: ReadonlyArray<string> } | { readonly refused: string } | {
  readonly halted: string
}

/** Milliseconds that the host may take. */
const TIMEOUT = 500

/** Runs a program in the host's own engine. */
export const runInHost = async (code: string): Promise<Outcome> => {
  let script: Script
  try {
    script = new Script(`(async () => { "use strict"; ${code}\n})()`)
  } catch (error) {
    return { refused: (error as Error).name }
  }
  try {
    return { log: await (script.runInThisContext({ timeout: TIMEOUT }) as Promise<ReadonlyArray<string>>) }
  } catch (error) {
    return { halted: String(error) }
  }
}

/**
 * Runs a program in an engine of the host's that has run nothing else: V8 keeps results of regular expressions among others, and after
 * thousands of programs some come back wrong.
 */
const runInFreshHost = (code: string): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads")
import(workerData.module).then(({ runInHost }) => runInHost(workerData.code)).then((outcome) => parentPort.postMessage(outcome))`,
      { eval: true, workerData: { module: import.meta.url, code } },
    )
    worker.once("message", resolve)
    worker.once("error", reject)
  })

const limits = {
  fuel: 20_000_000,
  memory: 256 << 20,
  callDepth: 10_000,
  stringLength: 1 << 24,
  bigintBits: 1 << 20,
  dataDepth: 64,
  toolCalls: 0,
  concurrentCalls: 1,
  logLines: 0,
  logLength: 0,
}

/** Runs a program in ours. */
export const runInside = (engine: typeof Engine, code: string): Outcome => {
  let program: Engine.Program
  try {
    const parsed = engine.parseProgram(code)
    // It may be TypeScript, but no JavaScript.
    if (parsed === engine.needsTypeScript) return { refused: "SyntaxError" }
    program = {
      form: parsed.form,
      template: engine.compile(parsed.ast, { code: parsed.code, name: "program" }, {
        isAsync: true,
        completion: false,
      }),
    }
  } catch (error) {
    if (error instanceof engine.ProgramSyntaxError) return { refused: "SyntaxError" }
    throw error
  }
  const host = {
    now: Date.now,
    monotonic: () => performance.now(),
    random: Math.random,
    setAlarm: () => {},
    startCall: () => {},
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const run = engine.makeRun(program, { limits, host, tools: [], timeZone })
  let progress = run.advance(1_000_000)
  while (progress === "running") progress = run.advance(1_000_000)
  if (progress === "waiting") return { halted: "waits forever" }
  if (progress.type === "returned") return { log: progress.value as ReadonlyArray<string> }
  const { code: reason, message } = progress.failure
  return { halted: `${reason}: ${message}` }
}

/** Where the two went different ways; undefined if they did not, or if the program is none to compare. */
export const difference = async (
  engine: typeof Engine,
  statements: ReadonlyArray<string>,
): Promise<string | undefined> => {
  const code = textOf(statements)
  const usual = await runInHost(code)
  // What uses up the stack or the time does so at a place of each engine's own.
  if ("halted" in usual || ("log" in usual && usual.log.some((line) => line.includes("STACK")))) return undefined
  const ours = runInside(engine, code)
  if (JSON.stringify(usual) === JSON.stringify(ours)) return undefined
  const host = await runInFreshHost(code)
  if (JSON.stringify(host) === JSON.stringify(ours)) return undefined
  if (!("log" in host && "log" in ours)) return `host ${brief(host)}\nours ${brief(ours)}`
  const at = host.log.findIndex((line, i) => line !== ours.log[i])
  const line = at < 0 ? host.log.length : at
  return `line ${line} of the log\nhost ${host.log[line]}\nours ${ours.log[line]}`
}

const brief = (outcome: Outcome): string =>
  "log" in outcome ? `gives ${outcome.log.length} lines` : JSON.stringify(outcome)
