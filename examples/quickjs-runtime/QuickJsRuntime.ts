/**
 * A `CodeRuntime` over QuickJS compiled to WebAssembly: the interface is small enough for another engine to stand behind it.
 */
import { CodeMode, type ToolSource } from "@effect-codemode/toolkit"
import { Cause, Effect, Exit, FiberMap, Queue, type Schema } from "effect"
import { getQuickJS, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten"
import { guest } from "./guest.ts"
import { read, type Reading } from "./source.ts"

// Flags of QuickJS's own `JS_Eval`: strict code, and a promise of the value of the last expression with `await` allowed.
const evaluate = 1 << 3 | 1 << 7
const compileOnly = 1 << 5

interface Thrown {
  readonly failure?: { readonly code: string; readonly message: string; readonly retryable: boolean }
  readonly missing?: string
  readonly name: string
  readonly message: string
  readonly stack: string
}

interface State {
  readonly result?: string
  readonly error?: Thrown
  readonly open: number
  readonly lost: ReadonlyArray<number>
  readonly unhandled?: Thrown
}

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
    Effect.scoped(Effect.gen(function*() {
      const logs: Array<string> = []
      const settled = yield* Queue.unbounded<readonly [id: number, Exit.Exit<Schema.Json, ToolSource.Failure>]>()
      const calls = yield* FiberMap.make<number>()
      const fork = yield* FiberMap.runtime(calls)<never>()
      const engine = yield* Effect.promise(() => getQuickJS())
      const context = yield* Effect.acquireRelease(
        Effect.sync(() => engine.newContext()),
        (context) => Effect.sync(() => context.dispose()),
      )
      let until = performance.now() + busy
      let halted = false
      context.runtime.setMemoryLimit(memory)
      context.runtime.setMaxStackSize(256 << 10)
      context.runtime.setInterruptHandler(() => halted = halted || performance.now() > until)

      const error = (code: string, message: string, retryable = true, location?: CodeMode.Location) =>
        new CodeMode.CodeError({ code, message, retryable, logs, location })
      const uncaught = (thrown: Thrown, reading?: Reading): Effect.Effect<never, CodeMode.CodeError> => {
        if (thrown.failure !== undefined) {
          return Effect.fail(error(thrown.failure.code, thrown.failure.message, thrown.failure.retryable))
        }
        const location = reading?.locate(thrown.stack)
        if (thrown.missing === undefined) {
          return Effect.fail(error("EXECUTION_ERROR", `${thrown.name}: ${thrown.message}`, true, location))
        }
        return Effect.matchEffect(execution.call(thrown.missing, {}), {
          onFailure: ({ code, message, retryable }) => Effect.fail(error(code, message, retryable, location)),
          onSuccess: () => Effect.fail(error("EXECUTION_ERROR", thrown.message, true, location)),
        })
      }
      // Every way into the engine is timed.
      const enter = <A>(f: () => A): A => {
        until = performance.now() + busy
        return f()
      }

      const harness = makeHarness(context, execution.tools, {
        log: (line) => {
          logs.push(line)
          execution.log?.(line)
        },
        call: (id, name, input) =>
          fork(
            id,
            Effect.flatMap(Effect.exit(execution.call(name, input)), (exit) => Queue.offer(settled, [id, exit])),
          ),
      })
      yield* Effect.addFinalizer(() => Effect.sync(harness.dispose))

      let refusal: Thrown | undefined
      let refused: Reading | undefined
      let running: Reading | undefined
      for (const reading of read(execution.code)) {
        const compiled = context.evalCode(reading.text, "program.js", evaluate | compileOnly)
        if (compiled.error === undefined) {
          compiled.value.dispose()
          running = reading
          break
        }
        refusal = harness.describe(compiled.error)
        refused = reading
      }
      if (running === undefined) {
        return yield* error("SYNTAX_ERROR", refusal!.message, true, refused!.locate(refusal!.stack))
      }
      const { text, whole } = running
      enter(() => harness.start(context.unwrapResult(context.evalCode(text, "program.js", evaluate)), whole))

      while (true) {
        // A few jobs at a time, so that a program that only ever awaits itself can be interrupted.
        enter(() => context.runtime.executePendingJobs(1_000)).dispose()
        if (halted) {
          return yield* error("EXECUTION_BUDGET_EXCEEDED", `The program ran for more than ${busy} ms without waiting.`)
        }
        if (context.runtime.hasPendingJob()) {
          yield* Effect.yieldNow
          continue
        }
        const state: State = harness.look()
        for (const id of state.lost) yield* FiberMap.remove(calls, id)
        if (state.error !== undefined) return yield* uncaught(state.error, running)
        if (state.open === 0) {
          if (state.result === undefined) {
            return yield* error("EXECUTION_ERROR", "The program waits for a promise that nothing can settle.")
          }
          if (state.unhandled === undefined) return { result: JSON.parse(state.result), logs }
          const { failure, message, name } = state.unhandled
          return yield* error(
            failure?.code ?? "EXECUTION_ERROR",
            `Unhandled rejection of tools.${name}: ${message}`,
            failure?.retryable,
          )
        }
        const [id, exit] = yield* Queue.take(settled)
        if (Exit.isSuccess(exit)) {
          enter(() => harness.settle(id, JSON.stringify(exit.value), false))
          continue
        }
        const failure = exit.cause.reasons.find(Cause.isFailReason)
        if (failure === undefined) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
        const { code, message, retryable } = failure.error
        enter(() => harness.settle(id, JSON.stringify({ code, message, retryable }), true))
      }
    })),
})

const makeHarness = (
  context: QuickJSContext,
  names: ReadonlyArray<string>,
  host: {
    readonly log: (line: string) => void
    readonly call: (id: number, name: string, input: Schema.JsonObject) => unknown
  },
) => {
  const own = <A extends { dispose: () => void }>(handle: A, use: (handle: A) => unknown) => {
    use(handle)
    handle.dispose()
  }
  const invoke = (f: QuickJSHandle, ...args: ReadonlyArray<QuickJSHandle>) => {
    const result = context.unwrapResult(context.callFunction(f, context.undefined, ...args))
    for (const arg of args) arg.dispose()
    return result
  }
  const callHost = context.newFunction("call", (id, name, input) => {
    host.call(context.getNumber(id), context.getString(name), JSON.parse(context.getString(input)))
  })
  const log = context.newFunction("log", (line) => host.log(context.getString(line)))
  const setup = context.unwrapResult(context.evalCode(guest, "guest.js"))
  const list = context.unwrapResult(context.evalCode(`(${JSON.stringify(names)})`))
  const harness = invoke(setup, list, callHost, log)
  setup.dispose()
  const [describe, start, settle, look] = ["describe", "start", "settle", "look"].map((name) =>
    context.getProp(harness, name)
  ) as [QuickJSHandle, QuickJSHandle, QuickJSHandle, QuickJSHandle]
  const json = (handle: QuickJSHandle) => {
    const text = context.getString(handle)
    handle.dispose()
    return JSON.parse(text)
  }
  return {
    describe: (error: QuickJSHandle): Thrown => json(invoke(describe, error)),
    start: (program: QuickJSHandle, whole: boolean) =>
      own(invoke(start, program, whole ? context.true : context.false), () => {}),
    settle: (id: number, value: string, failed: boolean) =>
      own(
        invoke(settle, context.newNumber(id), context.newString(value), failed ? context.true : context.false),
        () => {},
      ),
    look: (): State => json(invoke(look)),
    dispose: () => [describe, start, settle, look, harness].forEach((handle) => handle.dispose()),
  }
}
