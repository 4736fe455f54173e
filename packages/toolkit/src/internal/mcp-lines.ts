/**
 * Reads what a server writes to its standard output, line by line, before the client does. The client ends the whole connection at
 * the first line that is no message, or that is too long; here such a line costs at most the call that it answers.
 */
import type * as McpSchema from "effect/ai/McpSchema"
import * as Option from "effect/Option"
import { JsonInput } from "./json-input.ts"
import type { Options } from "./json-reader.ts"
import { answered, asked, requestOf, responseOf, tooManyBytes, tooMuchMemory } from "./mcp-message.ts"

/** What the lines are told to. */
export interface Listener {
  /** A response with this id has come. Gives whether somebody waits for it. */
  readonly response: (message: McpSchema.JsonRpcResponse, id: McpSchema.RequestId) => boolean
  /** What has come with this id is no response that can be used. */
  readonly malformed: (id: McpSchema.RequestId) => boolean
  /** A response with this id, if it has one that can be told, is more than is taken: `why` goes on after what it is of. */
  readonly tooLong: (why: string, id: McpSchema.RequestId | undefined) => void
  /** An error that answers nothing that can be told has come. */
  readonly uncorrelated: (error: { readonly code: number; readonly message: string }) => void
  /** The server has asked or told something. Gives whether the client is to hear it. */
  readonly told: (method: string, asks: boolean) => boolean
  /** A line is no message at all. */
  readonly noise: () => void
}

/**
 * Makes what takes the output in pieces and gives what of it the client is to read: requests without what they ask with, which it answers
 * all alike, notifications, and for each response that somebody waits for one without its result, which the listener has.
 */
export const make = (listener: Listener, maxBytes: number, json: Options): (piece: Uint8Array) => string => {
  let line = new JsonInput(json)
  let bytes = 0

  const add = (piece: Uint8Array) => {
    bytes += piece.length
    // The line is of no use any more, except for whose answer it is.
    if (bytes > maxBytes) line.forget()
    line.addBytes(piece)
  }

  const end = (): string => {
    const [ended, length] = [line, bytes]
    line = new JsonInput(json)
    bytes = 0
    if (ended.isBlank) return ""
    const value = ended.end()
    if (length <= maxBytes && !ended.isTooLarge) return read(Option.getOrUndefined(value))
    const members = ended.members()
    if ("method" in members) listener.noise()
    else listener.tooLong(length > maxBytes ? tooManyBytes(length, maxBytes) : tooMuchMemory, requestId(members.id))
    return ""
  }

  const read = (value: unknown): string => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      listener.noise()
      return ""
    }
    if ("method" in value) {
      const request = requestOf(value)
      if (request === undefined) listener.noise()
      else if (listener.told(request.method, "id" in value)) {
        return `${asked(request)}\n`
      }
      return ""
    }
    const response = responseOf(value)
    const id = response === undefined ? requestId((value as { readonly id?: unknown }).id) : response.id
    if (response === undefined) {
      if (id === undefined || id === null || !listener.malformed(id)) listener.noise()
    } else if (id === undefined || id === null) {
      if (response.error !== undefined) listener.uncorrelated(response.error)
    } else if (listener.response(response, id)) return `${answered(id)}\n`
    else listener.noise()
    return ""
  }

  return (piece) => {
    let messages = ""
    let start = 0
    for (let newline = piece.indexOf(10); newline >= 0; newline = piece.indexOf(10, start)) {
      add(piece.subarray(start, newline))
      messages += end()
      start = newline + 1
    }
    if (start < piece.length) add(piece.subarray(start))
    return messages
  }
}

const requestId = (value: unknown): McpSchema.RequestId | undefined =>
  typeof value === "number" || typeof value === "string" ? value : undefined
