import { Effect, Ref, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"

/** A model that answers each request with the next turn of a script, and remembers what it was sent. */
export const scripted = (turns: ReadonlyArray<ReadonlyArray<Response.PartEncoded>>) =>
  Effect.gen(function*() {
    const turn = yield* Ref.make(0)
    const requests: Array<LanguageModel.ProviderOptions> = []
    const next = (options: LanguageModel.ProviderOptions) =>
      Effect.map(Ref.getAndUpdate(turn, (n) => n + 1), (n) => {
        requests.push(options)
        return [...(turns[n] ?? [])]
      })
    const model = yield* LanguageModel.make({
      generateText: next,
      streamText: (options) => Stream.unwrap(Effect.map(next(options), (parts) => Stream.fromIterable(parts as never))),
    })
    return { model, requests }
  })

/** The model calls a tool. */
export const call = (id: string, name: string, params: unknown): Response.PartEncoded => ({
  type: "tool-call",
  id,
  name,
  params,
})

/** The model says something. */
export const text = (text: string): Response.PartEncoded => ({ type: "text", text })
