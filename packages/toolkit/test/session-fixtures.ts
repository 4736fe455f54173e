import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { Cause, Deferred, Effect, Exit, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"

const none = Schema.Struct({})

/** Tools with which a program does everything that a run can see. */
export const Kit = Toolkit.make(
  Tool.make("echo", { parameters: Schema.Struct({ n: Schema.Number }), success: Schema.Number }),
  Tool.make("github.list", { parameters: none, success: Schema.Array(Schema.String) }),
  // Answers after so many milliseconds of the fiber's clock.
  Tool.make("slow", { parameters: Schema.Struct({ ms: Schema.Number }), success: Schema.Number }),
  Tool.make("refuse", { parameters: none, success: Schema.String, failure: ToolSource.Failure }),
  Tool.make("break", { parameters: none, success: Schema.String }),
  Tool.make("never", { parameters: none, success: Schema.String }),
  Tool.make("attach", {
    parameters: Schema.Struct({ file: Schema.String, ms: Schema.optionalKey(Schema.Number) }),
    success: Schema.String,
    failure: ToolSource.Failure,
  }),
  Tool.make("ask_person", { parameters: none, success: Schema.String, needsApproval: true }),
)

/** The defect of the tool `break`. */
export const secret = "hunter2 at /srv/secrets"

/** Base64 of a text. */
export const base64 = (text: string): string => Buffer.from(text).toString("base64")

/** The tools with their handlers. `started` is done once `never` waits, `interrupted` once it is interrupted. */
export const kit = Effect.gen(function*() {
  const started = yield* Deferred.make<void>()
  const interrupted = yield* Deferred.make<void>()
  const handled: Array<string> = []
  const presented = yield* Effect.provide(
    Kit,
    Kit.toLayer({
      echo: ({ n }) =>
        Effect.sync(() => {
          handled.push(`echo ${n}`)
          return n
        }),
      "github.list": () => Effect.succeed(["a", "b"]),
      slow: ({ ms }) => Effect.as(Effect.sleep(ms), ms),
      refuse: () =>
        Effect.fail(new ToolSource.Failure({ code: "NO_SUCH_REPO", message: "No repository a/b", retryable: false })),
      break: () => Effect.die(new Error(secret)),
      never: () =>
        Effect.onInterrupt(
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never),
          () => Deferred.succeed(interrupted, undefined),
        ),
      attach: ({ file, ms }) =>
        Effect.gen(function*() {
          if (ms !== undefined) yield* Effect.sleep(ms)
          yield* ToolSource.attach({ mediaType: "image/png", fileName: `${file}.png`, data: base64(file) })
          return `[1 image attached: ${file}.png]`
        }),
      ask_person: () => Effect.succeed("yes"),
    }),
  )
  return { presented, started, interrupted, handled }
})

export const runtime = InterpreterRuntime.make()

/** Code mode over the kit in the interpreter. */
export const mode = (options?: CodeMode.Options, limits?: InterpreterRuntime.Options["limits"]) =>
  Effect.gen(function*() {
    const own = yield* kit
    const made = yield* CodeMode.make(
      own.presented,
      limits === undefined ? runtime : InterpreterRuntime.make({ limits }),
      options,
    )
    return { ...own, ...made }
  })

/** Waits in real time until something is so. */
export const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.promise(async () => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
  })

/** Lets everything run that can without the clock going on. */
export const settle = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 50)))

/** Why a run failed. */
export const errorOf = ({ exit }: CodeMode.Report): CodeMode.CodeError | undefined =>
  Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason)?.error : undefined
