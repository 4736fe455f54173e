import type { ToolSource } from "@effect-codemode/toolkit"
import type { Schema } from "effect"
import { Effect, Exit } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { called, failureOf, misbehaving, run, shared } from "./mcp-fixtures.ts"

let server: Awaited<ReturnType<typeof shared>>
beforeAll(async () => {
  server = await shared(misbehaving([], { maxTextLength: 1_000, maxAttachmentBytes: 3_000 }))
})
afterAll(() => server.close())

const text = (text: string) => ({ type: "text", text })
const image = (data = "AAAA") => ({ type: "image", data, mimeType: "image/png" })
// As long as the others, and the same up to its end.
const unlike = (n: number) => `${"A".repeat(396)}${String(n).padStart(4, "B")}`
const sound = { type: "audio", data: "BBBB", mimeType: "audio/wav" }
const blob = (uri: string, mimeType?: string) => ({
  type: "resource",
  resource: { uri, blob: "CCCC", ...(mimeType === undefined ? {} : { mimeType }) },
})

interface Case {
  readonly result: Schema.JsonObject
  readonly value: Schema.Json
  readonly attached?: ReadonlyArray<ToolSource.Attachment>
}

const png: ToolSource.Attachment = { mediaType: "image/png", data: "AAAA" }

const cases: Record<string, Case> = {
  "nothing is null": { result: { content: [] }, value: null },
  "one text is a string": { result: { content: [text("one")] }, value: "one" },
  "texts are joined by lines": { result: { content: [text("one"), text("two")] }, value: "one\ntwo" },
  "an empty text is an empty string": { result: { content: [text("")] }, value: "" },
  "a structured result goes before the text": {
    result: { content: [text("{\"a\":1}")], structuredContent: { a: 1, b: [null, "x"] } },
    value: { a: 1, b: [null, "x"] },
  },
  "an empty structured result is one": { result: { content: [text("x")], structuredContent: {} }, value: {} },
  "an image alone is told by a mark": {
    result: { content: [image()] },
    value: "[1 image attached to the result]",
    attached: [png],
  },
  "images are counted": {
    result: { content: [image(), image("BBBB")] },
    value: "[2 images attached to the result]",
    attached: [png, { mediaType: "image/png", data: "BBBB" }],
  },
  "media of every kind, with the names of files": {
    result: { content: [image(), sound, blob("file:///a/b%20c.pdf?x#y", "application/pdf"), blob("memo:/plain/")] },
    value: "[1 image, 1 sound and 2 files attached to the result: b c.pdf, plain]",
    attached: [
      png,
      { mediaType: "audio/wav", data: "BBBB" },
      { mediaType: "application/pdf", fileName: "b c.pdf", data: "CCCC" },
      { mediaType: "application/octet-stream", fileName: "plain", data: "CCCC" },
    ],
  },
  "a blob that is an image counts as one": {
    result: { content: [blob("file:///chart.png", "image/png")] },
    value: "[1 image attached to the result: chart.png]",
    attached: [{ mediaType: "image/png", fileName: "chart.png", data: "CCCC" }],
  },
  "a file without a name, and one whose address is its content": {
    result: { content: [blob("x://"), blob("data:text/plain,hello")] },
    value: "[2 files attached to the result]",
    attached: [
      { mediaType: "application/octet-stream", data: "CCCC" },
      { mediaType: "application/octet-stream", data: "CCCC" },
    ],
  },
  "text beside media has the mark at its end": {
    result: { content: [text("Look:"), image(), text("Nice.")] },
    value: "Look:\nNice.\n[1 image attached to the result]",
    attached: [png],
  },
  "a structured result beside media": {
    result: { content: [image()], structuredContent: { width: 3 } },
    value: { width: 3 },
    attached: [png],
  },
  "media that a structured result repeats are attached once, and are no text": {
    result: { content: [image()], structuredContent: { content: [image()], more: { deep: [sound] } } },
    value: {
      content: [{ type: "image", data: "[attached to the result]", mimeType: "image/png" }],
      more: { deep: [{ type: "audio", data: "[attached to the result]", mimeType: "audio/wav" }] },
    },
    attached: [png, { mediaType: "audio/wav", data: "BBBB" }],
  },
  "media that differ late are several": {
    result: {
      content: Array.from({ length: 8 }, (_, i) => image(unlike(i))),
      structuredContent: { all: Array.from({ length: 8 }, (_, i) => image(unlike(i + 4))) },
    },
    value: {
      all: Array.from({ length: 8 }, () => ({
        type: "image",
        data: "[attached to the result]",
        mimeType: "image/png",
      })),
    },
    attached: Array.from({ length: 12 }, (_, i) => ({ mediaType: "image/png", data: unlike(i) })),
  },
  "a blob in a structured result": {
    result: { content: [], structuredContent: { resource: { uri: "file:///a.zip", blob: "CCCC" } } },
    value: { resource: { uri: "file:///a.zip", blob: "[attached to the result]" } },
    attached: [{ mediaType: "application/octet-stream", fileName: "a.zip", data: "CCCC" }],
  },
  "an embedded text is text": {
    result: { content: [text("a"), { type: "resource", resource: { uri: "x://y", text: "b" } }] },
    value: "a\nb",
  },
  "a link is a line": {
    result: {
      content: [
        { type: "resource_link", uri: "file:///a.txt", name: "a.txt" },
        { type: "resource_link", uri: "file:///b.txt", name: "b.txt", title: "The second", description: "of two" },
      ],
    },
    value: "a.txt: file:///a.txt\nThe second: file:///b.txt (of two)",
  },
  "exactly as much text as is taken": { result: { content: [text("x".repeat(1_000))] }, value: "x".repeat(1_000) },
  "exactly as many bytes as are taken": {
    result: { content: [image("A".repeat(4_000))] },
    value: "[1 image attached to the result]",
    attached: [{ mediaType: "image/png", data: "A".repeat(4_000) }],
  },
  "what a server puts into the part for its own remarks is no image": {
    result: { content: [{ ...image(), _meta: { "effect-codemode/held": { base64: "DDDD" } } }] },
    value: "[1 image attached to the result]",
    attached: [png],
  },
  "what it says of itself is not read": {
    result: {
      content: [{ ...text("a"), _meta: { "": [1] } }, { ...image(), _meta: { b: 1 } }],
      _meta: { c: [{ d: "x".repeat(2_000) }] },
    },
    value: "a\n[1 image attached to the result]",
    attached: [png],
  },
  "an empty file is told, and not attached": {
    result: { content: [image(), { type: "resource", resource: { uri: "file:///empty.txt", blob: "" } }, image("")] },
    value: "[1 image attached to the result]\n[1 image and 1 file left out, being empty: empty.txt]",
    attached: [png],
  },
  "a kind of media that is none is told as bytes": {
    result: { content: [{ type: "image", data: "AAAA", mimeType: "a picture" }] },
    value: "[1 file attached to the result]",
    attached: [{ mediaType: "application/octet-stream", data: "AAAA" }],
  },
  "a member named __proto__ stays one": {
    result: JSON.parse(`{"content":[],"structuredContent":{"__proto__":{"a":1}}}`) as Schema.JsonObject,
    value: JSON.parse(`{"__proto__":{"a":1}}`) as Schema.Json,
  },
}

describe("the result of a call", () => {
  for (const [name, { attached = [], result, value }] of Object.entries(cases)) {
    test(name, () =>
      run(Effect.gen(function*() {
        const given = yield* called(server.source, "give", { result })
        expect(given.exit).toEqual(Exit.succeed(value))
        expect(JSON.stringify(given.exit)).toBe(JSON.stringify(Exit.succeed(value)))
        expect(given.attached).toEqual(attached)
      })))
  }
})

interface FailedCase {
  readonly result: Schema.Json
  readonly code: string
  readonly message: RegExp
  readonly retryable: boolean
}

const deep = (depth: number): Schema.Json => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as Schema.Json

const failedCases: Record<string, FailedCase> = {
  "an error is told in its own words": {
    result: { isError: true, content: [text("No such file"), text("Try another")] },
    code: "TOOL_FAILURE",
    message: /^No such file\nTry another$/,
    retryable: true,
  },
  "an error goes before a structured result": {
    result: { isError: true, content: [text("Broken")], structuredContent: { a: 1 } },
    code: "TOOL_FAILURE",
    message: /^Broken$/,
    retryable: true,
  },
  "an error without a word": {
    result: { isError: true, content: [] },
    code: "TOOL_FAILURE",
    message: /^The tool "give" failed and did not say why\.$/,
    retryable: true,
  },
  "a long error is cut": {
    result: { isError: true, content: [text("x".repeat(10_000))] },
    code: "TOOL_FAILURE",
    message: /^x{4000}… \[6,000 more characters\]$/,
    retryable: true,
  },
  "more text than is taken": {
    result: { content: [text("x".repeat(600)), text("y".repeat(600))] },
    code: "LIMIT_EXCEEDED",
    message: /"give" has 1,201 characters; at most 1,000 are taken\. Ask it for less/,
    retryable: true,
  },
  "more structure than is taken": {
    result: { content: [], structuredContent: { items: Array.from({ length: 100 }, (_, i) => `item ${i}`) } },
    code: "LIMIT_EXCEEDED",
    message: /"give" has more than 1,000 characters\. Ask it for less/,
    retryable: true,
  },
  "more bytes than are taken": {
    result: { content: [text("small"), image("A".repeat(4_004))] },
    code: "LIMIT_EXCEEDED",
    message: /"give" gave an image of 3,003 bytes; at most 3,000 are taken\./,
    retryable: true,
  },
  "more content than is taken": {
    result: { content: Array.from({ length: 10_001 }, () => text("")) },
    code: "LIMIT_EXCEEDED",
    message:
      /"give" gave an answer that is too long: it has 10,001 blocks of content; at most 10,000 are taken\. Ask it/,
    retryable: true,
  },
  "more files than are taken": {
    result: { content: Array.from({ length: 1_001 }, () => image()) },
    code: "LIMIT_EXCEEDED",
    message: /"give" gave 1,001 files; at most 1,000 are taken\. Ask it for less/,
    retryable: true,
  },
  "more files than are taken, with those of a structured result": {
    result: {
      content: [image(), image()],
      structuredContent: { all: Array.from({ length: 999 }, (_, i) => image(unlike(i))) },
    },
    code: "LIMIT_EXCEEDED",
    message: /"give" gave 1,001 files; at most 1,000 are taken\. Ask it for less/,
    retryable: true,
  },
  "an image that is no base64": {
    result: { content: [image("not base64!!")] },
    code: "INVALID_TOOL_OUTPUT",
    message: /"give" gave an image that is not in base64/,
    retryable: false,
  },
  "a structure that is nested too deep": {
    result: { content: [], structuredContent: { deep: deep(600) } },
    code: "INVALID_TOOL_OUTPUT",
    message: /nested deeper than 500 levels/,
    retryable: false,
  },
  "content of a kind that there is not": {
    result: { content: [{ type: "hologram", data: "AAAA" }] },
    code: "INVALID_TOOL_OUTPUT",
    message: /"give" gave an answer that is not the protocol/,
    retryable: false,
  },
  "no content at all": {
    result: {},
    code: "INVALID_TOOL_OUTPUT",
    message: /"give" gave an answer that is not the protocol/,
    retryable: false,
  },
  "a result that is a number": {
    result: 42,
    code: "INVALID_TOOL_OUTPUT",
    message: /"give" gave an answer that is not the protocol/,
    retryable: false,
  },
}

describe("a call that fails", () => {
  for (const [name, { code, message, result, retryable }] of Object.entries(failedCases)) {
    test(name, () =>
      run(Effect.gen(function*() {
        const failure = yield* failureOf(server.source.call("give", { result }))
        expect(failure.message).toMatch(message)
        expect(failure).toMatchObject({ code, retryable })
        // The connection goes on.
        expect(yield* server.source.call("echo", { a: 1 })).toBe("{\"a\":1}")
      })))
  }

  test("an error that shows something is attached", () =>
    run(Effect.gen(function*() {
      const { attached, exit } = yield* called(server.source, "give", {
        result: { isError: true, content: [text("See"), image()] },
      })
      expect(Exit.isFailure(exit)).toBe(true)
      expect(attached).toEqual([png])
    })))
})
