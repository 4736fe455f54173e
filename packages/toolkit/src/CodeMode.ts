/**
 * Presents a whole toolkit to a model as one tool, `execute({ code })`. The model writes a program, the program calls the
 * toolkit's tools, and only what it returns enters the model's context.
 *
 * @since 0.1.0
 */
import * as AiError from "effect/ai/AiError"
import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Catalog from "./Catalog.ts"
import * as CatalogText from "./internal/catalog-text.ts"
import { type CodeError, type CodeRuntime, Outcome } from "./internal/contract.ts"
import { defect } from "./internal/defect.ts"
import * as ErrorText from "./internal/errorText.ts"
import * as Handled from "./internal/handled.ts"
import * as Instructions from "./internal/instructions.ts"
import * as Presented from "./internal/presented.ts"
import type { Report } from "./internal/report.ts"
import { type Common, Session } from "./internal/session.ts"
import * as Settings from "./internal/settings.ts"
import type { Options } from "./internal/settings.ts"
import { inTurns } from "./internal/turns.ts"

export {
  /**
   * Waits for something during which a call takes no turn from the others.
   *
   * @since 0.1.0
   * @category models
   */
  type Aside,
  /**
   * Why a program did not finish.
   *
   * @since 0.1.0
   * @category errors
   */
  CodeError,
  /**
   * Runs code: the interface, and the key under which a `Layer` provides it.
   *
   * @since 0.1.0
   * @category services
   */
  CodeRuntime,
  /**
   * The codes with which a run fails by itself.
   *
   * @since 0.1.0
   * @category errors
   */
  ErrorCode,
  /**
   * One program to run, and what it may do.
   *
   * @since 0.1.0
   * @category models
   */
  type Execution,
  /**
   * A place in a program.
   *
   * @since 0.1.0
   * @category models
   */
  Location,
  /**
   * What a run gave.
   *
   * @since 0.1.0
   * @category models
   */
  Outcome,
  /**
   * What a run used of its runtime.
   *
   * @since 0.1.0
   * @category models
   */
  type Usage,
} from "./internal/contract.ts"

export type {
  /**
   * The parts of what the model is told.
   *
   * @since 0.1.0
   * @category models
   */
  Texts,
} from "./internal/instructions.ts"

export type {
  /**
   * A call that a program makes, as it starts.
   *
   * @since 0.1.0
   * @category models
   */
  Call,
  /**
   * What became of a call.
   *
   * @since 0.1.0
   * @category models
   */
  CallEnd,
  /**
   * One run: what it came to, what it called, what it used.
   *
   * @since 0.1.0
   * @category models
   */
  Report,
  /**
   * A call as a report tells it.
   *
   * @since 0.1.0
   * @category models
   */
  ReportedCall,
  /**
   * An attachment, and the call that gave it.
   *
   * @since 0.1.0
   * @category models
   */
  RunAttachment,
} from "./internal/report.ts"

export type {
  /**
   * How a toolkit is presented, and how its runs are bounded and observed.
   *
   * @since 0.1.0
   * @category models
   */
  Options,
} from "./internal/settings.ts"

/**
 * What the model reads of a run that failed: the code, and a message with the reason, the place in the code, a hint and the
 * logs.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExecuteFailure = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
}).annotate({ identifier: "CodeModeFailure" })

const ExecuteParameters = Schema.Struct({
  code: Schema.String.annotate({ description: "The program to run" }),
})

/**
 * The tool that runs code.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExecuteTool extends
  Tool.Tool<"execute", {
    readonly parameters: typeof ExecuteParameters
    readonly success: typeof Outcome
    readonly failure: typeof ExecuteFailure
    readonly failureMode: "return"
  }>
{}

/**
 * The parts of code mode, for agent loops that do not use `LanguageModel`.
 *
 * @since 0.1.0
 * @category models
 */
export interface CodeMode {
  /** What to tell the model about running code: how to work, the language, the tools. Markdown; the same tools, the same text. */
  readonly instructions: string
  /** The parts of the instructions, for a text of the host's own. */
  readonly texts: Instructions.Texts
  /** What the model is told about each tool that code can call. */
  readonly catalog: Catalog.Catalog
  /**
   * The presented tools that code cannot call, by name: those that may need approval, those of a provider, those named by
   * `direct`. The loop offers them as tools of their own, asks a person where `needsApproval` says so, and has them handled by `handle` of
   * the presented toolkit.
   */
  readonly sideTools: Readonly<Record<string, Tool.Any>>
  /**
   * Runs a program over the presented toolkit, within the limits. `id` is the id of the call that sent the code; the calls of
   * the program are `<id>/1`, `<id>/2` and so on. What tools attach is handed on to the `ToolSource.Attachments` of the fiber.
   */
  readonly execute: (code: string, id?: string) => Effect.Effect<Outcome, CodeError>
  /**
   * The same with all that there is to tell: the outcome or the error, the calls in order, the attachments, what was used. Does not
   * fail for a program that does; is interrupted with its fiber, and then `onRunEnd` alone hears the report.
   */
  readonly run: (code: string, id?: string) => Effect.Effect<Report>
  /** Puts together what the model reads of a failed run: reason, place, source line with a caret, hint, logs. */
  readonly explain: (code: string, error: CodeError) => string
}

/**
 * Makes the parts of code mode over a presented toolkit. Contacts nothing: no tool is called, nothing is opened. An option that makes
 * no sense is a defect that names it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <Tools extends Record<string, Tool.Any>>(
  presented: Toolkit.WithHandler<Tools>,
  runtime: CodeRuntime,
  options?: Options,
): Effect.Effect<CodeMode, never, Tool.HandlerServices<Tools[keyof Tools]>> =>
  Effect.map(build(presented, runtime, options), ({ mode }) => mode)

/** Begins a run. */
type Open = (
  code: string,
  id: string | undefined,
  options: { readonly recorded: boolean; readonly forwards: boolean },
) => Session

const build = <Tools extends Record<string, Tool.Any>>(
  presented: Toolkit.WithHandler<Tools>,
  runtime: CodeRuntime,
  options: Options | undefined,
): Effect.Effect<{ readonly mode: CodeMode; readonly open: Open }, never, Tool.HandlerServices<Tools[keyof Tools]>> =>
  Effect.gen(function*() {
    const settings = yield* Settings.resolve(options)
    yield* parts(presented, runtime)
    const tools = yield* Presented.make(
      presented as unknown as Presented.AnyToolkit,
      settings.name,
      settings.direct,
      settings,
    )
    const catalog = Catalog.make(
      Array.from(tools.callable, ([path, { tool }]) => [path, tool] as const),
      tools.unavailable,
    )
    const search = runtime.guide?.search === true
    const rendered = yield* inTurns(CatalogText.render(catalog, {
      budget: settings.catalogBudget,
      // Without search, no tool may be out of reach.
      paths: !search,
      footer: search ? Instructions.searchSignature : "",
    }))
    const beside = Array.from(tools.beside.values())
    const texts = Instructions.make({ name: settings.name, catalog: rendered, beside, guide: runtime.guide })
    let entries: ReadonlyMap<string, Catalog.Entry> | undefined
    const common: Common = {
      settings,
      presented: tools,
      runtime,
      catalog,
      entryOf: (tool) => (entries ??= new Map(catalog.entries.map((entry) => [entry.tool, entry]))).get(tool),
      names: Array.from(tools.callable.keys()),
      // The handlers' services are taken once, here. The fiber that runs a program goes before them.
      services: (yield* Effect.context<never>()) as Context.Context<never>,
      search: search && rendered.shown < rendered.total,
    }
    let runs = 0
    const open: Open = (code, id, options) => new Session(common, id ?? `${settings.name}-${++runs}`, code, options)
    const mode: CodeMode = {
      instructions: Instructions.join(texts),
      texts,
      catalog,
      sideTools: Object.fromEntries(beside.map(({ name, tool }) => [name, tool])),
      execute: (code, id) => Effect.suspend(() => open(code, id, { recorded: false, forwards: true }).run),
      run: (code, id) =>
        Effect.suspend(() => {
          const session = open(code, id, { recorded: true, forwards: false })
          return Effect.map(Effect.exit(session.run), (exit) => session.report(exit))
        }),
      explain: (code, error) => ErrorText.render(code, error, settings.maxResultLength),
    }
    return { mode, open }
  })

// Both are checked by their types. Where there are none, this says what was meant.
const parts = (presented: unknown, runtime: unknown): Effect.Effect<void> => {
  if (!Handled.isHandled(presented)) return defect(Handled.unhandled)
  if (Predicate.hasProperty(runtime, "run") && typeof runtime.run === "function") return Effect.void
  return defect(
    "The runtime is none: it has no function `run`. Of a layer, give what `yield* CodeMode.CodeRuntime` gives where the layer is provided.",
  )
}

/**
 * Presents a toolkit as one tool that runs code, beside those of its tools that may need approval, belong to a provider or are
 * named by `direct`. Contacts nothing.
 *
 * The result goes where the toolkit went: `LanguageModel.generateText({ prompt, toolkit })`. With the option `name` our tool has
 * that name in the record; the type goes on calling it `execute`.
 *
 * **Example** (One tool in place of many)
 *
 * ```ts
 * import { CodeMode } from "@effect-codemode/toolkit"
 * import { Effect, Schema } from "effect"
 * import { LanguageModel, Tool, Toolkit } from "effect/ai"
 *
 * const Weather = Toolkit.make(
 *   Tool.make("weather", { parameters: Schema.Struct({ city: Schema.String }), success: Schema.Number })
 * )
 *
 * const program = Effect.gen(function*() {
 *   const runtime = yield* CodeMode.CodeRuntime
 *   const toolkit = yield* CodeMode.toolkit(yield* Weather, runtime, { timeout: "10 seconds" })
 *   return yield* LanguageModel.generateText({ prompt: "Is Oslo colder than Rome?", toolkit })
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const toolkit = <Tools extends Record<string, Tool.Any>>(
  presented: Toolkit.WithHandler<Tools>,
  runtime: CodeRuntime,
  options?: Options,
): Effect.Effect<
  Toolkit.WithHandler<Toolkit.MergeRecords<Tools | { readonly execute: ExecuteTool }>>,
  never,
  Tool.HandlerServices<Tools[keyof Tools]>
> =>
  Effect.map(build(presented, runtime, options), ({ mode, open }) => {
    const name = options?.name ?? "execute"
    const own = Tool.make(name, {
      description: mode.instructions,
      parameters: ExecuteParameters,
      success: Outcome,
      failure: ExecuteFailure,
      failureMode: "return",
    })
    const tools: Record<string, Tool.Any> = { ...mode.sideTools, [name]: own }
    const inner = presented as unknown as Presented.AnyToolkit
    const handle: Presented.AnyToolkit["handle"] = (tool, params, id, parseOptions) => {
      if (tool === name) return Effect.succeed(Stream.fromEffect(executed(mode, open, params, id)))
      if (Object.hasOwn(tools, tool)) return inner.handle(tool, params, id, parseOptions)
      return Effect.fail(
        AiError.make({
          module: "CodeMode",
          method: `${tool}.handle`,
          reason: new AiError.ToolNotFoundError({ toolName: tool, availableTools: Object.keys(tools) }),
        }),
      )
    }
    // The record is merged at run time as its type says.
    return { tools, handle } as never
  })

const decodeParameters = Schema.decodeUnknownEffect(ExecuteParameters)

// A handler of our own rather than a toolkit around one: a run needs no further fiber and queue, and parameters that do not fit
// are told in the same form as every other failure.
const executed = (
  mode: CodeMode,
  open: Open,
  params: unknown,
  id: string | undefined,
): Effect.Effect<Tool.HandlerResult<Tool.Any>> =>
  Effect.matchEffect(decodeParameters(params), {
    onFailure: (error) =>
      Effect.succeed(failed("parameters", { code: "INVALID_TOOL_INPUT", message: error.message, retryable: true })),
    onSuccess: ({ code }) => {
      const session = open(code, id, { recorded: false, forwards: false })
      return Effect.match(session.run, {
        onFailure: (error) =>
          attached(
            session,
            failed("handler", { code: error.code, message: mode.explain(code, error), retryable: error.retryable }),
          ),
        onSuccess: (outcome) =>
          attached(session, { result: outcome, encodedResult: outcome, isFailure: false, preliminary: false }),
      })
    },
  })

// The model is sent files beside the result, whether the run failed or not.
const attached = (session: Session, result: Tool.HandlerResult<Tool.Any>): Tool.HandlerResult<Tool.Any> => {
  const modelOutput = session.attachments.modelOutput(result.encodedResult as Schema.Json)
  return modelOutput === undefined ? result : { ...result, modelOutput }
}

const failed = (
  failureOrigin: Tool.FailureOrigin,
  failure: typeof ExecuteFailure.Type,
): Tool.HandlerResult<Tool.Any> => ({
  result: failure,
  encodedResult: failure,
  isFailure: true,
  failureOrigin,
  preliminary: false,
})
