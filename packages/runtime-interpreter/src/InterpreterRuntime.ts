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
  readonly limits?: Limits.Limits | undefined
  /**
   * Values that programs read by name: a date, a locale, an allow-listed part of the environment. They are copied in and cannot be
   * changed, are named in the instructions, and must not have the name of a built-in.
   */
  readonly globals?: Readonly<Record<string, Schema.Json>> | undefined
  /** The locale in which programs format by default. `en-US` by default. */
  readonly locale?: string | undefined
  /** The time zone of programs' dates. `UTC` by default. */
  readonly timeZone?: string | undefined
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
  checkOptions(options)
  const { globals, locale, timeZone } = options
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

const known: { readonly [Name in keyof Options]-?: true } = {
  limits: true,
  globals: true,
  locale: true,
  timeZone: true,
}

/** Words that a program cannot use as a name, as it is the body of a strict async function. */
const reserved = new Set(
  ("arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super switch " +
    "this throw true try typeof var void while with yield").split(" "),
)

/** Throws for what a program would trip over later, or what would be left out without a word. */
const checkOptions = (options: Options): void => {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    throw new Error(
      `There is no option \`${name}\`. ${
        Object.hasOwn(Limits.defaults, name) ? "It is one of `limits`." : `There are: ${Object.keys(known).join(", ")}.`
      }`,
    )
  }
  const { globals, locale, timeZone } = options
  if (locale !== undefined) checkName("locale", locale, () => Intl.getCanonicalLocales(locale))
  if (timeZone !== undefined) checkName("timeZone", timeZone, () => new Intl.DateTimeFormat("en", { timeZone }))
  if (globals === undefined) return
  if (typeof globals !== "object" || globals === null) throw new Error("The option `globals` is not a record of values")
  for (const name of Object.keys(globals)) {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) {
      throw new Error(`The option \`globals\` has a name that is no identifier: ${JSON.stringify(name)}`)
    }
    if (reserved.has(name)) throw new Error(`The option \`globals\` has a name that is a reserved word: \`${name}\``)
    if (isBuiltIn(name) || name === Search.globalName) {
      throw new Error(`The option \`globals\` has the name of a built-in: \`${name}\``)
    }
  }
}

const checkName = (option: string, value: string, use: () => unknown): void => {
  try {
    if (typeof value === "string") {
      use()
      return
    }
  } catch {
    // The host knows no such thing.
  }
  throw new Error(`The option \`${option}\` is not known to this host: ${JSON.stringify(value)}`)
}

/** Stops at what JSON would leave out, or write as something else. */
const onlyJson = (key: string, value: unknown): unknown => {
  const isLost = typeof value === "number"
    ? !Number.isFinite(value)
    : typeof value === "function" || typeof value === "symbol"
  if (isLost) throw new Error(`${JSON.stringify(key)} is no JSON`)
  return value
}

// What the host changes later is not to reach programs.
const structuredCopy = (globals: Readonly<Record<string, Schema.Json>>): Readonly<Record<string, Schema.Json>> => {
  try {
    for (const [name, value] of Object.entries(globals)) {
      if (value === undefined) throw new Error(`${JSON.stringify(name)} is undefined`)
    }
    return JSON.parse(JSON.stringify(globals, onlyJson)) as Readonly<Record<string, Schema.Json>>
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
