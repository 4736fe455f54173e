import { type Call, Pause, Throw, type Value } from "../object/index.ts"
import { start } from "./calls.ts"
import { finishAsyncGenerator } from "./coroutines.ts"
import { CoroutineKind, CoroutineState, type Frame, FrameType, PUSHED } from "./frame.ts"
import type { Machine } from "./machine.ts"
import { rejectPromise, resolvePromise } from "./promise.ts"

/** The handler that covers an instruction, as an index into the table, or -1. */
const findHandler = (handlers: ReadonlyArray<number>, pc: number): number => {
  for (let i = 0; i < handlers.length; i += 4) if (pc >= handlers[i]! && pc < handlers[i + 1]!) return i
  return -1
}

/**
 * Gives the frame on top what a call it made came to: a value for its register `dst`, or a throw. Goes on until a compiled
 * function can run, or the bottom of the loop is reached, which keeps the completion. Answers true if the slice ended
 * between two steps of a built-in; `m.pending` then has what to go on with.
 */
export const complete = (m: Machine, value: Value, threw: boolean, dst: number): boolean => {
  for (;;) {
    const frame = m.frame
    if (frame.type === FrameType.Guest) {
      if (!threw) {
        if (dst >= 0) frame.regs[dst] = value
        return false
      }
      const { handlers } = frame.code!.template
      const handler = findHandler(handlers, frame.pc - 1)
      if (handler >= 0) {
        frame.pc = handlers[handler + 2]!
        frame.regs[handlers[handler + 3]!] = value
        return false
      }
      dst = frame.dst
      m.pop()
      if (frame.coroutine !== null) {
        const { coroutine } = frame
        if (coroutine.kind === CoroutineKind.Generator) {
          coroutine.state = CoroutineState.Completed
          coroutine.frame = null
        } else {
          if (coroutine.kind === CoroutineKind.Async) rejectPromise(m, coroutine.promise!, value)
          else finishAsyncGenerator(m, coroutine, true, value)
          threw = false
          value = coroutine.caller ?? undefined
          coroutine.caller = null
        }
      }
      continue
    }
    if (frame.type === FrameType.Barrier) {
      m.completionThrew = threw
      m.completionValue = value
      return false
    }
    // A generator native: its next step.
    if (m.budget < 0 && m.outOfBudget()) {
      m.pending = { value, threw }
      return true
    }
    m.budget--
    let request: unknown
    try {
      const step = threw ? frame.native!.throw(new Throw(value)) : frame.native!.next(value)
      threw = false
      if (step.done === true) {
        value = step.value
        dst = frame.dst
        m.pop()
        continue
      }
      request = step.value
    } catch (error) {
      value = m.guestError(error)
      threw = true
      dst = frame.dst
      m.pop()
      continue
    }
    if (request === Pause) {
      value = undefined
      continue
    }
    const { args, fn, newTarget, thisValue } = request as Call
    try {
      const result = start(m, fn, thisValue, args, newTarget, -1)
      value = result === PUSHED ? undefined : result
      if (result === PUSHED && m.frame.type === FrameType.Guest) {
        // A generator may have been resumed with a throw.
        if (!m.throwIsPending) return false
        threw = true
        value = m.takePendingThrow()
      }
    } catch (error) {
      value = m.guestError(error)
      threw = true
    }
  }
}

/** Takes a compiled function off the stack that returned a value, and gives its caller what that comes to. */
export const finish = (m: Machine, frame: Frame, value: Value): boolean => {
  const { coroutine, dst } = frame
  m.pop()
  if (coroutine !== null) {
    if (coroutine.kind === CoroutineKind.Generator) {
      coroutine.state = CoroutineState.Completed
      coroutine.frame = null
      if (coroutine.loopEnd >= 0) {
        m.frame.pc = coroutine.loopEnd
        return false
      }
      value = m.realm.newIteratorResult(value, true)
    } else {
      if (coroutine.kind === CoroutineKind.Async) resolvePromise(m, coroutine.promise!, value)
      else finishAsyncGenerator(m, coroutine, false, value)
      value = coroutine.caller ?? undefined
      coroutine.caller = null
    }
  }
  return complete(m, value, false, dst)
}

/** Takes a compiled function off the stack that suspends itself, and gives its caller a value. */
export const suspend = (m: Machine, frame: Frame, value: Value): boolean => {
  const { dst } = frame
  m.pop()
  return complete(m, value, false, dst)
}

/** The same for an async one: who called it gets its promise, and what resumed it later gets nothing. */
export const suspendAsync = (m: Machine, frame: Frame): boolean => {
  const coroutine = frame.coroutine!
  const { caller } = coroutine
  coroutine.caller = null
  return suspend(m, frame, caller ?? undefined)
}
