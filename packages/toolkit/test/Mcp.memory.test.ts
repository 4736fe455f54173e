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

const script = fileURLToPath(new URL("mcp-servers/measure.js", import.meta.url))

interface Call {
  readonly over: "stdio" | "json" | "events"
  readonly tool: "huge" | "image"
  readonly input: object
  readonly options?: object
  readonly every: number
}

/** Makes calls in a process of its own, over the built package. What `how` is, the script says. */
const measure = async (
  how: "live" | "all",
  calls: ReadonlyArray<Call>,
): Promise<ReadonlyArray<typeof Measured.Type>> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, how, JSON.stringify(calls)])
  return Schema.decodeUnknownSync(Schema.Array(Measured))(JSON.parse(stdout))
}

const mega = 1_000_000
const transports = ["stdio", "json", "events"] as const
const image = { tool: "image", input: { bytes: 10 * mega }, every: 4 * mega } as const
const taken = {
  tool: "huge",
  input: { megabytes: 50 },
  every: 15 * mega,
  options: { maxMessageBytes: 60 * mega, maxTextLength: 60 * mega },
} as const
const refused = { tool: "huge", input: { megabytes: 50 }, every: 15 * mega } as const

// What is reachable, whenever JavaScript can look. It cannot look into the moment in which most of an image is put in its place: then there
// is one and three quarters of the limit of 10 MiB for that, 18.4 MB.
describe("what is held during a call", () => {
  let seen: ReadonlyArray<typeof Measured.Type>
  beforeAll(async () => {
    seen = await measure("live", [
      ...transports.map((over) => ({ over, ...image })),
      { over: "events", ...taken },
      { over: "stdio", ...refused },
    ])
  }, 120_000)

  test.each(transports)("that gives an image of 10 MB is less than twice the image: over %s", (over) => {
    const { attached, grown, left, length, looks } = seen[transports.indexOf(over)]!
    expect([length, attached]).toEqual(["[1 image attached to the result]".length, 10 * mega])
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeGreaterThan(9 * mega)
    expect(grown).toBeLessThan(15 * mega)
    expect(left).toBeLessThan(2 * mega)
  })

  test("that gives 50 MB of text is less than twice the text", () => {
    const { grown, left, length, looks } = seen[3]!
    expect(length).toBe(50 * mega)
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeGreaterThan(49 * mega)
    expect(grown).toBeLessThan(75 * mega)
    expect(left).toBeLessThan(2 * mega)
  })

  test("that gives more than is taken depends on what is taken", () => {
    const { code, grown, left, looks, message } = seen[4]!
    expect(code).toBe("LIMIT_EXCEEDED")
    expect(message).toContain("it has 50,000,073 bytes; at most 16,777,216 are taken")
    expect(looks).toBeGreaterThan(3)
    expect(grown).toBeLessThan(2 * 16 * 1024 * 1024)
    expect(left).toBeLessThan(2 * mega)
  })
})

// The pieces that have been read are garbage, and V8 lets some of it lie for a while. Here it is never asked to collect.
test("what is held during a call, and what is not collected yet besides", async () => {
  const seen = await measure("all", [
    { over: "stdio", ...image },
    { over: "events", ...taken },
  ])
  const most = [5 * 10, 2 * 50]
  for (const [index, { grown }] of seen.entries()) expect(grown).toBeLessThan(most[index]! * mega)
}, 120_000)
