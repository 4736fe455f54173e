import { BoundaryError, type Json, toJson } from "../boundary/index.ts"
import type { Template } from "../compile/index.ts"
import type { Machine } from "../machine/machine.ts"
import { newPromise, performThen, type PromiseData } from "../machine/promise.ts"
import { call, defineGeneratorNative, type JSObject, Throw, type Value } from "../object/index.ts"

// How a run works on its program from the machine's inside: starts it, and makes its value the host's.

/** What the natives of a run leave behind for it. */
export interface RunState {
  readonly template: Template
  readonly isFunction: boolean
  readonly toData: { readonly maxDepth: number; readonly maxSize: number }
  /** The promise of the program's value. */
  main: JSObject | null
  converted: { readonly json: Json } | { readonly error: BoundaryError } | { readonly thrown: Value } | null
}

/** Calls the function that is the whole program. */
const callValue = defineGeneratorNative("program.call", 1, function*(_m: Machine, _this, args) {
  return yield call(args[0], undefined, [])
})

/** Starts the program. */
export const startProgram = defineGeneratorNative(
  "program.start",
  0,
  function*(m: Machine, _this, _args, _newTarget, callee) {
    const state: RunState = callee.data.state
    const value: Value = yield call(m.link(state.template), undefined, [])
    let main = value as JSObject
    if (state.isFunction) {
      const promise = newPromise(m)
      performThen(m, main, m.realm.newNative(callValue), undefined, { promise })
      main = promise
    }
    // What becomes of it is the run's to tell.
    const data: PromiseData = main.data
    data.handled = true
    m.handles.add(main)
    state.main = main
    return undefined
  },
)

/** Makes the result the host's. */
export const convertResult = defineGeneratorNative(
  "program.result",
  0,
  function*(m: Machine, _this, _args, _newTarget, callee) {
    const state: RunState = callee.data.state
    try {
      state.converted = { json: yield* toJson(m, (state.main!.data as PromiseData).value, state.toData) }
    } catch (error) {
      if (error instanceof BoundaryError) state.converted = { error }
      else if (error instanceof Throw) state.converted = { thrown: error.value }
      else throw error
    }
    return undefined
  },
)
