import { Schema } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const Measured = Schema.Struct({
  length: Schema.optional(Schema.Number),
  code: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  /** Characters of base64. */
  attached: Schema.Number,
  /** Bytes, as all the others. */
  grown: Schema.Number,
  left: Schema.Number,
})

const script = fileURLToPath(new URL("mcp-servers/measure.js", import.meta.url))

/** Calls a tool in a process of its own, over the built package. */
const measure = async (tool: string, input: object, options: object = {}): Promise<typeof Measured.Type> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    script,
    tool,
    JSON.stringify(input),
    JSON.stringify(options),
  ])
  return Schema.decodeUnknownSync(Measured)(JSON.parse(stdout))
}

const mega = 1_000_000

test("a result of 50 MB is refused with its size, and the memory stays below twice that", async () => {
  const { code, grown, left, message } = await measure("huge", { megabytes: 50 })
  expect(code).toBe("LIMIT_EXCEEDED")
  expect(message).toContain("it has 50,000,073 bytes; at most 16,777,216 are taken")
  expect(grown).toBeLessThan(2 * 50 * mega)
  expect(left).toBeLessThan(5 * mega)
})

test("an image of 10 MB is attached, and kept once", async () => {
  const { attached, grown, left, length } = await measure("image", { bytes: 10 * mega })
  expect(length).toBe("[1 image attached to the result]".length)
  expect(attached).toBe(13_333_336)
  expect(grown).toBeLessThan(60 * mega)
  expect(left).toBeLessThan(20 * mega)
})

test("an image that is larger than the limit is refused with its size", async () => {
  const { attached, code, message } = await measure("image", { bytes: 10 * mega }, { maxAttachmentBytes: 5 * mega })
  expect([code, attached]).toEqual(["LIMIT_EXCEEDED", 0])
  expect(message).toContain("gave an image of 10,000,000 bytes; at most 5,000,000 are taken")
})
