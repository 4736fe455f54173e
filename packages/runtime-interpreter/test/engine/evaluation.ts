import { BoundaryError, fromJson, toJson } from "../../src/engine/boundary/index.ts"
import { compile, makeMachine } from "../../src/engine/index.ts"
import type { Machine } from "../../src/engine/machine/machine.ts"
import { performThen } from "../../src/engine/machine/promise.ts"
import {
  call,
  type Calls,
  defineGeneratorNative,
  defineNative,
  isObject,
  type JSObject,
  Throw,
  toString,
  type Value,
} from "../../src/engine/object/index.ts"
import { parse } from "../../src/engine/parse/index.ts"

/** An error of the program, by what its `toString` says. */
const errorOf = (m: Machine, value: Value): Error => new Error(isObject(value) ? toString(m, value) : String(value))

/**
 * Runs a program in a machine of its own, on the host's clock, and gives its result as JSON. Rejects with what the program
 * throws, with what ends it, or with why its result is not JSON. `globals` are JSON that the program finds under these names.
 */
export const evaluate = async (code: string, globals: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
  const program = await parse(code)
  const template = compile(program.ast, { code: program.code, name: "program" }, { isAsync: true, completion: true })
  return new Promise((resolve, reject) => {
    const timers = new Map<number, NodeJS.Timeout>()
    const machine = makeMachine({
      fuel: 200_000_000,
      host: {
        now: Date.now,
        monotonic: () => performance.now(),
        random: Math.random,
        log: () => {},
        setTimer: (id, delay) => {
          timers.set(
            id,
            setTimeout(() => {
              machine.fireTimer(id)
              drive()
            }, delay),
          )
        },
        clearTimer: (id) => clearTimeout(timers.get(id)),
        startCall: () => {},
      },
    })

    for (const [name, json] of Object.entries(globals)) machine.defineGlobal(name, fromJson(machine, json))

    /** Leaves the machine with what a part of a native gives, or says why it fails. */
    function* leave(m: Machine, steps: Calls<unknown>): Calls<undefined> {
      try {
        resolve(yield* steps)
      } catch (error) {
        reject(error instanceof Throw ? errorOf(m, error.value) : error)
        if (!(error instanceof Throw || error instanceof BoundaryError)) throw error
      }
      return undefined
    }
    const fulfilled = defineGeneratorNative("fulfilled", 1, (m: Machine, _this, args) => leave(m, toJson(m, args[0])))
    const rejected = defineNative("rejected", 1, (m: Machine, _this, args) => {
      reject(errorOf(m, args[0]))
      return undefined
    })
    const main = defineGeneratorNative("main", 0, function*(m: Machine) {
      const promise = (yield call(m.link(template), undefined, [])) as JSObject
      performThen(m, promise, m.realm.newNative(fulfilled), m.realm.newNative(rejected), undefined)
      return undefined
    })
    const drive = () => {
      try {
        while (machine.advance(1_000_000) === "running");
      } catch (error) {
        reject(error)
      }
    }
    machine.enqueue({ type: "callback", fn: machine.realm.newNative(main), args: [] })
    drive()
  })
}
