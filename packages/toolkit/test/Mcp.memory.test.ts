import { Schema } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"

const Measured = Schema.Struct({
  length: Schema.optional(Schema.Number),
  code: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  /** Bytes, as all the others. */
  attached: Schema.Number,
  grown: Schema.Number,
  left: Schema.Number,
  /** How often the memory was looked at. */
  looks: Schema.Number,
})
type Measured = typeof Measured.Type

const script = fileURLToPath(new URL("mcp-servers/measure.js", import.meta.url))

const mega = 1_000_000
const imageBytes = 8 * mega
/** Bytes of buffers after which V8 begins to collect those that are young, at its latest: what is dropped may be seen to take less. */
const young = 32 * mega
const messageBytes = imageBytes * 4 / 3
const taken = { maxMessageBytes: 70 * mega, maxTextLength: 70 * mega }

// What a call is, the script says. They are made over the built package, one after the other.
const calls = {
  "bytes over stdio, dropped": { over: "stdio", how: "all", tool: "read", input: { bytes: messageBytes } },
  "bytes over HTTP, dropped": { over: "json", how: "all", tool: "read", input: { bytes: messageBytes } },
  "an image over stdio": { over: "stdio", how: "all", tool: "image", input: { bytes: imageBytes } },
  "an image over HTTP": { over: "json", how: "all", tool: "image", input: { bytes: imageBytes } },
  "an image in an event": { over: "events", how: "all", tool: "image", input: { bytes: imageBytes } },
  "an image, reachable": { over: "events", how: "live", tool: "image", input: { bytes: imageBytes }, every: 4 * mega },
  "a text": { over: "events", how: "all", tool: "huge", input: { megabytes: 60 }, options: taken },
  "too long a text, reachable": {
    over: "stdio",
    how: "live",
    tool: "huge",
    input: { megabytes: 12 },
    options: { maxMessageBytes: 4 * mega },
    every: 2 * mega,
  },
} as const

describe("what a call takes", () => {
  let seen: Readonly<Record<keyof typeof calls, Measured>>
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--expose-gc",
      script,
      JSON.stringify(Object.values(calls)),
    ])
    const measured = Schema.decodeUnknownSync(Schema.Array(Measured))(JSON.parse(stdout))
    seen = Object.fromEntries(Object.keys(calls).map((name, index) => [name, measured[index]])) as typeof seen
  }, 120_000)

  // The pieces in which an answer comes are garbage when they have been read, and when those are collected is nothing that their reader can
  // do about. So it is compared with what only reads them.
  test.each(
    [
      ["an image over stdio", "bytes over stdio, dropped"],
      ["an image over HTTP", "bytes over HTTP, dropped"],
      ["an image in an event", "bytes over HTTP, dropped"],
    ] as const,
  )("for %s, garbage included, is less than twice the image, beside what it takes to read it", (image, dropped) => {
    const { attached, grown, left, length, looks } = seen[image]
    expect([length, attached]).toEqual(["[1 image attached to the result]".length, imageBytes])
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeGreaterThan(0.9 * imageBytes)
    expect(grown).toBeLessThan(Math.max(seen[dropped].grown, young) + 2 * imageBytes)
    expect(left).toBeLessThan(2 * mega)
  })

  test("for an image, garbage not included, is the image once", () => {
    const { attached, grown, looks } = seen["an image, reachable"]
    expect(attached).toBe(imageBytes)
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeGreaterThan(0.9 * imageBytes)
    expect(grown).toBeLessThan(1.25 * imageBytes)
  })

  test("for 60 MB of text, garbage included, is less than twice the text", () => {
    const { grown, left, length, looks } = seen["a text"]
    expect(length).toBe(60 * mega)
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeGreaterThan(59 * mega)
    expect(grown).toBeLessThan(120 * mega)
    expect(left).toBeLessThan(2 * mega)
  })

  test("for more than is taken depends on what is taken", () => {
    const { code, grown, left, looks, message } = seen["too long a text, reachable"]
    expect(code).toBe("LIMIT_EXCEEDED")
    expect(message).toContain("it has 12,000,073 bytes; at most 4,000,000 are taken")
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeLessThan(2 * 4 * mega)
    expect(left).toBeLessThan(2 * mega)
  })
})
