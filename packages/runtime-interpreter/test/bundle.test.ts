import { expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { isCode, publish } from "../scripts/bundle/chunk.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const application = `
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Module from "@effect-codemode/runtime-interpreter/InterpreterRuntime"
import { compile } from "@effect-codemode/runtime-interpreter/engine"
import { CodeMode } from "@effect-codemode/toolkit"
import { Effect } from "effect"
const runtime = InterpreterRuntime.make()
const run = (code) => Effect.runPromise(Effect.result(runtime.run({ code, tools: [], call: () => Effect.never })))
const results = []
for (const code of ["return 6 * 7", "const n: number = 43\\nreturn n", "return n"]) results.push(await run(code))
console.log(JSON.stringify({
  values: results.slice(0, 2).map((result) => result.success.result),
  isCodeError: results[2].failure instanceof CodeMode.CodeError,
  isOne: InterpreterRuntime.make === Module.make && typeof compile === "function",
}))
`

it("what is published is few files, which work together as the packages do, and lead to the sources", async () => {
  mkdirSync(at("../build"), { recursive: true })
  const folder = mkdtempSync(at("../build/published-"))
  try {
    const installed = (name: string) => `${folder}/node_modules/@effect-codemode/${name}`
    await publish(at("../../toolkit"), installed("toolkit"))
    const files = await publish(at(".."), installed("runtime-interpreter"))
    expect(files.filter(isCode).length).toBeLessThan(10)
    writeFileSync(`${folder}/package.json`, `{ "private": true, "type": "module" }`)
    writeFileSync(`${folder}/application.js`, application)
    const { stdout } = await promisify(execFile)(process.execPath, [`${folder}/application.js`])
    expect(JSON.parse(stdout)).toStrictEqual({ values: [42, 43], isCodeError: true, isOne: true })
    const maps = files.filter(({ name }) => name.endsWith(".map"))
    const missing = maps.flatMap(({ name }) => {
      const map = join(installed("runtime-interpreter"), "dist", name)
      const { sources } = JSON.parse(readFileSync(map, "utf8")) as { readonly sources: ReadonlyArray<string> }
      return sources.filter((source) => !existsSync(resolve(dirname(map), source)))
    })
    expect(missing).toStrictEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
