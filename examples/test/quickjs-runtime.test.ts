import { contractFor } from "@effect-codemode/toolkit/testing"
import { describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as QuickJsRuntime from "../quickjs-runtime/QuickJsRuntime.ts"

describe("QuickJsRuntime keeps the contract", () => {
  const runtime = QuickJsRuntime.make({ busy: 300 })
  for (const { check, name } of contractFor([])) it.live(name, () => check(runtime))
})

it("the example runs a program and reports the contract", async () => {
  const run = fileURLToPath(new URL("../run.js", import.meta.url))
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [run, "quickjs-runtime"])
  expect(stderr).toBe("")
  expect(stdout).toContain(`Its result: {"city":"Cairo","celsius":22}\nIts logs: asked for 3 cities`)
  expect(stdout).toContain(`The contract: ${contractFor([]).length} rules kept, 0 broken`)
})
