// Runs a program as a host would, and looks whether everything that must hold whatever the program does holds.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode, ToolSource } from "@effect-codemode/toolkit"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { inspect } from "node:util"
import { walker } from "./intrinsics.ts"

/** Codes that a run may end with: the documented ones, but for that of a defect of ours and that of the toolkit, and a tool's own. */
const codes = new Set<string>(CodeMode.ErrorCode.literals)
codes.delete("RUNTIME_FAILURE")
codes.delete("RESULT_TOO_LARGE")
codes.add("DECLARED")

/** Milliseconds of the processor that a program may use before the event loop turns: far more than a slice, for the sake of noise. */
const HELD = 400

/** The defects that the runtime told its host of. */
let defects: Array<unknown> = []
const noteDefects = Logger.layer([
  Logger.make(({ cause, message }) => {
    const messages = Array.isArray(message) ? message : [message]
    if (String(messages[0]).startsWith("The interpreter broke")) defects.push(...messages.slice(1), cause)
  }),
])

const failure = new ToolSource.Failure({ code: "DECLARED", message: "declared", retryable: false })

const call: CodeMode.Execution["call"] = (tool, input) => {
  switch (tool) {
    case "fail":
      return Effect.fail(failure)
    case "die":
      return Effect.die(new Error("defect"))
    case "late":
      return Effect.delay(Effect.succeed(input), 1)
    default:
      return Effect.succeed(input)
  }
}

const limits = {
  fuel: 400_000,
  memory: 16 << 20,
  timeout: 250,
  sourceLength: 256 << 10,
  toolCalls: 50,
  logLines: 100,
} as const

const runtime = InterpreterRuntime.make({ limits })

const tools = ["echo", "fail", "die", "late"]

/** Expressions of all functions that programs are given. */
export const functionsOf = async (): Promise<ReadonlyArray<string>> => {
  const { result } = await Effect.runPromise(InterpreterRuntime.make().run({ code: walker, tools, call }))
  return result as ReadonlyArray<string>
}

/** Time in which the event loop did not turn: the longest that the program held it, in milliseconds of this process. */
class Hold {
  private longest = 0
  private wall = performance.now()
  private used = process.cpuUsage()
  private readonly timer = setInterval(() => this.look(), 5)

  look(): number {
    const wall = performance.now()
    const used = process.cpuUsage()
    const cpu = (used.user + used.system - this.used.user - this.used.system) / 1000
    // A machine that is busy with other things takes longer; a collector beside the program uses more.
    this.longest = Math.max(this.longest, Math.min(wall - this.wall, cpu))
    this.wall = wall
    this.used = used
    return this.longest
  }

  stop(): number {
    clearInterval(this.timer)
    return this.look()
  }
}

const notPlain = (value: unknown, path: string): string | undefined => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined
    case "number":
      return Number.isFinite(value) ? undefined : `${path} is ${value}`
    case "object": {
      if (value === null) return undefined
      if (Array.isArray(value)) {
        if (Object.getPrototypeOf(value) !== Array.prototype) return `${path} is an array of another kind`
        for (const [index, element] of value.entries()) {
          const found = notPlain(element, `${path}[${index}]`)
          if (found !== undefined) return found
        }
        return undefined
      }
      if (Object.getPrototypeOf(value) !== Object.prototype) return `${path} is no plain object`
      for (const key of Reflect.ownKeys(value)) {
        const property = Object.getOwnPropertyDescriptor(value, key)!
        if (typeof key === "symbol" || !("value" in property)) return `${path} has a symbol or an accessor`
        const found = notPlain(property.value, `${path}.${key}`)
        if (found !== undefined) return found
      }
      return undefined
    }
    default:
      return `${path} is a ${typeof value}`
  }
}

const hostIntrinsics: ReadonlyArray<object> = [
  ...[
    Object,
    Function,
    Array,
    String,
    Number,
    Boolean,
    Symbol,
    BigInt,
    Error,
    TypeError,
    RangeError,
    Promise,
    RegExp,
    Date,
  ],
  ...[Map, Set, WeakMap, WeakSet, ArrayBuffer, DataView, Uint8Array, Proxy, Reflect, JSON, Math, Intl],
]

/** What programs could leave behind: the keys of the host's own intrinsics, as one text. */
const hostKeys = (): string => {
  const keys: Array<PropertyKey> = []
  for (const value of hostIntrinsics) {
    keys.push(...Reflect.ownKeys(value))
    const { prototype } = value as { readonly prototype?: object }
    if (prototype !== undefined) keys.push(...Reflect.ownKeys(prototype))
  }
  return keys.map(String).join()
}
const before = hostKeys()

let stray: unknown
process.on("unhandledRejection", (reason) => {
  stray = reason
})
process.on("uncaughtException", (error) => {
  stray = error
})

/** Runs a program. Gives what does not hold, or undefined. It must not hold the event loop for longer than so many milliseconds. */
export const check = async (code: string, longest = HELD): Promise<string | undefined> => {
  defects = []
  stray = undefined
  const hold = new Hold()
  const exit = await Effect.runPromiseExit(
    Effect.provide(runtime.run({ code, tools, call }), noteDefects),
  )
  const held = hold.stop()
  if (stray !== undefined) {
    // A rejection is reported once the jobs that wait are done.
    return `something escaped: ${inspect(stray)}`
  }
  if (Exit.isSuccess(exit)) {
    const found = notPlain(exit.value.result, "result") ?? notPlain(exit.value.logs, "logs")
    if (found !== undefined) return `the outcome is not plain: ${found}`
  } else {
    const error = exit.cause.reasons.find(Cause.isFailReason)?.error
    if (!(error instanceof CodeMode.CodeError)) return `the run died: ${Cause.pretty(exit.cause)}`
    if (!codes.has(error.code)) return `${error.code}: ${inspect(defects, { depth: 6 }).slice(0, 3000)}`
    const found = notPlain(
      { code: error.code, message: error.message, retryable: error.retryable, logs: error.logs },
      "error",
    )
    if (found !== undefined) return `the error is not plain: ${found}`
  }
  if (held > longest) return `the event loop was held for ${Math.round(held)} ms`
  return undefined
}

/** What is left in the host's own intrinsics, or undefined. */
export const leftBehind = (): string | undefined => hostKeys() === before ? undefined : "the host's intrinsics changed"
