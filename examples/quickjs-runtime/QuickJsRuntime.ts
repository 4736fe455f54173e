/**
 * A `CodeRuntime` over QuickJS compiled to WebAssembly: another engine behind the same interface. `Guest` has what all such runtimes
 * share; here is what belongs to QuickJS.
 */
import { type CodeMode, Guest } from "@effect-codemode/toolkit"
import { Effect } from "effect"
import { getQuickJS, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten"

// Of QuickJS's own `JS_Eval`: compile, and run nothing.
const compileOnly = 1 << 5

/**
 * Makes the runtime. QuickJS runs a program without giving the event loop back, so a program that never waits cannot be
 * interrupted from outside; `busy` is how long it may hold the host at a stretch, in milliseconds. `memory` is in bytes.
 */
export const make = ({ busy = 1_000, memory = 64 << 20 } = {}): CodeMode.CodeRuntime => ({
  guide: {
    language: "JavaScript (ECMAScript 2023), strict. `await` and `return` work at the top level.",
    search: false,
  },
  run: (execution) =>
    Guest.run(execution, (host) =>
      Effect.gen(function*() {
        const quickjs = yield* Effect.promise(() => getQuickJS())
        const context = yield* Effect.acquireRelease(
          Effect.sync(() => quickjs.newContext()),
          (context) => Effect.sync(() => context.dispose()),
        )
        let until = 0
        let halted = false
        context.runtime.setMemoryLimit(memory)
        context.runtime.setMaxStackSize(256 << 10)
        context.runtime.setInterruptHandler(() => halted = halted || performance.now() > until)

        // Every way into the engine is timed, and what has ended it is why the run ends.
        const enter = <A>(use: () => A): Effect.Effect<A, Guest.Stopped> =>
          Effect.suspend(() => {
            until = performance.now() + busy
            const entered = Effect.try({
              try: use,
              catch: () =>
                Guest.Stopped.of("LIMIT_EXCEEDED", `The program used more than ${memory >> 20} MiB of memory.`),
            })
            const late = `The program ran for more than ${busy} ms without waiting.`
            return Effect.flatMap(Effect.exit(entered), (exit) =>
              halted ? Effect.fail(Guest.Stopped.of("EXECUTION_BUDGET_EXCEEDED", late)) : exit)
          })
        const guest = yield* Effect.acquireRelease(
          enter(() =>
            inside(context, host)
          ),
          (guest) => Effect.sync(() => guest.dispose()),
        )

        return {
          parse: (text) =>
            enter(() => {
              const compiled = context.evalCode(text, Guest.file, compileOnly)
              const refusal = compiled.error === undefined ? undefined : context.dump(compiled.error)
              compiled.dispose()
              return refusal
            }),
          start: (text) => enter(() => guest.call("start", context.unwrapResult(context.evalCode(text, Guest.file)))),
          settle: (how, id, json) => enter(() => guest.call(how, context.newNumber(id), context.newString(json))),
          advance: enter(() => {
            // Some jobs at a time, so that a program that only ever awaits itself can be interrupted.
            context.runtime.executePendingJobs(1_000).dispose()
            return context.runtime.hasPendingJob() ? undefined : guest.call("look")
          }),
        }
      })),
})

/** The guest inside a context. A handle is ours until it is disposed of. */
const inside = (context: QuickJSContext, host: Guest.Host) => {
  const invoke = (f: QuickJSHandle, args: ReadonlyArray<QuickJSHandle>): QuickJSHandle => {
    const result = context.callFunction(f, context.undefined, ...args)
    for (const arg of args) arg.dispose()
    return context.unwrapResult(result)
  }
  const setup = context.unwrapResult(context.evalCode(Guest.source, "guest.js"))
  const guest = invoke(setup, [
    context.newString(host.names),
    context.newFunction(
      "call",
      (id, tool, input) => host.call(context.getNumber(id), context.getString(tool), context.getString(input)),
    ),
    context.newFunction("log", (line) => host.log(context.getString(line))),
  ])
  setup.dispose()
  return {
    call: (name: "start" | "resolve" | "reject" | "look", ...args: ReadonlyArray<QuickJSHandle>): string => {
      const told = context.getProp(guest, name).consume((f) => invoke(f, args))
      return told.consume((told) => context.getString(told))
    },
    dispose: () => guest.dispose(),
  }
}
