import { Assembly, CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expectTypeOf, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { stub } from "./fixtures.ts"
import { sourceOf } from "./sources.ts"

class Disk extends Context.Service<Disk, string>()("test/Disk") {}

const Tools = Toolkit.make(
  Tool.make("read", { success: Schema.String, dependencies: [Disk] }),
  Tool.make("plain", { success: Schema.String }),
)

const { source } = sourceOf([])

describe("the types of an assembly", () => {
  it("fails only where the host wants all members", () => {
    const lenient = Assembly.toolkit({ source }, Assembly.readOnly)
    const told = Assembly.toolkit({ source }, Assembly.readOnly, { timeout: "1 second", strict: false })
    const strict = Assembly.toolkit({ source }, Assembly.allowAll, { strict: true })
    const either = (options: Assembly.Options) => Assembly.toolkit({ source }, Assembly.allowAll, options)
    expectTypeOf(lenient).toEqualTypeOf<Effect.Effect<Assembly.Assembled>>()
    expectTypeOf(told).toEqualTypeOf<Effect.Effect<Assembly.Assembled>>()
    expectTypeOf(strict).toEqualTypeOf<Effect.Effect<Assembly.Assembled, Assembly.Unavailable>>()
    expectTypeOf(either).returns.toEqualTypeOf<Effect.Effect<Assembly.Assembled, Assembly.Unavailable>>()
  })

  it("goes where a toolkit goes, and needs nothing", () => {
    const program = Effect.gen(function*() {
      const assembled = yield* Assembly.toolkit({ source }, Assembly.readOnly)
      const toolkit = yield* CodeMode.toolkit(assembled, stub(() => Effect.succeed(null)))
      const response = yield* LanguageModel.generateText({ prompt: "Read", toolkit })
      expectTypeOf(response.toolResults).items.toHaveProperty("encodedResult")
      yield* LanguageModel.generateText({ prompt: "Read", toolkit: assembled })
      return yield* CodeMode.make(assembled, stub(() => Effect.succeed(null)))
    })
    expectTypeOf<Effect.Services<typeof program>>().toEqualTypeOf<LanguageModel.LanguageModel>()
    expectTypeOf<Effect.Success<typeof program>>().toEqualTypeOf<CodeMode.CodeMode>()
  })

  it("a policy is a plain function of what it needs", () => {
    expectTypeOf((_: ToolSource.ToolSource, { name }: ToolSource.Definition) => name === "a" ? "deny" : "allow")
      .toExtend<Assembly.Policy>()
    expectTypeOf(() => "approve" as const).toExtend<Assembly.Policy>()
    expectTypeOf(() => "never" as const).not.toExtend<Assembly.Policy>()
  })
})

describe("the types of a source of a toolkit", () => {
  it("need what the handlers need, once", () => {
    const made = Effect.gen(function*() {
      return yield* ToolSource.fromToolkit("x", yield* Tools)
    })
    expectTypeOf<Effect.Services<typeof made>>()
      .toEqualTypeOf<Disk | Tool.HandlersFor<Toolkit.Tools<typeof Tools>>>()
    expectTypeOf<Effect.Success<typeof made>>().toEqualTypeOf<ToolSource.ToolSource>()
    expectTypeOf<Effect.Error<typeof made>>().toEqualTypeOf<never>()
  })
})
