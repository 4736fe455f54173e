import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Catalog from "../Catalog.ts"
import type * as ToolSource from "../ToolSource.ts"
import { attempt } from "./attempt.ts"
import { defect } from "./defect.ts"
import * as Handled from "./handled.ts"
import { Starter } from "./starter.ts"
import { CallId, Failure } from "./tool-call.ts"

/** Makes a source of a toolkit with handlers: `ToolSource.fromToolkit`. */
export const make = <Tools extends Record<string, Tool.Any>>(
  name: string,
  toolkit: Toolkit.WithHandler<Tools>,
): Effect.Effect<ToolSource.ToolSource, never, Tool.HandlerServices<Tools[keyof Tools]>> =>
  Effect.contextWith((services: Context.Context<never>) => {
    if (!Handled.isHandled(toolkit)) return defect(Handled.unhandled)
    const handle = toolkit.handle as unknown as Handled.Handle
    const named = Catalog.nameOf()
    // A map, so that of two tools with one name the last counts.
    const tools = new Map<string, { readonly own: string; readonly tool: Tool.Any }>()
    for (const [own, tool] of Object.entries(toolkit.tools)) {
      if (!Tool.isProviderDefined(tool)) tools.set(named(own, tool), { own, tool })
    }
    let listing: ToolSource.Listing | undefined
    const around = (fiber: Context.Context<never>) => Context.merge(services, fiber)
    return Effect.succeed<ToolSource.ToolSource>({
      name,
      list: Effect.sync(() =>
        listing ??= { definitions: Array.from(tools, ([path, { tool }]) => definition(path, tool, services)) }
      ),
      call: (path, input) => {
        const found = tools.get(path)
        if (found === undefined) {
          return Effect.suspend(() =>
            Effect.fail(new Failure({ code: "UNKNOWN_TOOL", message: `There is no tool "${path}".`, retryable: true }))
          )
        }
        const call = Effect.withFiber((fiber) => {
          const told = { name: path, tool: found.tool, callId: fiber.getRef(CallId) }
          return Handled.call(handle, found.own, told, input, Starter.of(fiber))
        })
        // What the handlers need is in what is merged.
        return Effect.updateContext(call as Effect.Effect<Schema.Json, Failure>, around)
      },
      checksInput: true,
    })
  })

// A schema that cannot be written as JSON Schema throws; the tool is still there to be called.
const definition = (
  name: string,
  tool: Tool.Any,
  services: Context.Context<never>,
): ToolSource.Definition => ({
  name,
  title: annotation(tool, Tool.Title),
  description: attempt(() => Tool.getDescription(tool), undefined),
  input: attempt(() => Tool.getJsonSchema(tool), { type: "object" }),
  output: annotation(tool, Catalog.Output) ??
    attempt(() => Tool.getJsonSchemaFromSchema(tool.successSchema), undefined),
  annotations: {
    readOnly: annotation(tool, Tool.Readonly),
    destructive: annotation(tool, Tool.Destructive),
    idempotent: annotation(tool, Tool.Idempotent),
    openWorld: annotation(tool, Tool.OpenWorld),
  },
  approval: approval(tool, services),
})

// What is not annotated is left open: the defaults of `effect/ai` are those that a careful reader takes anyway.
const annotation = <Identifier, Shape>(tool: Tool.Any, key: Context.Key<Identifier, Shape>): Shape | undefined =>
  Context.getOrUndefined(tool.annotations as Context.Context<never>, key as Context.Key<never, Shape>)

// The tool decides on decoded parameters. Those that cannot be decoded are refused by the call, and nobody need be asked.
const approval = (
  { needsApproval, parametersSchema }: Tool.Any,
  services: Context.Context<never>,
): Tool.NeedsApproval<Schema.Unknown> | undefined => {
  if (typeof needsApproval !== "function") return needsApproval
  const decode = Schema.isSchema(parametersSchema)
    ? Schema.decodeUnknownEffect(parametersSchema) as (input: unknown) => Effect.Effect<unknown, Schema.SchemaError>
    : Effect.succeed<unknown>
  return (input, context) =>
    Effect.matchEffect(decode(input), {
      onFailure: () => Effect.succeed(false),
      onSuccess: (parameters) => {
        const answer = needsApproval(parameters, context)
        return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
      },
    }).pipe(Effect.updateContext((fiber: Context.Context<never>) => Context.merge(services, fiber)))
}
