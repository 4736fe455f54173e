// A language model without a key or a network: it says what it was written to say, and everything around it is real. It is an
// ordinary `LanguageModel` layer, which is why a provider's layer can take its place.
import { Effect, Layer, Stream } from "effect"
import { LanguageModel, type Prompt, type Response } from "effect/ai"

/** What a turn is written from: the user's text, and the results that the model has read so far. */
export interface Conversation {
  readonly request: string
  readonly results: ReadonlyArray<Prompt.ToolResultPart>
}

/** What the model says in a turn. */
export type Turn = (conversation: Conversation) => ReadonlyArray<Response.PartEncoded>

/** The model sends a program. */
export const program = (id: string, code: string): Turn => () => [{
  type: "tool-call",
  id,
  name: "execute",
  params: { code },
}]

/** The model calls a tool, with an input that may depend on what it read. */
export const call = (
  id: string,
  name: string,
  params: object | ((conversation: Conversation) => unknown),
): Turn =>
(conversation) => [{
  type: "tool-call",
  id,
  name,
  params: typeof params === "function" ? params(conversation) : params,
}]

/** The model says several things in one turn, such as calls that do not wait for each other. */
export const together = (...turns: ReadonlyArray<Turn>): Turn => (conversation) =>
  turns.flatMap((turn) => turn(conversation))

/** The model answers. */
export const answer = (text: (conversation: Conversation) => string): Turn => (conversation) => [{
  type: "text",
  text: text(conversation),
}]

/**
 * What a call gave. The script ends here when it is not what it was written for: a real model would read the failure and try
 * again.
 */
export const result = <A>({ results }: Conversation, index: number): A => {
  const { isFailure, name, result } = results[index]!
  if (isFailure) throw new Error(`${name} failed, which is not in the script: ${JSON.stringify(result)}`)
  return (name === "execute" ? (result as { readonly result: A }).result : result) as A
}

const conversation = (prompt: Prompt.Prompt): Conversation => {
  const request: Array<string> = []
  const results: Array<Prompt.ToolResultPart> = []
  for (const message of prompt.content) {
    if (message.role === "user") {
      for (const part of message.content) if (part.type === "text") request.push(part.text)
    }
    if (message.role === "tool") {
      for (const part of message.content) if (part.type === "tool-result") results.push(part)
    }
  }
  return { request: request.join("\n"), results }
}

/** The model: its turns, in order. */
export const layer = (turns: ReadonlyArray<Turn>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) =>
        Effect.sync(() => {
          const past = prompt.content.filter(({ role }) => role === "assistant").length
          return [...turns[past]!(conversation(prompt))]
        }),
      streamText: () => Stream.die(new Error("The scripted model does not stream")),
    }),
  )
