import type { Source } from "../compile/template.ts"
import type { ToolCall } from "./tool-call.ts"

/** Why a tool call failed, as its tool told it. */
export interface ToolFailure {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  /** The tool's callable name. */
  readonly tool: string
}

/** The internal slots of an error object: what a report needs and the program does not see. */
export class ErrorData {
  /** Where it was made. */
  source: Source | null = null
  offset = 0
  /** The text of the expression it is about, and what the value of that was: `undefined`, `string`, `array`. */
  expression: string | undefined = undefined
  value: string | undefined = undefined
  /** The call whose promise stood where its result was meant. */
  call: ToolCall | null = null
  /** For the failure of a tool call: what the tool said. */
  failure: ToolFailure | null = null
}
