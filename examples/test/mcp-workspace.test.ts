import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { example, section } from "./run.ts"

describe("the MCP workspace", () => {
  let output = ""

  beforeAll(async () => {
    output = await example("mcp-workspace")
  })

  it("presents the tools of two servers: reads to programs, writes beside them, some not at all", () => {
    const shown = section(output, "What the model is shown")
    expect(shown).toContain("tools.files.read_text_file(input: {")
    expect(shown).toContain(`tools.everything["get-tiny-image"]()`)
    expect(shown).toMatch(/^tool files__write_file /m)
    expect(shown).not.toContain("tools.files.write_file")
    expect(output).not.toMatch(/get-env|gzip-file/)
  })

  it("reads every file of a folder at once, with the other server meanwhile", () => {
    const internal = fileURLToPath(new URL("../../packages/toolkit/src/internal", import.meta.url))
    const files = readdirSync(internal).filter((name) => name.endsWith(".ts")).length
    const run = section(output, "Program call-1")
    expect(files).toBeGreaterThan(20)
    expect(run.match(/^ {2}call-1\/\d+ +\d+\.\d ms {2}files\.read_text_file \S+\.ts"\}$/gm)).toHaveLength(files)
    expect(run).toMatch(/^ {2}call-1\/2 +\d+\.\d ms {2}everything\.get-structured-content /m)
    expect(run).toMatch(/Timeline: \d+ calls in .*, at most 16 at once/)
    expect(run).toContain(`"files": ${files},`)
  })

  it("goes on after a failed call, and gives the model an image beside the result", () => {
    const run = section(output, "Program call-1")
    expect(run).toMatch(/call-1\/\d+ .*\/etc\/hostname.*TOOL_FAILURE: Access denied/)
    expect(run).toContain(`"outside": "refused"`)
    expect(run).toMatch(/^ {2}Attached by call-1\/3: image\/png, [\d,]+ bytes$/m)
    expect(run).toContain("[1 image attached to the result]")
    expect(run).toMatch(/"temperature": \d+/)
  })

  it("writes after approval and not before, into a folder that goes when it ends", () => {
    const approval = section(output, "Approval")
    const note = /files__write_file \{"path":"([^"]+)".*waits for approval: approved/.exec(approval)![1]!
    expect(approval.indexOf("call-2 ")).toBeGreaterThan(approval.indexOf("approved"))
    expect(section(output, "What was written")).toMatch(/\d+ files\. The longest is \S+\.ts, with \d+ lines\./)
    expect(existsSync(note)).toBe(false)
  })
})
