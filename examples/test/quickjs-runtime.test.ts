import { contractFor } from "@effect-codemode/toolkit/testing"
import { describe, it } from "@effect/vitest"
import * as QuickJsRuntime from "../quickjs-runtime/QuickJsRuntime.ts"

describe("QuickJsRuntime keeps the contract", () => {
  const runtime = QuickJsRuntime.make({ busy: 300 })
  for (const { check, name } of contractFor([])) it.live(name, () => check(runtime))
})
