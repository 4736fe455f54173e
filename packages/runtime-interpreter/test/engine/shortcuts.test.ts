import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { shortcuts } from "./shortcuts.cases.ts"

const asJson = (value: unknown): unknown => value === undefined ? null : JSON.parse(JSON.stringify(value) ?? "null")

describe("what takes a shorter way where nothing can be seen of it", () => {
  describe.each(Object.entries(shortcuts))("%s", (_, bodies) => {
    it.each(bodies)("%s", async (body) => {
      // In a realm of its own, since bodies change it.
      const theirs: unknown = runInNewContext(`(function () { "use strict"; ${body} })()`)
      expect(await evaluate(body)).toEqual(asJson(theirs))
    })
  })
})
