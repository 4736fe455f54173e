import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

// A process of its own, since this one has the compiler loaded. It runs what is built.
const script = (body: string) => `
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Effect } from "effect"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const loads = () => Object.keys(require.cache).filter((path) => /[\\\\/]typescript[\\\\/]lib[\\\\/]typescript\\.js$/.test(path)).length
const runtime = InterpreterRuntime.make()
const run = (code) =>
  Effect.runPromise(Effect.map(runtime.run({ code, tools: [], call: () => Effect.never }), ({ result }) => result))
const seen = []
${body}
console.log(JSON.stringify(seen))
`

const seenBy = async (body: string): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script(body)], {
    cwd: import.meta.dirname,
  })
  return JSON.parse(stdout)
}

describe("TypeScript's compiler", () => {
  it("is loaded for the first program that has types, and once", async () => {
    const body = String.raw`
seen.push([loads(), await run("const n = 1\nreturn [n, 2 < 3]"), loads()])
await run("const = 1").catch(() => {})
seen.push([loads()])
seen.push([await run("const n: number = 2\nreturn n"), loads()])
seen.push([await run("return [...new Set<string>(['a'])]"), loads()])`
    expect(await seenBy(body)).toEqual([[0, [1, true], 0], [0], [2, 1], [["a"], 1]])
  })

  it("is loaded before there is such a program, where the host wants it", async () => {
    const body = String.raw`
await Effect.runPromise(InterpreterRuntime.preload)
seen.push(loads())
seen.push(await run("enum A { B = 4 }\nreturn A.B"))
await Effect.runPromise(InterpreterRuntime.preload)
seen.push(loads())`
    expect(await seenBy(body)).toEqual([1, 4, 1])
  })
})
