import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode, Mcp, type ToolSource } from "@effect-codemode/toolkit"
import { Effect, Fiber, type Schema } from "effect"
import { Chat, LanguageModel, Prompt } from "effect/ai"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { misbehaving, run, shared } from "./mcp-fixtures.ts"
import { call, scripted, text } from "./model.ts"

const server = (name: string) => fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`))
const runtime = InterpreterRuntime.make()

let folder: string
let everything: Awaited<ReturnType<typeof shared>>
let files: Awaited<ReturnType<typeof shared>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-"))
  for (let i = 0; i < 12; i++) await writeFile(join(folder, `${i}.txt`), "x".repeat(i))
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

const program = (folder: string) => `
  const names = Array.from({ length: 12 }, (_, i) => i + ".txt")
  // Twenty-four calls of two servers at once.
  const [sums, texts] = await Promise.all([
    Promise.all(names.map((_, i) => tools.everything["get-sum"]({ a: i, b: i }))),
    Promise.all(names.map((name) => tools.files.read_text_file({ path: ${JSON.stringify(folder)} + "/" + name }))),
  ])
  let refused
  try {
    await tools.files.read_text_file({ path: "/etc/hostname" })
  } catch (error) {
    refused = { code: error.code, message: error.message.slice(0, 13) }
  }
  const image = await tools.everything["get-tiny-image"]({})
  return { sums: sums.slice(-2), length: texts.reduce((sum, { content }) => sum + content.length, 0), refused, image }
`

describe("a model over two servers", () => {
  test("runs one program over both, and writes once a person has agreed", () =>
    run(Effect.gen(function*() {
      const path = join(folder, "report.txt")
      const { model, requests } = yield* scripted([
        [call("c1", "execute", { code: program(folder) })],
        [call("c2", "files__write_file", { path, content: "sum: 66" })],
        [text("Written.")],
      ])
      const presented = yield* Assembly.toolkit(
        { everything: everything.source, files: files.source },
        Assembly.readOnly,
      )
      expect(presented.unavailable).toEqual([])
      const toolkit = yield* CodeMode.toolkit(presented, runtime)
      const chat = yield* Chat.fromPrompt("Sum up the files")
      const turn = (prompt: Prompt.RawInput = []) =>
        Effect.provideService(chat.generateText({ prompt, toolkit }), LanguageModel.LanguageModel, model)

      const first = yield* turn()
      expect(first.toolResults[0]?.result).toEqual({
        result: {
          sums: ["The sum of 10 and 10 is 20.", "The sum of 11 and 11 is 22."],
          length: 66,
          refused: { code: "TOOL_FAILURE", message: "Access denied" },
          image: "Here's the image you requested:\nThe image above is the MCP logo.\n[1 image attached to the result]",
        },
        logs: [],
      })

      const asked = yield* turn()
      // The image went to the model beside the result of the run, and the program saw none of it.
      const [result] = requests[1]!.prompt.content.flatMap(({ content, role }) => role === "tool" ? content : [])
      expect(result).toMatchObject({
        type: "tool-result",
        modelOutput: [
          { type: "text", text: expect.stringContaining("[1 image attached to the result]") },
          { type: "file", mediaType: "image/png", data: expect.any(Uint8Array) },
        ],
      })
      const [, image] = result?.type === "tool-result" ? result.modelOutput ?? [] : []
      const data = image?.type === "file" && image.data instanceof Uint8Array ? image.data : new Uint8Array()
      expect(Buffer.from(data).toString("latin1")).toMatch(/^\u0089PNG/)
      expect(JSON.stringify(first.toolResults[0]?.result)).not.toContain("iVBORw0KGgo")

      const request = asked.content.find((part) => part.type === "tool-approval-request")
      expect(request).toMatchObject({ toolCallId: "c2" })
      expect(existsSync(path)).toBe(false)
      const agreed = Prompt.toolApprovalResponsePart({ approvalId: request!.approvalId, approved: true })
      const answered = yield* turn(Prompt.fromMessages([Prompt.makeMessage("tool", { content: [agreed] })]))
      expect(answered.text).toBe("Written.")
      expect(yield* Effect.promise(() => readFile(path, "utf8"))).toBe("sum: 66")
    })))

  test("is told of both, of what they say of themselves, and of what needs a person", () =>
    run(Effect.gen(function*() {
      const presented = yield* Assembly.toolkit(
        { everything: everything.source, files: files.source },
        Assembly.readOnly,
      )
      const { instructions, sideTools } = yield* CodeMode.make(presented, runtime, { catalogBudget: 20_000 })
      expect(instructions).toContain("Its server says (call its tools by the paths given here): ")
      expect(instructions).toContain("tools.files.read_text_file(input: {")
      expect(Object.keys(sideTools)).toEqual(
        expect.arrayContaining(["files__write_file", "files__edit_file", "everything__gzip-file-as-resource"]),
      )
      expect(Object.keys(sideTools)).not.toContain("files__read_text_file")
    })))
})

describe("a server that is killed in the middle of a run", () => {
  const outcome = (source: ToolSource.ToolSource, code: string, options?: CodeMode.Options) =>
    Effect.gen(function*() {
      const presented = yield* Assembly.toolkit({ fragile: source, everything: everything.source }, Assembly.allowAll)
      const { execute } = yield* CodeMode.make(presented, runtime, options)
      return (yield* execute(code)).result as Schema.JsonObject
    })

  test("fails its calls with a message, the others go on, and the next run works", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving([], { name: "fragile" })
      const { pid } = yield* outcome(source, "return tools.fragile.pid({})")
      let started = 0
      const allStarted: Effect.Effect<void> = Effect.suspend(() =>
        started < 15 ? Effect.andThen(Effect.sleep("10 millis"), allStarted) : Effect.void
      )
      const running = yield* Effect.forkChild(outcome(
        source,
        `
        const settled = await Promise.allSettled([
          ...Array.from({ length: 10 }, () => tools.fragile.wait({ millis: 20_000 })),
          ...Array.from({ length: 5 }, (_, i) => tools.everything.echo({ message: "m" + i })),
        ])
        const after = await tools.everything.echo({ message: "after" })
        return {
          failed: settled.slice(0, 10).map(({ reason }) => reason.message),
          fine: settled.slice(10).map(({ value }) => value),
          after,
        }
      `,
        { onToolCallStart: () => Effect.sync(() => void started++) },
      ))
      yield* allStarted
      yield* Effect.sleep("50 millis")
      process.kill(pid as number, "SIGKILL")
      const message = "The MCP server \"fragile\" was lost during the call: it was ended by the signal SIGKILL. " +
        "Whether the call had an effect is not known."
      expect(yield* Fiber.join(running)).toEqual({
        failed: Array.from({ length: 10 }, () => message),
        fine: Array.from({ length: 5 }, (_, i) => `Echo: m${i}`),
        after: "Echo: after",
      })
      const again = yield* outcome(source, "return tools.fragile.pid({})")
      expect(again.pid).not.toBe(pid)
      expect(() => process.kill(pid as number, 0)).toThrow("ESRCH")
    })))

  test("is told as not available while it is down, and the rest is there", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving(["start=exit"], { name: "fragile" })
      const presented = yield* Assembly.toolkit({ fragile: source, everything: everything.source }, Assembly.allowAll)
      expect(presented.unavailable.map(({ message }) => message)).toEqual([
        "The member \"fragile\" is not available: The MCP server \"fragile\" is not available: it ended with exit code 3. " +
        "It can be tried again in 1s.",
      ])
      const { execute } = yield* CodeMode.make(presented, runtime)
      expect((yield* execute("return tools.everything.echo({ message: 'here' })")).result).toBe("Echo: here")
    })))
})
