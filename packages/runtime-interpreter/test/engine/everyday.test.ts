import { runInThisContext } from "node:vm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { everyday, recent } from "./everyday.cases.ts"

const zone = process.env["TZ"]
beforeAll(() => void (process.env["TZ"] = "UTC"))
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"]
  else process.env["TZ"] = zone
})

const asJson = (value: unknown): unknown => value === undefined ? null : JSON.parse(JSON.stringify(value) ?? "null")

describe("what models write every day", () => {
  it.each(everyday)("%s", async (body) => {
    const theirs = await runInThisContext(`(async function () { "use strict"; ${body} })()`)
    expect(await evaluate(body)).toEqual(asJson(theirs))
  })

  it.each(recent)("%s", async (body, value) => {
    expect(await evaluate(body)).toEqual(value)
  })
})
