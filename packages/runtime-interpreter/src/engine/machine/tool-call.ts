import type { JSObject } from "../object/index.ts"
import type { FunctionCode } from "./function.ts"
import type { Machine } from "./machine.ts"
import { newPromise, type PromiseData } from "./promise.ts"
import { guestFrames } from "./stack.ts"

/** A tool call that a program started, and the instruction that did it. */
export interface ToolCall {
  readonly id: number
  /** The tool's callable name. */
  readonly tool: string
  readonly code: FunctionCode | null
  readonly pc: number
  /** What it was called with, as long as it has not ended: the host holds it for the program, whose memory it is. */
  input: unknown
}

/** Starts a tool call whose input takes so many bytes, and gives its promise. */
export const startCall = (m: Machine, tool: string, input: unknown, bytes: number): JSObject => {
  m.allocate(bytes)
  const promise = newPromise(m)
  const id = ++m.callCount
  const top = guestFrames(m.frame).next().value
  const data: PromiseData = promise.data
  data.call = { id, tool, code: top?.code ?? null, pc: top === undefined ? 0 : top.pc - 1, input }
  m.calls.set(id, promise)
  m.host.startCall(id, tool, input)
  return promise
}
