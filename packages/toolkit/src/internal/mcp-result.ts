/**
 * What the result of a tool of a server is for a program: JSON, and beside it the media, which no program sees.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import type * as McpSchema from "effect/ai/McpSchema"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as ToolSource from "../ToolSource.ts"
import { Base64Data } from "./base64-data.ts"
import { count } from "./count.ts"
import type { Scrub } from "./mcp-secrets.ts"
import { oneLine } from "./safe-text.ts"

export interface Limits {
  /** How many characters of text, or of JSON, a result may have. */
  readonly maxTextLength: number
  /** How many bytes an image, a sound or another blob may have. */
  readonly maxAttachmentBytes: number
}

/** Media as they come: as base64, or as bytes. */
type Data = string | Base64Data | Uint8Array

/** Media that the client is not to decode, because they are handed on as they are. No server can send one. */
class Held {
  readonly data: Data

  constructor(data: Data) {
    this.data = data
  }
}

const heldKey = "effect-codemode/held"

/** The client decodes each block of a result for itself, and all of them at a stretch. More than so many are not handed to it. */
const mostBlocks = 10_000

/** Why a raw result is not handed to the client, if it is not. */
export const tooManyBlocks = (result: unknown): string | undefined => {
  const content = member(result, "content")
  return Array.isArray(content) && content.length > mostBlocks
    ? `it has ${count(content.length)} blocks of content; at most ${count(mostBlocks)} are taken`
    : undefined
}

/**
 * Puts the media of a raw result aside, so that the client decodes and copies none of it, and leaves out what is said about it, which nobody
 * reads. Leaves what is no result alone.
 */
export const hold = (result: unknown): unknown => {
  const content = member(result, "content")
  if (!Array.isArray(content)) return result
  return { ...withoutRemarks(result), content: content.map(holdBlock) }
}

const withoutRemarks = (value: unknown): object => {
  const copy: Record<string, unknown> = { ...value as object }
  delete copy._meta
  return copy
}

const holdBlock = (raw: unknown): unknown => {
  const block = member(raw, "_meta") === undefined ? raw : withoutRemarks(raw)
  const type = member(block, "type")
  const data = member(block, "data")
  if ((type === "image" || type === "audio") && isEncoded(data)) {
    return { ...block as object, data: "", _meta: { [heldKey]: new Held(data) } }
  }
  const resource = member(block, "resource")
  const blob = member(resource, "blob")
  if (type === "resource" && isEncoded(blob)) {
    return { ...block as object, resource: { ...resource as object, blob: "", _meta: { [heldKey]: new Held(blob) } } }
  }
  return block
}

const isEncoded = (value: unknown): value is string | Base64Data =>
  typeof value === "string" || value instanceof Base64Data

/** Makes texts again, in place, of what was read as bytes in a result that has no media. */
export const restore = (result: unknown): void => {
  const left = [result]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== "object" || next === null) continue
    for (const [name, value] of Object.entries(next)) {
      if (value instanceof Base64Data) Object.assign(next, { [name]: value.text() })
      else left.push(value)
    }
  }
}

/** What a call gives: its JSON, or why it failed. Its media are handed to whoever collects them for the call. */
export const shape = (
  result: McpSchema.CallToolResult,
  tool: string,
  limits: Limits,
  scrub: Scrub,
): Effect.Effect<Schema.Json, ToolSource.Failure> => {
  const texts: Array<string> = []
  const media: Array<Medium> = []
  for (const block of result.content) {
    switch (block.type) {
      case "text":
        texts.push(block.text)
        break
      case "image":
      case "audio":
        media.push(medium(scrub, limits, block.mimeType, undefined, dataOf(block._meta, block.data)))
        break
      case "resource_link":
        texts.push(link(block))
        break
      case "resource": {
        const { resource } = block
        if ("text" in resource) texts.push(resource.text)
        else {
          media.push(medium(scrub, limits, resource.mimeType, resource.uri, dataOf(resource._meta, resource.blob)))
        }
      }
    }
  }
  const text = texts.join("\n")
  if (result.isError === true) {
    // What the failure shows goes with it, as far as it is taken.
    return Effect.andThen(Effect.ignore(attachAll(media, tool, limits)), failed(tool, scrub.text(text)))
  }
  const structured = result.structuredContent
  return Effect.gen(function*() {
    if (structured !== undefined && structured !== null) {
      if (isDeep(structured, 0)) return yield* tooDeep(tool)
      const told = withoutMedia(structured, media, limits, scrub)
      if (media.length > mostMedia) return yield* tooManyMedia(tool, media.length)
      const length = jsonLength(told, limits.maxTextLength)
      if (length > limits.maxTextLength) return yield* tooLong(tool, length, limits.maxTextLength)
      yield* attachAll(media, tool, limits)
      return scrub.json(told)
    }
    if (media.length > mostMedia) return yield* tooManyMedia(tool, media.length)
    if (text.length > limits.maxTextLength) return yield* tooLong(tool, text.length, limits.maxTextLength)
    yield* attachAll(media, tool, limits)
    texts.push(...marks(media))
    return texts.length === 0 ? null : scrub.text(texts.join("\n"))
  })
}

/** More than so many nobody takes of one result. */
const mostMedia = 1_000

interface Medium {
  readonly mediaType: string
  readonly fileName: string | undefined
  readonly byteLength: number
  /** `undefined` where they are too many, or not in base64. */
  readonly bytes: Uint8Array | undefined
}

// What a program reads where a structured result repeats an image, or another blob.
const inPlaceOfData = "[attached to the result]"

/** A structured result whose media, written as the content of a result is, are put with the others. */
const withoutMedia = (structured: unknown, media: Array<Medium>, limits: Limits, scrub: Scrub): Schema.Json => {
  const add = (medium: Medium) => {
    if (isEmpty(medium)) return ""
    if (media.length > mostMedia || !media.some((other) => isSame(other, medium))) media.push(medium)
    return inPlaceOfData
  }
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (value instanceof Base64Data) return value.text()
    if (Array.isArray(value)) return mapSame(value, visit)
    const { blob, data, mimeType, type, uri } = value as Record<string, unknown>
    const mediaType = typeof mimeType === "string" ? mimeType : undefined
    let name: string | undefined
    let told: string | undefined
    if ((type === "image" || type === "audio") && isEncoded(data) && mediaType !== undefined) {
      name = "data"
      told = add(medium(scrub, limits, mediaType, undefined, data))
    } else if (isEncoded(blob) && typeof uri === "string") {
      name = "blob"
      told = add(medium(scrub, limits, mediaType, uri, blob))
    }
    const entries = Object.entries(value)
    const mapped = entries.map(([key, item]) => key === name ? told : visit(item))
    return entries.every(([, item], index) => item === mapped[index])
      ? value
      : Object.fromEntries(entries.map(([key], index) => [key, mapped[index]]))
  }
  return visit(structured) as Schema.Json
}

// By their hashes, each of which is made once: many that differ late would take as long to compare as there are pairs of them.
const isSame = (one: Medium, other: Medium): boolean =>
  one.bytes !== undefined && one.bytes.length === other.bytes?.length && hash(one.bytes) === hash(other.bytes)

const hashes = new WeakMap<Uint8Array, string>()

const hash = (bytes: Uint8Array): string => {
  let known = hashes.get(bytes)
  if (known === undefined) hashes.set(bytes, known = bytesToHex(sha256(bytes)))
  return known
}

const mapSame = (values: ReadonlyArray<unknown>, map: (value: unknown) => unknown) => {
  const mapped = values.map(map)
  return mapped.every((value, index) => value === values[index]) ? values : mapped
}

const unknownMediaType = "application/octet-stream"

// What a server says of a file can hold a secret as well as what it says in a text can.
const medium = (
  scrub: Scrub,
  limits: Limits,
  mimeType: string | undefined,
  uri: string | undefined,
  data: Data,
): Medium => {
  const mediaType = mimeType === undefined ? unknownMediaType : scrub.text(mimeType)
  const byteLength = typeof data === "string" ? lengthOf(data) : data.byteLength
  return {
    mediaType: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[^\r\n]*)?$/.test(mediaType) ? mediaType : unknownMediaType,
    fileName: uri === undefined ? undefined : fileName(scrub.text(uri), scrub),
    byteLength,
    bytes: byteLength > limits.maxAttachmentBytes ? undefined : bytesOf(data),
  }
}

const dataOf = (meta: Readonly<Record<string, unknown>> | undefined, bytes: Uint8Array): Data => {
  const held = meta?.[heldKey]
  return held instanceof Held ? held.data : bytes
}

const lengthOf = (base64: string): number =>
  Math.floor(base64.length * 3 / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)

const bytesOf = (data: Data): Uint8Array | undefined => {
  if (data instanceof Uint8Array) return data
  if (data instanceof Base64Data) return data.bytes()
  // The decoder takes line breaks, too.
  return /[\r\n]/.test(data) ? undefined : Result.getOrUndefined(Base64.decode(data))
}

const link = ({ description, name, title, uri }: typeof McpSchema.ResourceLink.Type): string =>
  `${title ?? name}: ${uri}${description === undefined ? "" : ` (${description})`}`

const attachAll = (
  media: ReadonlyArray<Medium>,
  tool: string,
  limits: Limits,
): Effect.Effect<void, ToolSource.Failure> =>
  Effect.forEach(media, (medium) => {
    // There is nothing to attach of an empty file. That there was one, the mark tells.
    if (isEmpty(medium)) return Effect.void
    const { byteLength, bytes, fileName, mediaType } = medium
    if (byteLength > limits.maxAttachmentBytes) {
      return new ToolSource.Failure({
        code: "LIMIT_EXCEEDED",
        message: `The tool "${tool}" gave ${article(kindOf(mediaType))} of ${count(byteLength)} bytes; at most ${
          count(limits.maxAttachmentBytes)
        } are taken. Ask it for a smaller one, or for less.`,
        retryable: true,
      })
    }
    if (bytes === undefined) {
      return new ToolSource.Failure({
        code: "INVALID_TOOL_OUTPUT",
        message: `The tool "${tool}" gave ${
          article(kindOf(mediaType))
        } that is not in base64. The fault is the tool's.`,
        retryable: false,
      })
    }
    return ToolSource.attach({ mediaType, ...(fileName === undefined ? {} : { fileName }), data: bytes })
  }, { discard: true })

const isEmpty = ({ bytes }: Medium): boolean => bytes?.length === 0

const kindOf = (mediaType: string): "image" | "sound" | "file" =>
  /^image\//i.test(mediaType) ? "image" : /^audio\//i.test(mediaType) ? "sound" : "file"

const article = (kind: string): string => kind === "image" ? "an image" : `a ${kind}`

/** What a program reads of media: `[2 images and 1 file attached to the result: report.pdf]`. */
const marks = (media: ReadonlyArray<Medium>): ReadonlyArray<string> => {
  const mark = (some: ReadonlyArray<Medium>, what: string): ReadonlyArray<string> => {
    if (some.length === 0) return []
    const names = some.flatMap(({ fileName }) => fileName === undefined ? [] : [fileName])
    return [`[${counted(some)} ${what}${names.length === 0 ? "" : `: ${names.join(", ")}`}]`]
  }
  return [
    ...mark(media.filter((medium) => !isEmpty(medium)), "attached to the result"),
    ...mark(media.filter(isEmpty), "left out, being empty"),
  ]
}

const counted = (media: ReadonlyArray<Medium>): string => {
  const counts = (["image", "sound", "file"] as const).flatMap((kind) => {
    const number = media.filter(({ mediaType }) => kindOf(mediaType) === kind).length
    return number === 0 ? [] : [`${number} ${kind}${number === 1 ? "" : "s"}`]
  })
  return counts.length === 3 ? `${counts[0]}, ${counts[1]} and ${counts[2]}` : counts.join(" and ")
}

// The last part of the path that an address ends in.
const fileName = (uri: string, scrub: Scrub): string | undefined => {
  if (/^data:/i.test(uri)) return undefined
  const path = uri.replace(/^[a-z][a-z0-9+.-]*:/iu, "").replace(/[?#].*$/su, "").replace(/\/+$/u, "")
  const last = path.split(/[/\\]/u).at(-1) ?? ""
  const name = oneLine(scrub.text(decoded(last)), 100)
  return name === "" ? undefined : name
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const longestError = 4_000

const failed = (tool: string, text: string): Effect.Effect<never, ToolSource.Failure> =>
  Effect.fail(
    new ToolSource.Failure({
      code: "TOOL_FAILURE",
      message: text.trim() === ""
        ? `The tool "${tool}" failed and did not say why.`
        : text.length <= longestError
        ? text
        : `${text.slice(0, longestError)}… [${count(text.length - longestError)} more characters]`,
      retryable: true,
    }),
  )

const tooLong = (tool: string, length: number, most: number): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "LIMIT_EXCEEDED",
    message: `The result of the tool "${tool}" has ${
      length === Infinity ? `more than ${count(most)}` : count(length)
    } characters${
      length === Infinity ? "." : `; at most ${count(most)} are taken.`
    } Ask it for less: filter, or go page by page.`,
    retryable: true,
  })

const tooManyMedia = (tool: string, number: number): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "LIMIT_EXCEEDED",
    message: `The tool "${tool}" gave ${count(number)} files; at most ${
      count(mostMedia)
    } are taken. Ask it for less: filter, or go page by page.`,
    retryable: true,
  })

const tooDeep = (tool: string): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "INVALID_TOOL_OUTPUT",
    message: `The result of the tool "${tool}" is nested deeper than ${deepest} levels. The fault is the tool's.`,
    retryable: false,
  })

const deepest = 500

const isDeep = (value: unknown, depth: number): boolean => {
  if (typeof value !== "object" || value === null || value instanceof Base64Data) return false
  if (depth === deepest) return true
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeep(item, depth + 1)) return true
  return false
}

/** About how many characters the JSON of a value has, escapes not counted: `Infinity` once it is more than `most`. */
const jsonLength = (value: unknown, most: number): number => {
  let length = 0
  const add = (value: unknown): void => {
    if (length > most) return
    if (typeof value === "string") length += value.length + 2
    else if (Array.isArray(value)) {
      length += value.length + 1
      for (const item of value) add(item)
    } else if (typeof value === "object" && value !== null) {
      length += 2
      for (const [key, item] of Object.entries(value)) {
        length += key.length + 4
        add(item)
      }
    } else length += String(value).length
  }
  add(value)
  return length > most ? Infinity : length
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
