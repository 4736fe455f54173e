import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { withBundle } from "../native.ts"

/** Comes to itself through built-ins until there is no more room, again and again. */
const code = `
let calls = 0
const itself = { toString() { calls++; return String(itself) + "" } }
const errors = []
for (let i = 0; i < 4; i++) {
  try { String(itself) } catch (error) { errors.push(error.name) }
}
const [sum] = [1, 2].map((x) => x + 1)
return [errors.join(), calls > 4, sum]`

const script = (module: string): string => `
import * as Effect from "effect/Effect"
const { InterpreterRuntime } = await import(${JSON.stringify(`file://${module}`)})
const run = InterpreterRuntime.make().run({ code: ${JSON.stringify(code)}, tools: [], call: () => Effect.never })
// What V8 has learned in one run changes how much room the next one takes.
for (let i = 0; i < 3; i++) console.log(JSON.stringify((await Effect.runPromise(run)).result))
`

it("a program catches that the host's stack is used up, however little there is", { timeout: 60_000 }, async () => {
  const expected = [["RangeError,RangeError,RangeError,RangeError", true, 2]]
  await withBundle("index.ts", async (module) => {
    for (const kilobytes of [150, 200, 260, 400, 984]) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        `--stack-size=${kilobytes}`,
        "--input-type=module",
        "--eval",
        script(module),
      ])
      const results: ReadonlyArray<unknown> = stdout.trim().split("\n").map((line) => JSON.parse(line))
      expect([kilobytes, ...results]).toEqual([kilobytes, ...expected, ...expected, ...expected])
    }
  })
})
