// The loop around a model: until it answers without calling a tool. Calls that need approval wait here for a decision.
import { Effect } from "effect"
import { Prompt } from "effect/ai"

/** A call that the model made. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly params: unknown
}

/** What the loop reads of a response of `Chat.generateText` or `LanguageModel.generateText`. */
export interface Response {
  readonly text: string
  readonly toolCalls: ReadonlyArray<ModelCall>
  readonly content: ReadonlyArray<
    { readonly type: string; readonly approvalId?: unknown; readonly toolCallId?: unknown }
  >
}

/**
 * Runs the loop. `turn` asks the model, with what is said to it first; `decide` says whether a call that needs approval may be made. Gives
 * the model's last text.
 */
export const converse = <E, R, E2, R2, E3, R3>(
  turn: (said: Prompt.RawInput) => Effect.Effect<Response, E, R>,
  options: {
    readonly decide: (call: ModelCall) => Effect.Effect<boolean, E2, R2>
    readonly said: (text: string) => Effect.Effect<void, E3, R3>
  },
): Effect.Effect<string, E | E2 | E3, R | R2 | R3> =>
  Effect.gen(function*() {
    let said: Prompt.RawInput = []
    while (true) {
      const response = yield* turn(said)
      if (response.text !== "") yield* options.said(response.text)
      if (response.toolCalls.length === 0) return response.text

      const decisions: Array<Prompt.ToolApprovalResponsePart> = []
      for (const { approvalId, toolCallId, type } of response.content) {
        if (type !== "tool-approval-request") continue
        const call = response.toolCalls.find(({ id }) => id === toolCallId)!
        const approved = yield* options.decide(call)
        decisions.push(
          Prompt.toolApprovalResponsePart({
            approvalId: String(approvalId),
            approved,
            ...approved ? {} : { reason: "The person at the terminal said no" },
          }),
        )
      }
      said = decisions.length > 0 ? [{ role: "tool", content: decisions }] : []
    }
  })
