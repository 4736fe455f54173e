import { type CodeMode, Guest } from "@effect-codemode/toolkit"
import { Effect } from "effect"
import vm from "node:vm"

interface Inside {
  readonly start: (program: unknown) => void
  readonly resolve: (id: number, json: string) => void
  readonly reject: (id: number, json: string) => void
  readonly look: () => string
}

/** Why the host's engine refuses a text, if it does. */
export const parse = (text: string): Effect.Effect<Guest.Refusal | undefined> =>
  Effect.match(
    Effect.try({ try: () => new vm.Script(text, { filename: Guest.file }), catch: (error) => error as Error }),
    { onFailure: ({ message, stack = "" }) => ({ message, stack }), onSuccess: () => undefined },
  )

/**
 * A runtime over a context of the host's own engine, for tests: no boundary for hostile code. `busy` is how long a program may go on
 * without waiting, in milliseconds.
 */
export const make = ({ busy = 2_000 } = {}): CodeMode.CodeRuntime => ({
  run: (execution) =>
    Guest.run(execution, (host) =>
      Effect.sync((): Guest.Engine => {
        // Every entry is a script, because only a script has a time limit, and the jobs that it leaves behind with it.
        const globals: Record<string, unknown> = {}
        const context = vm.createContext(globals, { microtaskMode: "afterEvaluate" })
        const enter = (f: () => unknown) =>
          Effect.try({
            try: () => {
              let value: unknown
              Object.defineProperty(globals, "enter", {
                configurable: true,
                enumerable: false,
                value: () => {
                  Reflect.deleteProperty(globals, "enter")
                  value = f()
                },
              })
              vm.runInContext("enter()", context, { timeout: busy })
              return value
            },
            catch: () => Guest.Stopped.of("EXECUTION_BUDGET_EXCEEDED", `The program ran for more than ${busy} ms`),
          })
        const setup = vm.runInContext(Guest.source, context, { filename: "guest.js" }) as (
          names: string,
          call: Guest.Host["call"],
          log: Guest.Host["log"],
        ) => Inside
        const guest = setup(host.names, host.call, host.log)
        return {
          parse,
          start: (text) =>
            enter(() => guest.start(vm.runInContext(text, context, { filename: Guest.file, timeout: busy }))),
          settle: (how, id, json) => enter(() => guest[how](id, json)),
          advance: Effect.map(enter(() => guest.look()), String),
        }
      })),
})
