import { existsSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { example, section as sectionOf } from "./run.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

describe("the workspace agent", () => {
  let output = ""
  const section = (title: string) => sectionOf(output, title)

  beforeAll(async () => {
    output = await example("workspace-agent")
  })

  it("shows what the model is given: one tool that runs code, and the one that needs approval", () => {
    const shown = section("What the model is shown")
    expect(shown.match(/^tool \w+/gm)).toEqual(["tool delete_file", "tool execute"])
    expect(shown).toContain(
      "tools.read_file(input: {\n    /** Path of a file, relative to the workspace */\n    path: string,\n",
    )
    expect(shown).not.toContain("tools.delete_file")
  })

  it("reads every TypeScript file in one program, and shows each call with its time", () => {
    const program = section("Program call-1")
    expect(program).toContain("await Promise.all(files.map((path) => tools.read_file({ path })))")
    const calls = program.match(/^ {2}call-1\/\d+ +\d+\.\d ms {2}\w+ /gm)!
    const files = Number(/"files": (\d+)/.exec(program)![1])
    expect(files).toBeGreaterThan(20)
    expect(calls).toHaveLength(files + 1)
  })

  it("gives the model the ten longest, longest first, with what they export", () => {
    const program = section("Program call-1")
    const lines = Array.from(program.matchAll(/"lines": (\d+)/g), ([, count]) => Number(count))
    expect(lines).toHaveLength(10)
    expect(lines).toEqual(lines.toSorted((a, b) => b - a))
    expect(program).toMatch(/"exports": \["\w+"/)
  })

  it("keeps the program inside the workspace", () => {
    const program = section("Program call-2")
    expect(program).toMatch(/call-2\/2 .*ACCESS_DENIED: \S+ is outside the workspace/)
    expect(program).toContain("\"outside\": \"ACCESS_DENIED\"")
  })

  it("deletes its scratch file, after approval and not before", () => {
    const approval = section("Approval")
    const file = /delete_file \{"path":"([^"]+)"\} waits for approval: approved/.exec(approval)![1]!
    expect(file).toMatch(/^examples\/workspace-agent\/scratch\//)
    expect(approval.indexOf("call-3")).toBeGreaterThan(approval.indexOf("approved"))
    expect(output).toContain(`${file} is gone.`)
    expect(existsSync(root + file)).toBe(false)
    expect(existsSync(root + posix.dirname(file))).toBe(false)
  })

  it("answers from what its programs found", () => {
    const answer = section("The model says")
    expect(answer.match(/^- \S+\.ts: \d+ lines, exports /gm)).toHaveLength(10)
    expect(answer).toContain("Reading outside the workspace fails with ACCESS_DENIED.")
  })

  it("counts what stayed in the programs against what entered the context", () => {
    const [, raw, entered] = /About ([\d,]+) tokens of raw results[^]*About ([\d,]+) tokens entered/.exec(
      section("Tokens"),
    )!
    const number = (text: string): number => Number(text.replaceAll(",", ""))
    expect(number(raw!)).toBeGreaterThan(10 * number(entered!))
  })
})
