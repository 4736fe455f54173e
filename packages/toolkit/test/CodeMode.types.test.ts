import { type Catalog, CodeMode, type ToolSource } from "@effect-codemode/toolkit"
import { describe, expectTypeOf, it } from "@effect/vitest"
import { Context, type Duration, Effect, Layer, Schema } from "effect"
import { LanguageModel, type Response, Tool, Toolkit } from "effect/ai"
import { stub } from "./fixtures.ts"

class Database extends Context.Service<Database, { readonly rows: number }>()("test/Database") {}

const Count = Tool.make("count", {
  parameters: Schema.Struct({ table: Schema.String }),
  success: Schema.Number,
  failure: Schema.Struct({ reason: Schema.String }),
  failureMode: "return",
  dependencies: [Database],
})

const Drop = Tool.make("drop", { success: Schema.Void, needsApproval: true })

const Tools = Toolkit.make(Count, Drop)

const presented = Effect.provide(
  Tools,
  Tools.toLayer({ count: () => Effect.map(Database, ({ rows }) => rows), drop: () => Effect.void }),
)

const built = Effect.flatMap(presented, (tools) => CodeMode.toolkit(tools, stub(() => Effect.succeed(null))))

type Record<T> = T extends Effect.Effect<Toolkit.WithHandler<infer Tools>, unknown, unknown> ? Tools : never

describe("the types of the toolkit", () => {
  it("the record is merged: each presented tool, and execute", () => {
    expectTypeOf<keyof Record<typeof built>>().toEqualTypeOf<"count" | "drop" | "execute">()
    expectTypeOf<Record<typeof built>["count"]>().toEqualTypeOf<typeof Count>()
    expectTypeOf<Record<typeof built>["drop"]>().toEqualTypeOf<typeof Drop>()
    expectTypeOf<Record<typeof built>["execute"]>().toEqualTypeOf<CodeMode.ExecuteTool>()
  })

  it("the requirements are those of the handlers, and nothing fails", () => {
    expectTypeOf<Effect.Services<typeof built>>().toEqualTypeOf<Database>()
    expectTypeOf<Effect.Error<typeof built>>().toEqualTypeOf<never>()
    type Free = ReturnType<typeof CodeMode.toolkit<{ readonly drop: typeof Drop }>>
    expectTypeOf<Effect.Services<Free>>().toEqualTypeOf<never>()
  })

  it("the signature is the published one", () => {
    type Published = <Tools extends globalThis.Record<string, Tool.Any>>(
      presented: Toolkit.WithHandler<Tools>,
      runtime: CodeMode.CodeRuntime,
      options?: CodeMode.Options,
    ) => Effect.Effect<
      Toolkit.WithHandler<Toolkit.MergeRecords<Tools | { readonly execute: CodeMode.ExecuteTool }>>,
      never,
      Tool.HandlerServices<Tools[keyof Tools]>
    >
    expectTypeOf(CodeMode.toolkit).toEqualTypeOf<Published>()
  })

  it("execute takes code, gives an outcome, and fails with code, message and retryable", () => {
    expectTypeOf<Tool.Parameters<CodeMode.ExecuteTool>>().toEqualTypeOf<{ readonly code: string }>()
    expectTypeOf<Tool.Success<CodeMode.ExecuteTool>>().toEqualTypeOf<CodeMode.Outcome>()
    expectTypeOf<Tool.Failure<CodeMode.ExecuteTool>>().toEqualTypeOf<
      { readonly code: string; readonly message: string; readonly retryable: boolean }
    >()
    expectTypeOf<Tool.HandlerServices<CodeMode.ExecuteTool>>().toEqualTypeOf<never>()
    expectTypeOf<Tool.HandlerError<CodeMode.ExecuteTool>>().toEqualTypeOf<never>()
    expectTypeOf<CodeMode.Outcome>().toEqualTypeOf<
      { readonly result: Schema.Json; readonly logs: ReadonlyArray<string> }
    >()
  })

  it("the toolkit goes into generateText, and its results are typed", () => {
    const program = Effect.gen(function*() {
      const toolkit = yield* built
      const response = yield* LanguageModel.generateText({ prompt: "Count", toolkit })
      for (const result of response.toolResults) {
        if (result.name === "execute" && !result.isFailure) {
          expectTypeOf(result.result).toEqualTypeOf<CodeMode.Outcome>()
        }
      }
      expectTypeOf(response.toolCalls).items.toExtend<Response.ToolCallPart<string, unknown>>()
    })
    expectTypeOf<Effect.Services<typeof program>>().toEqualTypeOf<Database | LanguageModel.LanguageModel>()
  })
})

describe("the types of the runtime interface", () => {
  it("a plain object is a runtime, and so is what a layer provides", () => {
    const plain: CodeMode.CodeRuntime = { run: () => Effect.succeed({ result: null, logs: [] }) }
    const guided = {
      run: () => Effect.succeed({ result: 1, logs: [] }),
      guide: { language: "JavaScript", search: true },
    } satisfies CodeMode.CodeRuntime
    expectTypeOf(Layer.succeed(CodeMode.CodeRuntime, plain)).toEqualTypeOf<Layer.Layer<CodeMode.CodeRuntime>>()
    expectTypeOf(guided).toExtend<CodeMode.CodeRuntime>()
    const used = Effect.gen(function*() {
      return yield* CodeMode.CodeRuntime
    })
    expectTypeOf<Effect.Success<typeof used>>().toEqualTypeOf<CodeMode.CodeRuntime>()
    expectTypeOf<Effect.Services<typeof used>>().toEqualTypeOf<CodeMode.CodeRuntime>()
  })

  it("an execution has the published members", () => {
    expectTypeOf<CodeMode.Execution["code"]>().toEqualTypeOf<string>()
    expectTypeOf<CodeMode.Execution["tools"]>().toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf<CodeMode.Execution["call"]>().toEqualTypeOf<
      (tool: string, input: Schema.JsonObject) => Effect.Effect<Schema.Json, ToolSource.Failure>
    >()
    expectTypeOf<CodeMode.Execution["catalog"]>().toEqualTypeOf<Catalog.Catalog | undefined>()
    const least: CodeMode.Execution = { code: "", tools: [], call: () => Effect.succeed(null) }
    expectTypeOf(least).toExtend<CodeMode.Execution>()
  })

  it("options take durations in every form", () => {
    expectTypeOf<NonNullable<CodeMode.Options["timeout"]>>().toEqualTypeOf<Duration.Input>()
    const options: CodeMode.Options = { timeout: "5 seconds", maxResultLength: 1_000, oversize: "truncate" }
    expectTypeOf(options).toExtend<CodeMode.Options>()
  })

  it("an error is made from its parts", () => {
    const error = new CodeMode.CodeError({ code: "TIMEOUT", message: "Too slow", retryable: true, logs: [] })
    expectTypeOf(error.location).toEqualTypeOf<CodeMode.Location | undefined>()
    expectTypeOf<CodeMode.ErrorCode>().toExtend<string>()
  })
})
