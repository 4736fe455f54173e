import * as Prompt from "effect/ai/Prompt"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { count } from "./count.ts"
import type { RunAttachment } from "./report.ts"
import * as ToolSource from "./tool-call.ts"

/** How much one run may attach. */
export interface Bounds {
  readonly maxAttachments: number
  readonly maxAttachmentBytes: number
}

/** Collects for one call at a time. */
export class Collector {
  index = 0
  callId = ""

  constructor(private readonly attachments: Attachments) {}

  readonly add = (attachment: ToolSource.Attachment): Effect.Effect<void, ToolSource.Failure> =>
    Effect.suspend(() => this.attachments.add(this.index, this.callId, attachment))
}

/** Collects what the calls of one run attach, within bounds. */
export class Attachments {
  private readonly kept: Array<{ readonly index: number; readonly attachment: RunAttachment }> = []
  private bytes = 0
  private closed = false

  /** `beyond`: who hears of each, too, and may refuse it. */
  constructor(
    private readonly bounds: Bounds,
    private readonly beyond: (typeof ToolSource.Attachments)["Service"] | undefined,
  ) {}

  /** The collector of one call. */
  of(index: number, callId: string): Collector {
    const collector = new Collector(this)
    collector.index = index
    collector.callId = callId
    return collector
  }

  add(
    index: number,
    callId: string,
    { data, fileName, mediaType }: ToolSource.Attachment,
  ): Effect.Effect<void, ToolSource.Failure> {
    // A call that could not be interrupted comes too late.
    if (this.closed) return Effect.void
    const size = sizeOf(data)
    if (size === undefined || !isMediaType(mediaType)) {
      return fail(
        "INVALID_TOOL_OUTPUT",
        "The tool gave a file that is not one. The fault is the tool's, not the call's.",
        false,
      )
    }
    const { maxAttachmentBytes, maxAttachments } = this.bounds
    if (this.kept.length >= maxAttachments) {
      return fail("LIMIT_EXCEEDED", `The tool gave a file, and a run may give at most ${count(maxAttachments)}.`, true)
    }
    if (this.bytes + size > maxAttachmentBytes) {
      return fail(
        "LIMIT_EXCEEDED",
        `The tool gave a file of ${count(size)} bytes, and the files of a run may have at most ${
          count(maxAttachmentBytes)
        } bytes together.`,
        true,
      )
    }
    this.bytes += size
    const attachment: RunAttachment = { mediaType, data, callId, ...fileName === undefined ? undefined : { fileName } }
    this.kept.push({ index, attachment })
    return this.beyond === undefined ? Effect.void : this.beyond.add(attachment)
  }

  close(): void {
    this.closed = true
  }

  /** All of them, in the order of the calls. */
  get all(): ReadonlyArray<RunAttachment> {
    return this.kept.toSorted((a, b) => a.index - b.index).map(({ attachment }) => attachment)
  }

  /**
   * What the model is sent in place of an encoded result: the same as a text, then the files. `undefined` where there are none, and the
   * result is sent as always.
   */
  modelOutput(encodedResult: Schema.Json): ReadonlyArray<Prompt.ToolModelOutputPart> | undefined {
    if (this.kept.length === 0) return undefined
    return [
      Prompt.textPart({ text: JSON.stringify(encodedResult) }),
      ...this.all.map(({ data, fileName, mediaType }) =>
        Prompt.filePart({ mediaType, data, ...fileName === undefined ? undefined : { fileName } })
      ),
    ]
  }
}

const fail = (code: string, message: string, retryable: boolean) =>
  Effect.fail(new ToolSource.Failure({ code, message, retryable }))

// One file that a provider refuses would have it refuse the conversation from then on.
const isMediaType = (text: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[^\r\n]*)?$/.test(text)

/** How many bytes a file has; `undefined` for one that is empty, or a text that is not in base64. An address is as long as it is. */
const sizeOf = (data: ToolSource.Attachment["data"]): number | undefined => {
  if (data instanceof Uint8Array) return data.length === 0 ? undefined : data.length
  if (typeof data !== "string") return data.href.length
  if (data.length === 0 || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined
  return data.length / 4 * 3 - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0)
}
