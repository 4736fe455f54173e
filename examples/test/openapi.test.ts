import { describe, expect, it } from "vitest"
import { example, section } from "./run.ts"

describe("the OpenAPI example", () => {
  it("presents an API through its own document: reads to programs, writes after approval", async () => {
    const output = await example("openapi")

    expect(output).toMatch(/^ {2}issues\.list +reads +Lists issues, 20 on a page$/m)
    expect(output).toMatch(/^ {2}issues\.close +writes +Closes an issue$/m)
    expect(output).not.toContain("skipped:")

    const shown = section(output, "What the model is shown")
    expect(shown.match(/^tool \w+/gm)).toEqual(["tool tracker__issues__close", "tool execute"])
    expect(shown).toContain("tools.tracker.issues.list(input?: { page?: string }): Promise<Array<")
    expect(shown).not.toContain("tools.tracker.issues.close")

    const run = section(output, "Program call-1")
    expect(run.match(/^ {2}call-1\/\d +\d+\.\d ms {2}tracker\.issues\.list /gm)).toHaveLength(5)
    expect(run).toMatch(/call-1\/6 .*TOOL_FAILURE: .*404/)
    expect(run).toContain(`"issues": 95`)

    expect(section(output, "Approval")).toMatch(/tracker__issues__close \{"id":"6",.*waits for approval: approved/)
    expect(section(output, "The model says")).toContain("I closed #6.")
    // The token is in requests, and nowhere else.
    expect(output).not.toContain("tr_3f9a77c1")
  })
})
