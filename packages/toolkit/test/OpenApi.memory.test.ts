import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import type { ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { serve, type Server } from "./openapi-fixtures.ts"

const MiB = 1024 * 1024
const limit = 50 * MiB

/** Writes so many bytes, as fast as they are taken, and tells how many went out. */
const pour = (response: ServerResponse, bytes: number, part: Buffer, head = "", tail = ""): void => {
  let left = bytes
  response.write(head)
  const write = () => {
    while (left > 0 && !response.destroyed) {
      const next = part.subarray(0, Math.min(left, part.length))
      left -= next.length
      sent += next.length
      if (!response.write(next)) {
        response.once("drain", write)
        return
      }
    }
    if (left <= 0) response.end(tail)
  }
  write()
}

let sent = 0
let server: Server
const text = Buffer.alloc(MiB, "abcdefgh ")
beforeAll(async () => {
  server = await serve((request, response) => {
    const [, type, bytes] = request.url!.split("/")
    sent = 0
    switch (type) {
      case "announced":
        response.writeHead(200, { "content-type": "application/json", "content-length": String(10 * 1024 * MiB) })
        return pour(response, 10 * 1024 * MiB, text)
      case "json":
        response.writeHead(200, { "content-type": "application/json" })
        return pour(response, Number(bytes), text, "[\"", "\"]")
      case "told":
        response.writeHead(200, { "content-type": "image/png", "content-length": bytes })
        return pour(response, Number(bytes), text)
      default:
        response.writeHead(200, { "content-type": type!.replace("-", "/") })
        return pour(response, Number(bytes), text)
    }
  })
})
afterAll(() => server.close())

interface Seen {
  readonly code?: string
  readonly length?: number
  readonly attached: number
  readonly looks: number
  readonly most: number
  readonly after: number
}

const script = fileURLToPath(new URL("openapi-memory.js", import.meta.url))

const measured = async (path: string): Promise<Seen> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, server.url, path], {
    timeout: 150_000,
  })
  return JSON.parse(stdout) as Seen
}

// What is reachable, whenever JavaScript can look. What has been read and is not collected yet is not counted; nor is the moment in which
// the parts of a file of unknown size are put together, when it is there twice.
describe("an answer is held at most twice", { timeout: 180_000 }, () => {
  it("not at all, if it says that it is over the limit", async () => {
    const seen = await measured("/announced")
    expect(seen.code).toBe("LIMIT_EXCEEDED")
    expect(seen.most).toBeLessThan(5 * MiB)
    expect(sent).toBeLessThan(limit)
  })

  it.each(["json", "application-zip"])("%s, if it turns out to be over the limit", async (type) => {
    const seen = await measured(`/${type}/${1024 * MiB}`)
    expect(seen.code).toBe("LIMIT_EXCEEDED")
    expect(seen.looks).toBeGreaterThan(3)
    expect(seen.most).toBeLessThan(2 * limit)
    expect(seen.after).toBeLessThan(5 * MiB)
    // What lies in the buffers on the way was sent as well.
    expect(sent).toBeLessThan(2 * limit)
  })

  it("JSON within the limit", async () => {
    const seen = await measured(`/json/${limit - 4}`)
    expect(seen.length).toBe(limit)
    expect(seen.looks).toBeGreaterThan(3)
    expect(seen.most).toBeLessThan(1.5 * limit)
    expect(seen.after).toBeLessThan(5 * MiB)
  })

  it.each(["image-png", "told"])("an image, whether its size is told or not: %s", async (type) => {
    const size = 10 * MiB
    const seen = await measured(`/${type}/${size}`)
    expect(seen.attached).toBe(size)
    expect(seen.most).toBeGreaterThan(size)
    expect(seen.most).toBeLessThan(2 * size)
    expect(seen.after).toBeLessThan(5 * MiB)
  })
})
