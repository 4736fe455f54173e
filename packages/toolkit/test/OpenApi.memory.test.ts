import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import type { ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { serve, type Server } from "./openapi-fixtures.ts"

const MiB = 1024 * 1024
const limit = 10 * MiB

/** Writes so many bytes, as fast as they are taken, and counts how many went out. */
const pour = (response: ServerResponse, path: string, bytes: number, head = "", tail = ""): void => {
  let left = bytes
  response.write(head)
  const write = () => {
    while (left > 0 && !response.destroyed) {
      const next = text.subarray(0, Math.min(left, text.length))
      left -= next.length
      sent.set(path, (sent.get(path) ?? 0) + next.length)
      if (!response.write(next)) {
        response.once("drain", write)
        return
      }
    }
    if (left <= 0) response.end(tail)
  }
  write()
}

const sent = new Map<string, number>()
const text = Buffer.alloc(MiB, "abcdefgh ")

const image = `/image-png/${limit}`
const told = `/told/${limit}`
const whole = `/json/${limit - 4}`
const announced = "/announced"
const endless = ["json", "application-zip"].map((type) => `/${type}/${1024 * MiB}`)

// What they are, the script says. They are made over the built package, one after the other.
const calls = [
  { how: "all", path: announced },
  { how: "dropped", path: image },
  { how: "all", path: image },
  { how: "all", path: told },
  { how: "live", path: image, every: 4 * MiB },
  { how: "live", path: whole, every: 4 * MiB },
  ...endless.map((path) => ({ how: "live", path, every: 4 * MiB })),
]

interface Measured {
  readonly code?: string
  readonly length?: number
  readonly attached: number
  readonly looks: number
  readonly grown: number
  readonly left: number
}

/** Bytes of buffers after which V8 begins to collect those that are young, at its latest: what is dropped may be seen to take less. */
const young = 32_000_000

describe("what a call takes", { timeout: 120_000 }, () => {
  let server: Server
  let seen: (how: string, path: string) => Measured

  beforeAll(async () => {
    server = await serve((request, response) => {
      const path = request.url!
      const [, type, bytes] = path.split("/")
      switch (type) {
        case "announced":
          response.writeHead(200, { "content-type": "application/json", "content-length": String(10 * 1024 * MiB) })
          return pour(response, path, 10 * 1024 * MiB)
        case "json":
          response.writeHead(200, { "content-type": "application/json" })
          return pour(response, path, Number(bytes), "[\"", "\"]")
        case "told":
          response.writeHead(200, { "content-type": "image/png", "content-length": bytes })
          return pour(response, path, Number(bytes))
        default:
          response.writeHead(200, { "content-type": type!.replace("-", "/") })
          return pour(response, path, Number(bytes))
      }
    })
    const script = fileURLToPath(new URL("openapi-memory.js", import.meta.url))
    const args = ["--expose-gc", script, server.url, String(limit), JSON.stringify(calls)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const measured = JSON.parse(stdout) as ReadonlyArray<Measured>
    seen = (how, path) => measured[calls.findIndex((call) => call.how === how && call.path === path)]!
  })
  afterAll(() => server.close())

  it("for an answer that says it is over the limit is nothing", () => {
    const { code, grown } = seen("all", announced)
    expect(code).toBe("LIMIT_EXCEEDED")
    expect(grown).toBeLessThan(5 * MiB)
    expect(sent.get(announced)).toBeLessThan(limit)
  })

  it.each(endless)("for an answer that turns out to be over the limit is the limit once: %s", (path) => {
    const { code, grown, left, looks } = seen("live", path)
    expect(code).toBe("LIMIT_EXCEEDED")
    expect(looks).toBeGreaterThan(2)
    expect(grown).toBeLessThan(1.5 * limit)
    expect(left).toBeLessThan(2 * MiB)
    // What lies in the buffers on the way was sent as well.
    expect(sent.get(path)).toBeLessThan(3 * limit)
  })

  it("for JSON within the limit is the limit once", () => {
    const { grown, left, length, looks } = seen("live", whole)
    expect(length).toBe(limit)
    expect(looks).toBeGreaterThan(2)
    expect(grown).toBeLessThan(1.5 * limit)
    expect(left).toBeLessThan(2 * MiB)
  })

  it("for an image, garbage not included, is the image once", () => {
    const { attached, grown, left, looks } = seen("live", image)
    expect(attached).toBe(limit)
    expect(looks).toBeGreaterThan(2)
    expect(grown).toBeGreaterThan(0.9 * limit)
    expect(grown).toBeLessThan(1.25 * limit)
    expect(left).toBeLessThan(2 * MiB)
  })

  // The pieces in which an answer comes are garbage when they have been read, and when those are collected is nothing that their reader can
  // do about. So it is compared with what only reads them.
  it.each([image, told])(
    "for an image, garbage included, is less than twice the image, beside what it takes to read it: %s",
    (path) => {
      const { attached, grown } = seen("all", path)
      expect(attached).toBe(limit)
      expect(grown).toBeGreaterThan(0.9 * limit)
      expect(grown).toBeLessThan(Math.max(seen("dropped", image).grown, young) + 2 * limit)
    },
  )
})
