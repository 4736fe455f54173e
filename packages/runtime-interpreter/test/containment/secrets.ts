import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { changesOfHost } from "./host-state.ts"
import { hostTextsIn } from "./json.ts"
import { canary, type Secret } from "./secrets/case.ts"

/** A program that reads all there is to read of what its call ends in, and logs it. */
const caught = (call: string): string => `
const read = (error) => ({ code: error.code, name: error.name, message: error.message, stack: error.stack, text: String(error),
  cause: String(error.cause), own: Reflect.ownKeys(error).map((key) => [String(key), String(error[key])]), json: JSON.stringify(error, Reflect.ownKeys(error)) })
try { const value = await ${call}; console.log(value); return { value } } catch (error) { console.log(error); console.error("%o", error); return read(error) }`

/** One that lets it end the run. */
const uncaught = (call: string): string => `return await ${call}`

interface Seen {
  readonly exit: Exit.Exit<unknown, unknown>
  readonly log: string
}

const see = async ({ host }: Secret, code: string): Promise<Seen> => {
  const log: Array<string> = []
  const logger = Logger.make(({ cause, message }) => {
    for (const part of Array.isArray(message) ? message : [message]) log.push(textOf(part))
    log.push(textOf(cause))
  })
  const exit = await Effect.runPromiseExit(Effect.provide(host(code), Logger.layer([logger])))
  return { exit, log: log.join("\n") }
}

/** What a host's log would show. */
const textOf = (value: unknown): string => {
  try {
    return Cause.isCause(value)
      ? Cause.pretty(value)
      : value instanceof Error
      ? `${value.stack} ${String(value.cause)}`
      : `${String(value)} ${JSON.stringify(value)}`
  } catch {
    return "what cannot be shown"
  }
}

/** What there is to read in a value, as a model would be told it. */
const read = (value: unknown): unknown => value === undefined ? undefined : JSON.parse(JSON.stringify(value))

/** Runs a program on a host that has something to hide, catching and not catching, and gives what came out or was lost. */
export const runSecret = async (one: Secret): Promise<ReadonlyArray<string>> => {
  const call = one.code ?? "tools.read({ id: 1 })"
  const problems: Array<string> = []
  for (const [how, code] of [["caught", caught(call)], ["uncaught", uncaught(call)]] as const) {
    const { exit, log } = await see(one, code)
    let told: unknown
    if (Exit.isSuccess(exit)) told = exit.value
    else {
      const reasons = exit.cause.reasons
      for (const reason of reasons) {
        if (Cause.isDieReason(reason)) problems.push(`${how}: the run died: ${textOf(exit.cause)}`)
      }
      told = reasons.find(Cause.isFailReason)?.error
    }
    problems.push(...hostTextsIn(read(told), how, canary))
    problems.push(...unexpected(one, how, exit, told as Told | undefined))
    if (one.logged && !log.includes(canary)) {
      problems.push(`${how}: the host's log has nothing of it: ${log.slice(0, 300)}`)
    }
  }
  return [...problems, ...changesOfHost()]
}

interface Told {
  readonly code?: string
  readonly result?: { readonly code?: string; readonly value?: unknown } | null
}

const unexpected = (
  { expect }: Secret,
  how: "caught" | "uncaught",
  exit: Exit.Exit<unknown, unknown>,
  told: Told | undefined,
): ReadonlyArray<string> => {
  const code = Exit.isSuccess(exit) ? told?.result?.code : told?.code
  // What ends a run is not caught; an interrupted one tells nothing.
  const isAsExpected = expect === null ? code === undefined : code === expect
  return isAsExpected ? [] : [`${how}: expected ${expect}, but got ${code}: ${JSON.stringify(told)?.slice(0, 300)}`]
}
