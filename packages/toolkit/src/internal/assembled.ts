import * as AiError from "effect/ai/AiError"
import * as Tool from "effect/ai/Tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { AssembledTool, Policy } from "../Assembly.ts"
import * as Catalog from "../Catalog.ts"
import type * as ToolSource from "../ToolSource.ts"
import { Attachments } from "./attachments.ts"
import * as Failure from "./failure.ts"
import type { Handle } from "./handled.ts"
import * as Input from "./input.ts"
import { isRecord } from "./json-schema.ts"
import { knownJson, notJson, toJson } from "./json.ts"
import type { Listing } from "./listed.ts"
import { providerName } from "./provider-name.ts"
import * as ToolCall from "./tool-call.ts"
import type { Steps } from "./turns.ts"

/**
 * What a call that fails gives to the model, where the model makes it directly.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CallFailure = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
}).annotate({ identifier: "ToolCallFailure" })

/** How much a tool may attach to a call that the model makes directly. */
const bounds = { maxAttachments: 20, maxAttachmentBytes: 20 * 1024 * 1024 }

interface Entry {
  readonly source: ToolSource.ToolSource
  readonly definition: ToolSource.Definition
  readonly path: string
  readonly tool: AssembledTool
}

type Result = Tool.HandlerResult<Tool.Any> & { readonly [knownJson]?: Schema.Json }

/** The tools of an assembly, and how they are called. */
export class Tools {
  readonly record: Record<string, AssembledTool> = {}
  private readonly entries = new Map<string, Entry>()

  constructor(private readonly policy: Policy) {}

  /** Adds what the policy does not deny of a member. */
  *add(member: string, source: ToolSource.ToolSource, { definitions, notes }: Listing): Steps<void> {
    const namespace = { path: member, notes }
    for (const definition of definitions.values()) {
      yield
      const path = `${member}.${definition.name}`
      const decision: unknown = this.policy(source, definition, path)
      if (decision === "deny") continue
      if (decision !== "allow" && decision !== "approve") {
        throw new Error(
          `The policy said ${String(decision)} of the tool ${
            JSON.stringify(path)
          }, and not "allow", "approve" or "deny".`,
        )
      }
      const tool = make(path, definition, namespace, decision === "approve" ? true : definition.approval)
      this.record[tool.name] = tool
      this.entries.set(tool.name, { source, definition, path, tool })
    }
  }

  readonly handle: Handle = (name, parameters, id) => {
    const entry = this.entries.get(name)
    if (entry !== undefined) return Effect.succeed(Stream.fromEffect(called(entry, parameters, id)))
    return Effect.fail(
      AiError.make({
        module: "Assembly",
        method: `${name}.handle`,
        reason: new AiError.ToolNotFoundError({ toolName: name, availableTools: Object.keys(this.record) }),
      }),
    )
  }
}

const make = (
  path: string,
  { annotations, description, input, output, title }: ToolSource.Definition,
  namespace: (typeof Catalog.Namespace)["Service"],
  needsApproval: ToolSource.Definition["approval"],
): AssembledTool => {
  const { destructive, idempotent, openWorld, readOnly } = annotations
  const told = new Map<string, unknown>([
    [Catalog.Path.key, path],
    [Catalog.Namespace.key, namespace],
    // Without one the result is unknown.
    [Catalog.Output.key, output ?? {}],
    // The schemas of strangers are seldom what a provider calls strict.
    [Tool.Strict.key, false],
  ])
  if (title !== undefined) told.set(Tool.Title.key, title)
  if (readOnly !== undefined) told.set(Tool.Readonly.key, readOnly)
  if (destructive !== undefined) told.set(Tool.Destructive.key, destructive)
  if (idempotent !== undefined) told.set(Tool.Idempotent.key, idempotent)
  if (openWorld !== undefined) told.set(Tool.OpenWorld.key, openWorld)
  return Tool.dynamic(providerName(path), {
    description: description ?? title,
    // Providers refuse a tool, and with it the request, whose input is not said to be the object that it is.
    parameters: input.type === "object" ? input : { ...input, type: "object" },
    success: Schema.Json,
    failure: CallFailure,
    failureMode: "return",
    needsApproval,
  }).annotateMerge(Context.makeUnsafe<never>(told)) as AssembledTool
}

/** One call, from code or by the model itself. Where nobody collects what it attaches, that is its model output. */
const called = (entry: Entry, parameters: unknown, id: string | undefined): Effect.Effect<Result> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const { definition, path, source, tool } = entry
    const input = parameters ?? {}
    const wrong = source.checksInput === true && isRecord(input) ? undefined : refusal(definition, input)
    if (wrong !== undefined) return Effect.succeed(failed(wrong, "parameters"))
    const collector = Context.get(context, ToolCall.Attachments) === ToolCall.nobody
      ? new Attachments(bounds, undefined)
      : undefined
    const call = Effect.suspend(() => source.call(definition.name, input as Schema.JsonObject)).pipe(
      Effect.provideService(ToolCall.CallId, id),
      Effect.flatMap((result) => {
        const json = toJson(result)
        return json === notJson
          ? Failure.invalidOutput(path, id, "The result is not JSON")
          : Effect.succeed<Result>({
            result: json,
            encodedResult: json,
            isFailure: false,
            preliminary: false,
            [knownJson]: json,
          })
      }),
      Effect.catchCause((cause) =>
        Effect.match(Failure.fromCause(path, tool, id, cause) as Effect.Effect<never, ToolCall.Failure>, {
          onFailure: (failure) => failed(failure, "handler"),
          onSuccess: (never) => never,
        })
      ),
    )
    if (collector === undefined) return call
    return Effect.map(
      Effect.provideService(call, ToolCall.Attachments, collector.of(0, id ?? definition.name)),
      (result) => {
        collector.close()
        const modelOutput = collector.modelOutput(result.encodedResult as Schema.Json)
        return modelOutput === undefined ? result : { ...result, modelOutput }
      },
    )
  })

const refusal = ({ input: schema, name }: ToolSource.Definition, input: unknown): ToolCall.Failure | undefined => {
  if (isRecord(input)) return Input.check(schema)(input)
  const given = Array.isArray(input) ? "an array" : `a ${typeof input}`
  const message = `The tool "${name}" takes one object as its input, and was given ${given}.`
  return new ToolCall.Failure({ code: "INVALID_TOOL_INPUT", message, retryable: true })
}

const failed = ({ code, message, retryable }: ToolCall.Failure, failureOrigin: Tool.FailureOrigin): Result => {
  const failure = { code, message, retryable }
  return { result: failure, encodedResult: failure, isFailure: true, failureOrigin, preliminary: false }
}
