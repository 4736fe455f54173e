/**
 * Puts the tools of several sources together into one toolkit, under a policy that says of each whether code may call it, whether a
 * person is asked, or whether it is not there at all.
 *
 * @since 0.1.0
 */
import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type CallFailure, Tools } from "./internal/assembled.ts"
import { defect } from "./internal/defect.ts"
import * as Listed from "./internal/listed.ts"
import * as Checked from "./internal/options.ts"
import { inTurns } from "./internal/turns.ts"
import * as ToolSource from "./ToolSource.ts"

export {
  /**
   * What the model reads of a call that failed, where it made the call directly.
   *
   * @since 0.1.0
   * @category schemas
   */
  CallFailure,
} from "./internal/assembled.ts"

/**
 * What a policy says of a tool.
 *
 * - `"allow"`: code calls it. Where the source itself wants a person asked, a person is.
 * - `"approve"`: it stands beside `execute`, and a person is asked before each call.
 * - `"deny"`: it is not there. It is not told of, not found, and calling it fails as calling any name that never was one.
 *
 * @since 0.1.0
 * @category policies
 */
export type Decision = "allow" | "approve" | "deny"

/**
 * Decides on a tool, from its source, from what the source says of it, and from its callable name (`github.issues.list`). Asked once
 * for each tool when a toolkit is assembled.
 *
 * @since 0.1.0
 * @category policies
 */
export type Policy = (source: ToolSource.ToolSource, definition: ToolSource.Definition, path: string) => Decision

/**
 * The policy for sources whose word is taken: code calls the tools that say they change nothing, and a person is asked before any
 * other.
 *
 * @since 0.1.0
 * @category policies
 */
export const readOnly: Policy = (_, { annotations }) => annotations.readOnly === true ? "allow" : "approve"

/**
 * The policy that lets code call everything, except what a source itself wants a person asked for.
 *
 * @since 0.1.0
 * @category policies
 */
export const allowAll: Policy = () => "allow"

/**
 * A member whose tools are not there, because its source could not list them. Its tag is `MemberUnavailable`.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unavailable
  extends Schema.TaggedError<Unavailable>("@effect-codemode/toolkit/Assembly/Unavailable")("MemberUnavailable", {
    /** The namespace of the member. */
    member: Schema.String,
    /** The member and why, in a sentence. */
    message: Schema.String,
    /** Why, as the source says it. */
    failure: ToolSource.Failure,
  })
{}

/**
 * A tool of an assembled toolkit. Its name is one that every provider takes, such as `github__list_issues`; `Catalog.Path` tells the name
 * that code calls it by, `github.list_issues`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AssembledTool extends
  Tool.Dynamic<string, {
    readonly parameters: JsonSchema.JsonSchema
    readonly success: typeof Schema.Json
    readonly failure: typeof CallFailure
    readonly failureMode: "return"
  }>
{}

/**
 * An assembled toolkit: what goes to `CodeMode.toolkit`, and whose tools are missing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Assembled extends Toolkit.WithHandler<Record<string, AssembledTool>> {
  /** The members whose sources could not list their tools. The model is told that they are not available now. */
  readonly unavailable: ReadonlyArray<Unavailable>
}

/**
 * How a toolkit is assembled. An option that makes no sense is a defect that names it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long a source may take to list its tools, its start included. 30 seconds by default. One that takes longer is unavailable. */
  readonly timeout?: Duration.Input | undefined
  /** Whether a member that is unavailable fails the assembly, rather than being left out. Not by default. */
  readonly strict?: boolean | undefined
}

const rules: Checked.Rules<Options> = { timeout: Checked.duration, strict: Checked.flag }

/**
 * Assembles the tools of all members into one toolkit with handlers, for `CodeMode.toolkit`.
 *
 * `members` are sources by their namespaces: code calls the tool `list_issues` of the member `github` as
 * `tools.github.list_issues`. A namespace may have dots, and none may lie within another. One that cannot be is a defect that names it.
 *
 * Each source is asked for its tools now, all at once. One that cannot tell them in time is left out: a warning in the log
 * says why, the model is told that the namespace is not available now, and the next assembly asks again. With `strict`, it fails the
 * assembly. The toolkit has the tools as they are now; assemble anew for each turn of a conversation to see those that came and went.
 *
 * Of two tools with one name in a member, the last counts, and the policy is asked for that one alone. Inputs are checked against
 * their JSON Schemas, and results go on as the source gives them. What a tool attaches to a call that the model makes directly is the call's model
 * output; a run collects it where code makes the call.
 *
 * A denied tool leaves no trace of its own. What a source says in its notes, or in the description of another tool, is passed on as it
 * stands.
 *
 * **Example** (Two sources, and one tool fewer)
 *
 * ```ts
 * import { Assembly, CodeMode, type ToolSource } from "@effect-codemode/toolkit"
 * import { Effect } from "effect"
 *
 * const presented = (github: ToolSource.ToolSource, files: ToolSource.ToolSource) =>
 *   Effect.gen(function*() {
 *     const assembled = yield* Assembly.toolkit({ github, files }, (source, definition, path) =>
 *       path === "github.delete_repository" ? "deny" : Assembly.readOnly(source, definition, path))
 *     return yield* CodeMode.toolkit(assembled, yield* CodeMode.CodeRuntime)
 *   })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const toolkit: {
  (
    members: Readonly<Record<string, ToolSource.ToolSource>>,
    policy: Policy,
    options: Options & { readonly strict: true },
  ): Effect.Effect<Assembled, Unavailable>
  (
    members: Readonly<Record<string, ToolSource.ToolSource>>,
    policy: Policy,
    options?: Options & { readonly strict?: false | undefined },
  ): Effect.Effect<Assembled>
  (
    members: Readonly<Record<string, ToolSource.ToolSource>>,
    policy: Policy,
    options?: Options,
  ): Effect.Effect<Assembled, Unavailable>
} = (
  members: Readonly<Record<string, ToolSource.ToolSource>>,
  policy: Policy,
  options: Options = {},
): Effect.Effect<Assembled> => {
  const assembled: Effect.Effect<Assembled, Unavailable> = Effect.gen(function*() {
    yield* Checked.check(options, rules)
    if (typeof policy !== "function") {
      return yield* defect("There is no policy. Give one, such as `Assembly.readOnly`.")
    }
    const sources = yield* Listed.members(members)
    const timeout = Duration.fromInputUnsafe(options.timeout ?? "30 seconds")
    const listed = yield* Effect.forEach(
      sources,
      ([member, source]) => Effect.result(Listed.list(member, source, timeout)),
      { concurrency: "unbounded" },
    )
    const tools = new Tools(policy)
    const unavailable: Array<Unavailable> = []
    for (const [i, [member, source]] of sources.entries()) {
      const listing = listed[i]!
      if (Result.isSuccess(listing)) {
        yield* inTurns(tools.add(member, source, listing.success))
        continue
      }
      const failure = listing.failure
      unavailable.push(
        new Unavailable({ member, message: `The member "${member}" is not available: ${failure.message}`, failure }),
      )
    }
    if (options.strict === true && unavailable.length > 0) return yield* Effect.fail(unavailable[0]!)
    for (const { message } of unavailable) yield* Effect.logWarning(`${message} Its tools are left out.`)
    return { tools: tools.record, handle: tools.handle as unknown as Assembled["handle"], unavailable }
  })
  // Only `strict` has it fail.
  return assembled as unknown as Effect.Effect<Assembled>
}
