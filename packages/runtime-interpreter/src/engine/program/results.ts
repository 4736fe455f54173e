import { BoundaryError, fromJsonSteps } from "../boundary/index.ts"
import type { ToolFailure } from "../machine/error-data.ts"
import type { Machine } from "../machine/machine.ts"
import { fulfillPromise, type PromiseData, rejectPromise } from "../machine/promise.ts"
import { type Calls, defineGeneratorNative, type JSObject, Pause } from "../object/index.ts"
import { failedCall, placeOfCall } from "./failed-call.ts"

/** The end of a call, waiting to be taken in. */
export type Settled =
  | { readonly id: number; readonly failed: false; readonly value: unknown }
  | { readonly id: number; readonly failed: true; readonly value: Omit<ToolFailure, "tool"> }

/** How deep results may be, and how much of memory they may take. */
interface Bounds {
  readonly maxDepth: number
  readonly maxSize: number
}

/** A large result that is being copied. Private to the host: the meter is not to come to the host's value. */
class Intake {
  readonly #steps: Calls<void>

  constructor(steps: Calls<void>) {
    this.#steps = steps
  }

  get steps(): Calls<void> {
    return this.#steps
  }
}

/** Goes on with it. */
const takeRest = defineGeneratorNative("program.takeRest", 0, function*(_m: Machine, _this, _args, _newTarget, callee) {
  yield* (callee.data.state as Intake).steps
  return undefined
})

/** Settles the promise of a call with what it gave. */
export const takeIn = (m: Machine, settled: Settled, bounds: Bounds): void => {
  const promise = m.calls.get(settled.id)!
  m.calls.delete(settled.id)
  ;(promise.data as PromiseData).call!.input = undefined
  if (settled.failed) return reject(m, promise, settled.value)
  const steps = takeValue(m, promise, settled.value, bounds)
  // Most results are small. A large one is copied by the machine, in blocks.
  if (steps.next().done === true) return
  m.handles.add(promise)
  m.enqueue({ type: "callback", fn: m.realm.newNative(takeRest, new Intake(steps)), args: [] })
}

/** Fulfills the promise of a call with a copy of what the host gave. */
function* takeValue(m: Machine, promise: JSObject, value: unknown, { maxDepth, maxSize }: Bounds): Calls<void> {
  try {
    const steps = fromJsonSteps(m, value, { root: "result", maxDepth, maxSize })
    for (;;) {
      const step = steps.next()
      if (step.done === true) {
        fulfillPromise(m, promise, step.value)
        break
      }
      yield Pause
    }
  } catch (error) {
    if (!(error instanceof BoundaryError)) throw error
    const tooMuch = error.problem === "depth" || error.problem === "size"
    const { tool } = (promise.data as PromiseData).call!
    reject(
      m,
      promise,
      tooMuch
        ? {
          code: "INVALID_DATA",
          message: `The result of the tool "${tool}" is too much: ${error.message}`,
          retryable: true,
        }
        : {
          code: "INVALID_TOOL_OUTPUT",
          message: `The tool "${tool}" gave a result that is not JSON. The fault is the tool's, not the call's.`,
          retryable: false,
        },
    )
  }
  m.handles.delete(promise)
}

const reject = (m: Machine, promise: JSObject, { code, message, retryable }: Omit<ToolFailure, "tool">): void => {
  const call = (promise.data as PromiseData).call!
  rejectPromise(m, promise, failedCall(m, { code, message, retryable, tool: call.tool }, placeOfCall(call)))
}
