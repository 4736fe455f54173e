import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { contract } from "@effect-codemode/toolkit/testing"
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"

describe("the interpreter keeps the contract of runtimes, with every capability", () => {
  const runtime = InterpreterRuntime.make()
  for (const { capability, check, name } of contract) {
    it(capability === undefined ? name : `${name} (${capability})`, () => Effect.runPromise(check(runtime)))
  }
})
