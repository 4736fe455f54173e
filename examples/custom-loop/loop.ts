/**
 * An agent loop without `LanguageModel`: the model is told the instructions, sends a program, reads the outcome or why there is
 * none, and sends the next, until it has an answer.
 */
import { CodeMode } from "@effect-codemode/toolkit"
import { Console, Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"

/** What a model says in one turn: a program to run, or its answer. */
export type Turn = { readonly program: string } | { readonly answer: string }

/** A model: from what it was told so far to its next turn. One that talks to a provider fits here as well. */
export type Model = (transcript: ReadonlyArray<string>) => Effect.Effect<Turn>

class NoSuchCustomer extends Schema.TaggedError<NoSuchCustomer>()("NoSuchCustomer", {
  code: Schema.Literal("NO_SUCH_CUSTOMER"),
  message: Schema.String,
}) {}

/** The tools of a small shop. */
export const Shop = Toolkit.make(
  Tool.make("shop.list_orders", {
    description: "Lists all orders, newest first",
    success: Schema.Array(Schema.Struct({ id: Schema.Int, customer: Schema.String, cents: Schema.Int })),
  }),
  Tool.make("shop.get_customer", {
    description: "Finds a customer by name",
    parameters: Schema.Struct({ name: Schema.String }),
    success: Schema.Struct({ name: Schema.String, country: Schema.String }),
    failure: NoSuchCustomer,
  }),
)

const countries: Readonly<Record<string, string>> = { Ada: "GB", Grace: "US", Edsger: "NL" }

export const ShopLive = Shop.toLayer({
  "shop.list_orders": () =>
    Effect.succeed(
      Array.from({ length: 500 }, (_, i) => ({
        id: 500 - i,
        customer: Object.keys(countries)[i % 3]!,
        cents: 100 + (i * 7919) % 5000,
      })),
    ),
  "shop.get_customer": ({ name }) =>
    Object.hasOwn(countries, name)
      ? Effect.succeed({ name, country: countries[name]! })
      : Effect.fail(new NoSuchCustomer({ code: "NO_SUCH_CUSTOMER", message: `There is no customer "${name}"` })),
})

/** Runs the loop over the shop's tools, printing each step, and gives the model's answer. */
export const loop = (model: Model, runtime: CodeMode.CodeRuntime, prompt: string) =>
  Effect.gen(function*() {
    const mode = yield* CodeMode.make(yield* Shop, runtime, { timeout: "10 seconds" })
    const transcript = [mode.instructions, prompt]
    yield* Console.log(`The model is told:\n\n${mode.instructions}\n\nThe user asks: ${prompt}`)

    for (let step = 1;; step++) {
      const turn = yield* model(transcript)
      if ("answer" in turn) {
        yield* Console.log(`\nThe model answers: ${turn.answer}`)
        return turn.answer
      }
      const heard = yield* Effect.match(mode.execute(turn.program, `step-${step}`), {
        onFailure: (error) => `${error.code}: ${mode.explain(turn.program, error)}`,
        onSuccess: (outcome) => JSON.stringify(outcome),
      })
      yield* Console.log(`\nStep ${step}. The model sends:\n\n${turn.program}\n\nand reads:\n\n${heard}`)
      transcript.push(turn.program, heard)
    }
  })
