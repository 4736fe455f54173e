/**
 * Turns an answer into the result of a call, within a limit that is kept while the answer is read.
 */
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ByteBlocks } from "../byte-blocks.ts"
import { count } from "../count.ts"
import { JsonInput } from "../json-input.ts"
import { oneLine } from "../safe-text.ts"
import type { Secrets } from "../secrets.ts"
import { attach, Failure } from "../tool-call.ts"
import { type Decoder, TextDecoder } from "../web.ts"
import { shorten } from "./document.ts"
import { failure, transportFailure } from "./exchange.ts"
import { essence, isMediaType, mediaOf } from "./media.ts"
import type { Operation } from "./operation.ts"

/** How much of a failure's body is read, in bytes, and how much of it is told, in characters. */
const MAX_READ_OF_FAILURE = 64 * 1024
const MAX_TOLD_OF_FAILURE = 2_000
const MAX_TOLD_OF_WRONG = 200
/** Deeper values are not looked through. */
const MAX_DEPTH = 500

type Response = HttpClientResponse.HttpClientResponse

/** Waits until more may be read than what takes so many bytes. */
type Turn = (bytes: number) => Effect.Effect<void>

/** The result of a call that was answered. */
export const receive = (
  operation: Operation,
  response: Response,
  secrets: Secrets,
  maxBytes: number,
  turn: Turn,
): Effect.Effect<Schema.Json, Failure> => {
  if (response.status < 200 || response.status > 299) return refused(operation, response, secrets, turn)
  if (operation.described.method === "head" || response.status === 204 || response.status === 205) {
    return Effect.succeed(null)
  }
  const length = Number(response.headers["content-length"])
  if (length > maxBytes) return Effect.fail(tooLarge(operation, maxBytes, length))
  const type = told(response, secrets, "content-type")
  const isJsonOnly = operation.answers.isJsonOnly(response.status)
  const media = type === undefined || !isMediaType(type) ? isJsonOnly ? "json" : "unknown" : mediaOf(type)
  switch (media) {
    case "json":
      return readJson(operation, type, response, secrets, maxBytes, turn)
    case "text":
    case "form":
      return isJsonOnly
        ? readJson(operation, type, response, secrets, maxBytes, turn)
        : Effect.map(readText(operation, response, maxBytes, "fail", turn), (text) => secrets.text(text))
    default:
      return isJsonOnly && media === "binary"
        ? Effect.fail(
          failure(operation, `answered with ${typeName(type)} in place of JSON`, false, "INVALID_TOOL_OUTPUT"),
        )
        : attachFile(operation, response, secrets, maxBytes, turn)
  }
}

// What an answer says of itself can repeat a secret as well as its body can.
const told = (response: Response, secrets: Secrets, header: string): string | undefined => {
  const value = response.headers[header]
  return value === undefined ? undefined : secrets.text(value)
}

const typeName = (type: string | undefined): string =>
  type === undefined ? "no media type" : oneLine(essence(type), 100)

const readJson = (
  operation: Operation,
  type: string | undefined,
  response: Response,
  secrets: Secrets,
  maxBytes: number,
  turn: Turn,
): Effect.Effect<Schema.Json, Failure> =>
  Effect.suspend(() => {
    const wrong = (what: string) =>
      Effect.fail(failure(operation, `answered with ${what}`, false, "INVALID_TOOL_OUTPUT"))
    const decoder = decoderOf(response.headers["content-type"])
    const input = new JsonInput({ mostMemory: 4 * maxBytes })
    const add = decoder.encoding === "utf-8"
      ? (chunk: Uint8Array) => input.addBytes(chunk)
      : (chunk: Uint8Array) => input.addText(decoder.decode(chunk, { stream: true }))
    const take = (chunk: Uint8Array) => {
      add(chunk)
      return input.isTooLarge ? tooManyParts(operation, maxBytes) : undefined
    }
    let before = 0
    // What is held is the value, not the chunks.
    const turnOfValue = () => {
      const grown = input.held - before
      before += grown
      return turn(grown)
    }
    return Effect.flatMap(read(operation, response, maxBytes, "fail", turnOfValue, take), () => {
      input.addText(decoder.decode())
      if (input.isBlank) return Effect.succeed(null)
      const value = input.end() as Option.Option<Schema.Json>
      if (Option.isNone(value)) {
        const beginning = oneLine(secrets.text(input.beginning), MAX_TOLD_OF_WRONG)
        return wrong(`${typeName(type)} that is not JSON: ${beginning}`)
      }
      if (secrets.isEmpty) return Effect.succeed(value.value)
      return isDeeper(value.value, MAX_DEPTH)
        ? wrong(`JSON of more than ${MAX_DEPTH} levels`)
        : Effect.succeed(secrets.json(value.value))
    })
  })

const isDeeper = (value: Schema.Json, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  for (const item of Array.isArray(value) ? value as ReadonlyArray<Schema.Json> : Object.values(value)) {
    if (isDeeper(item, levels - 1)) return true
  }
  return false
}

// An answer that is no success: its status, and the beginning of what it says.
const refused = (
  operation: Operation,
  response: Response,
  secrets: Secrets,
  turn: Turn,
): Effect.Effect<never, Failure> => {
  const { status } = response
  const type = response.headers["content-type"]
  const isReadable = type === undefined || !isMediaType(type) || mediaOf(type) !== "binary"
  const text = isReadable
    ? readText(operation, response, MAX_READ_OF_FAILURE, "cut", turn).pipe(Effect.catch(() => Effect.succeed("")))
    : Effect.succeed("")
  return Effect.flatMap(text, (text) => {
    const scrubbed = secrets.text(text)
    // What was cut off may have been the rest of a secret.
    const rest = text.length * 4 < MAX_READ_OF_FAILURE
      ? 0
      : secrets.forms[0]?.length ?? 0
    const said = shorten(scrubbed.slice(0, scrubbed.length - rest).trim(), MAX_TOLD_OF_FAILURE)
    const after = told(response, secrets, "retry-after")
    const wait = after === undefined ? "" : ` (retry after ${oneLine(after, 50)}${/^\d+$/.test(after) ? " s" : ""})`
    const denied = status === 401 || (status === 403 && after === undefined)
    return Effect.fail(
      new Failure({
        code: denied ? "ACCESS_DENIED" : "TOOL_FAILURE",
        message: `${failure(operation, `answered ${status}${wait}`, false).message.slice(0, -1)}${
          said === "" ? "." : `: ${said}`
        }`,
        retryable: !denied && isRetryable(status),
      }),
    )
  })
}

// Other input, or the same at another time, can do better; another method, other credentials or another server no program has.
const neverBetter = new Set([402, 405, 406, 407, 411, 415, 417, 421, 426, 431, 451, 501, 505, 508, 511])
const isRetryable = (status: number): boolean => status >= 400 && !neverBetter.has(status)

const attachFile = (
  operation: Operation,
  response: Response,
  secrets: Secrets,
  maxBytes: number,
  turn: Turn,
): Effect.Effect<Schema.Json, Failure> => {
  const type = told(response, secrets, "content-type")
  return Effect.flatMap(readBytes(operation, response, maxBytes, turn), (data) => {
    if (data.length === 0) return Effect.succeed(null)
    const mediaType = type !== undefined && isMediaType(type) ? essence(type) : "application/octet-stream"
    const name = fileName(response.headers["content-disposition"], secrets)
    const kind = mediaType.startsWith("image/") ? "image" : mediaType.startsWith("audio/") ? "sound" : "file"
    return Effect.as(
      attach({ mediaType, data, ...name === undefined ? {} : { fileName: name } }),
      `[1 ${kind} attached to the result${name === undefined ? "" : `: ${name}`}]`,
    )
  })
}

// https://www.rfc-editor.org/rfc/rfc6266#section-4.1
const fileName = (disposition: string | undefined, secrets: Secrets): string | undefined => {
  if (disposition === undefined) return undefined
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1")
  const bare = /;\s*filename\s*=\s*([^";\s]+)/i.exec(disposition)?.[1]
  // Before it is cut, so that no part of a secret is left of it.
  const name = secrets.text((encoded === undefined ? undefined : decoded(encoded)) ?? quoted ?? bare ?? "")
  return oneLine(name.split(/[/\\]/u).at(-1)!, 100) || undefined
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const readText = (
  operation: Operation,
  response: Response,
  maxBytes: number,
  beyond: "fail" | "cut",
  turn: Turn,
): Effect.Effect<string, Failure> =>
  Effect.suspend(() => {
    const decoder = decoderOf(response.headers["content-type"])
    let text = ""
    return Effect.map(
      read(operation, response, maxBytes, beyond, turn, (chunk) => {
        text += decoder.decode(chunk, { stream: true })
      }),
      () => text + decoder.decode(),
    )
  })

const decoderOf = (type: string | undefined): Decoder => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type ?? "")?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

const readBytes = (
  operation: Operation,
  response: Response,
  maxBytes: number,
  turn: Turn,
): Effect.Effect<Uint8Array, Failure> =>
  Effect.suspend(() => {
    const blocks = new ByteBlocks()
    return Effect.map(read(operation, response, maxBytes, "fail", turn, (chunk) => blocks.add(chunk)), () =>
      blocks.join())
  })

/** Reads a body in chunks, up to a limit. Beyond it nothing is read: the answer is refused, or taken as far as it was read. */
const read = (
  operation: Operation,
  response: Response,
  maxBytes: number,
  beyond: "fail" | "cut",
  turn: Turn,
  take: (chunk: Uint8Array) => Failure | undefined | void,
): Effect.Effect<void, Failure> => {
  let size = 0
  const chunks = Stream.runForEachArray(response.stream, (chunks): Effect.Effect<void, Failure | Enough> => {
    const before = size
    for (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) {
        if (beyond === "fail") return Effect.fail(tooLarge(operation, maxBytes, undefined))
        take(chunk.subarray(0, chunk.length - (size - maxBytes)))
        return Effect.fail(new Enough())
      }
      const refused = take(chunk)
      if (refused instanceof Failure) return Effect.fail(refused)
    }
    return turn(size - before)
  })
  return chunks.pipe(Effect.catch((error) => {
    if (error instanceof Failure) return Effect.fail(error)
    const isEnd = error instanceof Enough || error.reason._tag === "EmptyBodyError"
    return isEnd ? Effect.void : Effect.fail(transportFailure(operation, error))
  }))
}

/** Ends the reading of a body that is told in part. */
class Enough {
  readonly _tag = "Enough"
}

const tooManyParts = (operation: Operation, maxBytes: number): Failure =>
  failure(
    operation,
    `answered with JSON of more parts than fit in ${
      count(4 * maxBytes)
    } bytes of memory, four times the limit of an answer. Ask for less: filter, or go page by page`,
    true,
    "LIMIT_EXCEEDED",
  )

const tooLarge = (operation: Operation, maxBytes: number, size: number | undefined): Failure =>
  failure(
    operation,
    `answered with ${
      size === undefined
        ? `more than ${count(maxBytes)} bytes, the limit`
        : `${count(size)} bytes, over the limit of ${count(maxBytes)}`
    }. Ask for less: filter, or go page by page`,
    true,
    "LIMIT_EXCEEDED",
  )
