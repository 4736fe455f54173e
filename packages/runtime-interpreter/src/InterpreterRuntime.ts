/**
 * Runs programs in this process, on an interpreter that can stop anywhere: no program holds the event loop, gets at the host, or
 * goes on beyond its limits.
 *
 * @since 0.1.0
 */
import * as CodeMode from "@effect-codemode/toolkit/CodeMode"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import { isBuiltIn, ProgramCache } from "./engine/index.ts"
import { finish, loadTypeScript } from "./engine/parse/index.ts"
import { describe } from "./internal/guide.ts"
import { searchable } from "./internal/searchable.ts"
import { Session, type Settings } from "./internal/session.ts"
import * as Limits from "./Limits.ts"
import * as Search from "./Search.ts"

/**
 * How programs are run. Every option has a default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Bounds of a run. */
  readonly limits?: Limits.Limits
  /**
   * Values that programs read by name: a date, a locale, an allow-listed part of the environment. They are copied in and cannot be
   * changed, are named in the instructions, and must not have the name of a built-in.
   */
  readonly globals?: Readonly<Record<string, Schema.Json>>
  /** The locale in which programs format by default. `en-US` by default. */
  readonly locale?: string
  /** The time zone of programs' dates. `UTC` by default. */
  readonly timeZone?: string
}

/**
 * Makes a runtime. Programs search their tools as `search({ query })`; see `Search`. Throws for an option that makes no sense, naming it.
 *
 * A run takes its clock and its random source from the fiber that runs it, so that tests with `TestClock` and a seeded `Random`
 * are repeatable; interrupting that fiber ends the run and its calls. Runs share nothing but compiled programs.
 *
 * **Example** (Running a program)
 *
 * ```ts
 * import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
 * import { Effect } from "effect"
 *
 * const runtime = InterpreterRuntime.make({ limits: { fuel: 1_000_000 } })
 *
 * const program = runtime.run({
 *   code: "const user = await tools.user({ id: 1 })\nreturn user.name",
 *   tools: ["user"],
 *   call: (_tool, input) => Effect.succeed({ id: input.id ?? null, name: "Ada" })
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): CodeMode.CodeRuntime => {
  const { globals, locale, timeZone } = options
  for (const name of Object.keys(globals ?? {})) {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) {
      throw new Error(`The option \`globals\` has a name that is no identifier: ${JSON.stringify(name)}`)
    }
    if (isBuiltIn(name) || name === Search.globalName) {
      throw new Error(`The option \`globals\` has the name of a built-in: \`${name}\``)
    }
  }
  const settings: Settings = {
    limits: Limits.resolve(options.limits),
    programs: new ProgramCache(),
    globals: globals === undefined ? undefined : structuredCopy(globals),
    locale,
    timeZone,
  }
  return {
    run: (execution) =>
      Effect.withFiber((fiber) =>
        Effect.callback<CodeMode.Outcome, CodeMode.CodeError>((resume) =>
          new Session(settings, searchable(execution), fiber, resume).start()
        )
      ),
    guide: { language: describe(Object.keys(globals ?? {})), search: true },
  }
}

// What the host changes later is not to reach programs.
const structuredCopy = (globals: Readonly<Record<string, Schema.Json>>): Readonly<Record<string, Schema.Json>> => {
  try {
    return JSON.parse(JSON.stringify(globals)) as Readonly<Record<string, Schema.Json>>
  } catch (cause) {
    throw new Error("The option `globals` has a value that is not JSON", { cause })
  }
}

/**
 * A runtime as a layer. An option that makes no sense is a defect when the layer is built.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<CodeMode.CodeRuntime> =>
  Layer.sync(CodeMode.CodeRuntime, () => make(options))

/**
 * Loads TypeScript's compiler ahead of the first program that has types: it takes about half a second of the processor, once in a process,
 * during which nothing else runs. A server does it before it takes requests; programs that are JavaScript never need it.
 *
 * Dies if `typescript` cannot be loaded, which is a dependency of this package.
 *
 * **Example** (Starting a server)
 *
 * ```ts
 * import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
 * import { Effect, Layer } from "effect"
 *
 * const RuntimeLive = InterpreterRuntime.layer().pipe(
 *   Layer.provideMerge(Layer.effectDiscard(InterpreterRuntime.preload))
 * )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const preload: Effect.Effect<void> = Effect.promise(async () => {
  const { erase } = await loadTypeScript()
  // What runs for the first time is slow.
  finish(
    erase(
      "enum A { B }\nclass C<D> { constructor(private readonly e: D) {} }\nnamespace F { export const g: number = 1 }",
    ),
  )
})
