import { describe, expect, it } from "vitest"
import { escapes } from "./escapes.cases.ts"
import { runEscape } from "./escapes.ts"

describe("no program gets out", () => {
  it.each(escapes)("$name: $tries", async (escape) => {
    expect(await runEscape(escape)).toEqual([])
  })
})
