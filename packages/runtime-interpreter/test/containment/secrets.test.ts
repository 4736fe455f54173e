import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { secrets } from "./secrets.cases.ts"
import { runSecret } from "./secrets.ts"
import { canary, ofTool, secret } from "./secrets/case.ts"

describe("no secret of the host's is told", () => {
  it.each(secrets)("$name: $tries", async (one) => {
    expect(await runSecret(one)).toEqual([])
  })

  it("is a check that sees what is told", async () => {
    const told = secret("", "", ofTool(() => Effect.succeed({ name: canary })), null)
    expect((await runSecret(told)).length).toBeGreaterThan(0)
  })
})
