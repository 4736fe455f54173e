import type { Value } from "../object/index.ts"
import type { Machine } from "./machine.ts"

/** A timer that has not come to its end. */
export interface Timer {
  readonly fn: Value
  readonly args: Array<Value>
  /** Milliseconds. */
  readonly delay: number
  readonly repeat: boolean
}

/** What a timer takes, in bytes. */
const TIMER_BYTES = 256

/** Starts a timer, and gives its number. */
export const startTimer = (m: Machine, fn: Value, args: Array<Value>, delay: number, repeat: boolean): number => {
  const id = ++m.timerCount
  m.allocate(TIMER_BYTES)
  // Time must pass between two ticks, or a program would tick for ever at one moment.
  if (repeat && delay < 1) delay = 1
  m.timers.set(id, { fn, args, delay, repeat })
  m.host.setTimer(id, delay)
  return id
}

export const clearTimer = (m: Machine, id: number): void => {
  if (m.timers.delete(id)) m.host.clearTimer(id)
}

/** A timer's time has come: its function is to be called, and its next time is to be told if it has one. */
export const fireTimer = (m: Machine, id: number): void => {
  const timer = m.timers.get(id)
  if (timer === undefined) return
  m.enqueue({ type: "callback", fn: timer.fn, args: timer.args })
  if (timer.repeat) m.host.setTimer(id, timer.delay)
  else m.timers.delete(id)
}
