/**
 * Reads what a server answers over HTTP before the client does, which would keep the whole text of a message beside its value. What is
 * long is read as it comes, and the client gets the same without its result.
 */
import * as McpClientError from "effect/ai/McpClientError"
import type * as McpSchema from "effect/ai/McpSchema"
import * as Effect from "effect/Effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { JsonInput } from "./json-input.ts"
import type { Options } from "./json-reader.ts"
import { answered, asked, requestOf, responseOf, tooManyBytes, tooMuchMemory } from "./mcp-message.ts"
import { TextEncoder } from "./web.ts"

/** A request that waits for its response. */
export interface Waiting {
  readonly id: McpSchema.RequestId
  /** Has the response, which the client gets without its result. */
  readonly answer: (response: McpSchema.JsonRpcResponse) => void
  /** Ends the waiting. */
  readonly refuse: (reason: McpClientError.McpClientErrorReason) => void
  /** Is run for each piece of the answer with how much memory it takes more, in bytes, before the next one comes. */
  readonly read: (bytes: number) => Effect.Effect<void>
}

/** Takes a body in pieces, and gives what the client is to read. */
interface Body {
  /** About how many bytes of memory it takes. */
  readonly held: () => number
  readonly add: (piece: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
}

type Response = HttpClientResponse.HttpClientResponse

/** A response whose body the client reads without what is long. */
export const heard = (response: Response, waiting: Waiting, maxBytes: number, json: Options): Response => {
  if (response.status < 200 || response.status > 299) {
    return withStream(response, read(response.stream, waiting, () => refusal(waiting, response.status)))
  }
  switch (response.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase()) {
    case "application/json": {
      const told = response.headers["content-length"]
      // What is encoded has another length.
      const length = told === undefined || response.headers["content-encoding"] !== undefined ? NaN : Number(told)
      if (!(length > maxBytes)) {
        return withStream(response, read(response.stream, waiting, () => whole(waiting, maxBytes, json)))
      }
      waiting.refuse(tooLong(tooManyBytes(length, maxBytes)))
      return withStream(response, Stream.never)
    }
    case "text/event-stream":
      return withStream(response, read(response.stream, waiting, () => events(waiting, maxBytes, json)))
    default:
      return response
  }
}

const withStream = (response: Response, stream: Response["stream"]): Response =>
  new Proxy(response, {
    // The getters of a response may need the response itself.
    get: (target, key): unknown => key === "stream" ? stream : Reflect.get(target, key, target),
  })

const read = (stream: Response["stream"], waiting: Waiting, make: () => Body): Response["stream"] =>
  Stream.suspend(() => {
    const body = make()
    let before = 0
    return stream.pipe(
      Stream.mapEffect((piece) => {
        const out = body.add(piece)
        const grown = body.held() - before
        before += grown
        return Effect.as(waiting.read(grown), out)
      }),
      Stream.concat(Stream.suspend(() => Stream.succeed(body.end()))),
      Stream.filter((piece) => piece.length > 0),
    )
  })

const nothing = new Uint8Array(0)
const newline = Uint8Array.of(10)
const encoder = new TextEncoder()

const tooLong = (description: string) => new McpClientError.LimitError({ description })

/** A body that is one message. */
const whole = (waiting: Waiting, maxBytes: number, json: Options): Body => {
  const input = new JsonInput(json)
  let size = 0
  return {
    held: () => input.held,
    add: (piece) => {
      size += piece.length
      if (size > maxBytes) waiting.refuse(tooLong("the body is over the limit"))
      else input.addBytes(piece)
      if (input.isTooLarge) waiting.refuse(tooLong(tooMuchMemory))
      return nothing
    },
    end: () => size > maxBytes || input.isTooLarge ? nothing : encoder.encode(input.kept ?? told(input.end(), waiting)),
  }
}

// More than this nobody says of an error.
const longestRefusal = 1024 * 1024

/** A body that says why there is no result. */
const refusal = (waiting: Waiting, status: number): Body => {
  let size = 0
  return {
    held: () => size,
    add: (piece) => {
      size += piece.length
      if (size > longestRefusal) waiting.refuse(new McpClientError.HttpError({ status }))
      return size > longestRefusal ? nothing : piece
    },
    end: () => nothing,
  }
}

const dataField = [..."data"].map((char) => char.charCodeAt(0))

/**
 * A body of server-sent events, whose data are the messages. Only those are handed on: the client looks at nothing else of an event.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
const events = (waiting: Waiting, maxBytes: number, json: Options): Body => {
  let input = new JsonInput(json)
  let hasData = false
  // How many bytes the event has, and the line that is not ended.
  let size = 0
  let lineSize = 0
  let matched = 0
  let part: "name" | "space" | "data" | "other" = "name"
  let afterReturn = false
  let atStart = true
  // Why nothing more is taken.
  let over = ""
  let out = ""

  const addToLine = (piece: Uint8Array) => {
    let at = 0
    lineSize += piece.length
    while (part === "name" && at < piece.length) {
      if (matched < dataField.length && piece[at] === dataField[matched]) matched++
      else if (matched === dataField.length && piece[at] === 58) beginData("space")
      else part = "other"
      at++
    }
    if (part === "space" && at < piece.length) {
      if (piece[at] === 32) at++
      part = "data"
    }
    if (part === "data") {
      size += piece.length - at
      if (size <= maxBytes) input.addBytes(piece.subarray(at))
    }
  }

  const beginData = (next: "space" | "name") => {
    if (hasData) input.addBytes(newline)
    hasData = true
    part = next
  }

  const endLine = () => {
    if (lineSize === 0) endEvent()
    else if (part === "name" && matched === dataField.length) beginData("name")
    part = "name"
    matched = 0
    lineSize = 0
  }

  const endEvent = () => {
    const text = hasData ? input.kept ?? told(input.end(), waiting) : ""
    if (text !== "") out += `${text.split("\n").map((line) => `data: ${line}\n`).join("")}\n`
    if (hasData) input = new JsonInput(json)
    hasData = false
    size = 0
  }

  const add = (piece: Uint8Array) => {
    let from = 0
    let feed = piece.indexOf(10)
    let carriage = piece.indexOf(13)
    while (from < piece.length) {
      if (feed >= 0 && feed < from) feed = piece.indexOf(10, from)
      if (carriage >= 0 && carriage < from) carriage = piece.indexOf(13, from)
      if (afterReturn) {
        afterReturn = false
        if (feed === from) {
          from++
          continue
        }
      }
      const end = feed < 0 ? carriage : carriage < 0 ? feed : Math.min(feed, carriage)
      addToLine(piece.subarray(from, end < 0 ? piece.length : end))
      if (Math.max(size, lineSize) > maxBytes) over = "the event is over the limit"
      else if (input.isTooLarge) over = tooMuchMemory
      if (end < 0 || over !== "") return
      endLine()
      afterReturn = piece[end] === 13
      from = end + 1
    }
  }

  const refuse = () => waiting.refuse(tooLong(over))

  return {
    held: () => input.held,
    add: (piece) => {
      if (over !== "") {
        refuse()
        return nothing
      }
      add(atStart && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? piece.subarray(3) : piece)
      atStart &&= piece.length === 0
      // Events before one that is too long can still answer.
      if (over !== "" && out === "") refuse()
      const text = out
      out = ""
      return text === "" ? nothing : encoder.encode(text)
    },
    end: () => {
      if (over !== "") refuse()
      return nothing
    },
  }
}

/** What the client reads in place of a long message. What is no message to us is none to the client. */
const told = (value: Option.Option<unknown>, waiting: Waiting): string => {
  if (Option.isNone(value)) return "{"
  const request = requestOf(value.value)
  if (request !== undefined) return asked(request)
  const response = responseOf(value.value)
  if (response === undefined) return "{}"
  const id = response.id ?? waiting.id
  if (id === waiting.id) waiting.answer(response)
  return answered(id)
}
