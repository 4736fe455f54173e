/**
 * Reads what a server writes to its standard output, line by line, before the client does. The client ends the whole connection at
 * the first line that is no message, or that is too long; here such a line costs at most the call that it answers.
 */
import * as McpSchema from "effect/ai/McpSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { TextDecoder } from "./web.ts"

/** What the lines are told to. */
export interface Listener {
  /** A response with this id has come. Gives whether somebody waits for it. */
  readonly response: (message: McpSchema.JsonRpcResponse, id: McpSchema.RequestId) => boolean
  /** What has come with this id is no response that can be used. */
  readonly malformed: (id: McpSchema.RequestId) => boolean
  /** A response with this id, if it has one that can be told, has so many bytes, more than are taken. */
  readonly tooLong: (bytes: number, id: McpSchema.RequestId | undefined) => void
  /** An error that answers nothing that can be told has come. */
  readonly uncorrelated: (error: { readonly code: number; readonly message: string }) => void
  /** The server has asked or told something. Gives whether the client is to hear it. */
  readonly told: (method: string, asks: boolean) => boolean
  /** A line is no message at all. */
  readonly noise: () => void
}

const decodeResponse = Schema.decodeUnknownOption(McpSchema.JsonRpcResponse)
const decodeRequest = Schema.decodeUnknownOption(Schema.Union([
  McpSchema.JsonRpcRequest,
  McpSchema.JsonRpcNotification,
]))

/**
 * Makes what takes the output in pieces and gives what of it the client is to read: requests and notifications as they are, and
 * for each response that somebody waits for one without its result, which the listener has.
 */
export const make = (listener: Listener, maxBytes: number): (piece: Uint8Array) => string => {
  const decoder = new TextDecoder()
  // A line that may turn out too long is looked at as it comes, and not all of it at once when it does.
  const scanFrom = Math.min(maxBytes, 256 * 1024)
  let parts: Array<string> = []
  let bytes = 0
  let scanner: IdScanner | undefined

  const add = (piece: Uint8Array) => {
    bytes += piece.length
    const text = decoder.decode(piece, { stream: true })
    parts.push(text)
    if (scanner !== undefined) scanner.feed(text)
    else if (bytes > scanFrom) {
      scanner = makeIdScanner()
      for (const part of parts) scanner.feed(part)
    }
    // The line is of no use any more, except for whose answer it is.
    if (bytes > maxBytes) parts = []
  }

  const end = (): string => {
    const line = parts.join("") + decoder.decode()
    const [length, scanned] = [bytes, scanner]
    parts = []
    bytes = 0
    scanner = undefined
    if (length > maxBytes) {
      if (scanned?.isRequest() === true) listener.noise()
      else listener.tooLong(length, scanned?.id())
      return ""
    }
    return line.trim() === "" ? "" : read(line)
  }

  const read = (line: string): string => {
    const value = parse(line)
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      listener.noise()
      return ""
    }
    if ("method" in value) {
      const request = decodeRequest(value)
      if (Option.isSome(request) && listener.told(request.value.method, "id" in value)) return `${line}\n`
      if (Option.isNone(request)) listener.noise()
      return ""
    }
    const response = Option.getOrUndefined(decodeResponse(value)) as McpSchema.JsonRpcResponse | undefined
    const id = response === undefined ? requestId((value as { readonly id?: unknown }).id) : response.id
    if (response === undefined) {
      if (id === undefined || id === null || !listener.malformed(id)) listener.noise()
    } else if (id === undefined || id === null) {
      if (response.error !== undefined) listener.uncorrelated(response.error)
    } else if (listener.response(response, id)) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":null}\n`
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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Finds the `id` of a message that is read in pieces and is kept nowhere. */
interface IdScanner {
  readonly feed: (text: string) => void
  readonly id: () => McpSchema.RequestId | undefined
  /** Whether what has been read asks or tells something. */
  readonly isRequest: () => boolean
}

// Members of the message itself are at depth 1. Longer names and ids than these are none.
const longestToken = 64

const makeIdScanner = (): IdScanner => {
  let depth = 0
  let inString = false
  let escaped = false
  let isValue = false
  let token = ""
  let key = ""
  let found: McpSchema.RequestId | undefined
  let isRequest = false

  const keep = (text: string, from: number, to: number) => {
    if (depth === 1 && token.length < longestToken) token += text.slice(from, Math.min(to, from + longestToken))
  }
  const endMember = () => {
    if (isValue && key === "id") found = requestId(parse(token)) ?? found
    isValue = false
    token = ""
  }
  const special = /["\\]/g
  // Where a string that is read at `from` goes on outside of it: most of what is too long is one string.
  const skipString = (text: string, from: number): number => {
    let i = from
    while (i < text.length) {
      if (escaped) {
        escaped = false
        i++
        continue
      }
      special.lastIndex = i
      const found = special.exec(text)
      if (found === null) return text.length
      i = found.index + 1
      if (found[0] === "\\") escaped = true
      else {
        inString = false
        return i
      }
    }
    return i
  }
  const outside = (char: string) => {
    switch (char) {
      case "{":
      case "[":
        depth++
        break
      case "}":
      case "]":
        if (depth === 1) endMember()
        depth--
        break
      case ":":
        if (depth === 1) {
          const name = parse(token)
          key = typeof name === "string" ? name : ""
          if (key === "method") isRequest = true
          isValue = true
          token = ""
        }
        break
      case ",":
        if (depth === 1) endMember()
        break
      default:
        keep(char, 0, 1)
    }
  }

  return {
    feed: (text) => {
      for (let i = 0; i < text.length;) {
        if (inString) {
          const end = skipString(text, i)
          keep(text, i, end)
          i = end
          continue
        }
        const char = text[i++]!
        if (char === "\"") {
          inString = true
          keep(char, 0, 1)
        } else outside(char)
      }
    },
    id: () => found,
    isRequest: () => isRequest,
  }
}
