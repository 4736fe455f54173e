import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { promised, values } from "./iterators.cases.ts"

describe("iterators and collections", () => {
  it.each(values)("%s", async (expression, json) => {
    expect(await evaluate(`return { value: ${expression} }`)).toEqual({ value: json })
  })

  it.each(promised)("%s", async (expression, json) => {
    expect(await evaluate(`return { value: await ${expression} }`)).toEqual({ value: json })
  })
})
