import { Mcp } from "@effect-codemode/toolkit"
import { Effect, Exit } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { identity } from "../src/internal/mcp-link.ts"
import { called, failureOf, run, shared } from "./mcp-fixtures.ts"

const server = (name: string) => fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`))

let folder: string
let everything: Awaited<ReturnType<typeof shared>>
let files: Awaited<ReturnType<typeof shared>>

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-"))
  for (let i = 0; i < 20; i++) await writeFile(join(folder, `${i}.txt`), `file ${i}`)
  await writeFile(join(folder, "pixel.png"), Buffer.from(onePixel, "base64"))
  everything = await shared(
    Mcp.stdio({ name: "everything", command: process.execPath, args: [server("server-everything")] }),
  )
  files = await shared(
    Mcp.stdio({ name: "files", command: process.execPath, args: [server("server-filesystem"), folder] }),
  )
})

afterAll(async () => {
  await Promise.all([everything.close(), files.close()])
  await rm(folder, { recursive: true })
})

describe("the reference server of everything", () => {
  test("its tools, with what it says of them", () =>
    run(Effect.gen(function*() {
      const { definitions, notes } = yield* everything.source.list
      const echo = definitions.find(({ name }) => name === "echo")
      expect(echo).toEqual({
        name: "echo",
        title: "Echo Tool",
        description: "Echoes back the input string",
        input: {
          $schema: expect.any(String),
          type: "object",
          properties: { message: { type: "string", description: "Message to echo" } },
          required: ["message"],
        },
        output: undefined,
        annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      })
      const structured = definitions.find(({ name }) => name === "get-structured-content")
      expect(structured?.output).toMatchObject({
        type: "object",
        properties: { temperature: { type: "number" }, conditions: { type: "string" }, humidity: { type: "number" } },
      })
      expect(definitions.find(({ name }) => name === "gzip-file-as-resource")?.annotations).toMatchObject({
        readOnly: false,
        openWorld: true,
      })
      expect(notes).toMatch(/^# Everything/)
      // It says when its tools change, so that they are not read again.
      expect(yield* everything.source.list).toBe(yield* everything.source.list)
    })))

  test("text, structure, an image, a file, links, an error of the schema", () =>
    run(Effect.gen(function*() {
      const { source } = everything
      expect(yield* source.call("echo", { message: "hello" })).toBe("Echo: hello")
      expect(yield* source.call("get-structured-content", { location: "Chicago" })).toEqual({
        temperature: 36,
        conditions: "Light rain / drizzle",
        humidity: 82,
      })
      const image = yield* called(source, "get-tiny-image")
      expect(image.exit).toEqual(Exit.succeed(
        "Here's the image you requested:\nThe image above is the MCP logo.\n[1 image attached to the result]",
      ))
      expect(image.attached).toEqual([{ mediaType: "image/png", data: expect.stringMatching(/^iVBORw0KGgo/) }])
      const file = yield* called(source, "gzip-file-as-resource", {
        name: "hello.gz",
        data: "data:text/plain,hello",
        outputType: "resource",
      })
      expect(file.exit).toEqual(Exit.succeed("[1 file attached to the result: hello.gz]"))
      expect(file.attached).toMatchObject([{ mediaType: "application/gzip", fileName: "hello.gz" }])
      expect(yield* source.call("get-resource-links", { count: 1 })).toMatch(
        /^Here are 1 resource links .*:\nBlob Resource 1: demo:\/\/resource\/dynamic\/blob\/1 \(Resource 1: /,
      )
      const failure = yield* failureOf(source.call("get-sum", { a: "one", b: 2 }))
      expect(failure).toMatchObject({ code: "TOOL_FAILURE", retryable: true })
      expect(failure.message).toContain("expected number, received string at a")
    })))

  test("a call that is cut short is cancelled, and others go on", () =>
    run(Effect.gen(function*() {
      const { source } = everything
      const slow = source.call("trigger-long-running-operation", { duration: 20, steps: 2 })
      const [cut, echoed] = yield* Effect.all([
        Effect.timeoutOption(slow, "200 millis"),
        source.call("echo", { message: "meanwhile" }),
      ], { concurrency: "unbounded" })
      expect([cut._tag, echoed]).toEqual(["None", "Echo: meanwhile"])
    })))
})

describe("the reference server of files", () => {
  test("reads, refuses, and many calls at once", () =>
    run(Effect.gen(function*() {
      const { source } = files
      const read = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => i),
        (i) => source.call("read_text_file", { path: join(folder, `${i}.txt`) }),
        { concurrency: "unbounded" },
      )
      expect(read).toEqual(Array.from({ length: 20 }, (_, i) => ({ content: `file ${i}` })))
      const denied = yield* failureOf(source.call("read_text_file", { path: "/etc/hostname" }))
      expect(denied.code).toBe("TOOL_FAILURE")
      expect(denied.message).toMatch(/^Access denied - path outside allowed directories/)
    })))

  test("an image that its structured result repeats is attached once and enters no program", () =>
    run(Effect.gen(function*() {
      const { attached, exit } = yield* called(files.source, "read_media_file", { path: join(folder, "pixel.png") })
      expect(exit).toEqual(Exit.succeed({
        content: [{ type: "image", data: "[attached to the result]", mimeType: "image/png" }],
      }))
      expect(attached).toEqual([{ mediaType: "image/png", data: onePixel }])
    })))
})

test("servers are told the version of the package", async () => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string
  }
  expect(identity.version).toBe(manifest.version)
})
