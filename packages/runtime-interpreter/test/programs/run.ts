import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import { runInThisContext } from "node:vm"
import { rolldown } from "rolldown"
import type * as Interpreter from "../../src/index.ts"
import { loadNative } from "../native.ts"

/**
 * Bundles a file beside this one, and what it imports, as one program that gives what the file exports as `rows`. `modules` are
 * texts of modules that exist only here, by their names, which begin with `virtual:`.
 */
export const bundle = async (file: string, modules: Readonly<Record<string, string>> = {}): Promise<string> => {
  const build = await rolldown({
    plugins: [{
      name: "virtual",
      resolveId: (id) => id in modules ? id : undefined,
      load: (id) => modules[id],
    }],
    input: fileURLToPath(new URL(file, import.meta.url)),
    platform: "browser",
    moduleTypes: { ".md": "text", ".txt": "text" },
    transform: { define: { global: "globalThis", "process.env.NODE_ENV": JSON.stringify("production") } },
    logLevel: "silent",
  })
  const { output } = await build.generate({ format: "iife", name: "bundled", codeSplitting: false })
  await build.close()
  return `${output[0].code}\nreturn await bundled.rows`
}

/** What a program gives in Node. */
export const runInNode = (code: string): Promise<unknown> =>
  runInThisContext(`(async () => { "use strict"; ${code}\n})`)()

const native = loadNative<typeof Interpreter>("index.ts")

/** What a program gives in the interpreter, with the locale and the time zone of this process. */
export const runInside = async (code: string): Promise<unknown> => {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const limits = { fuel: "unbounded", sourceLength: "unbounded", memory: 1 << 30, stringLength: 1 << 26 } as const
  const { InterpreterRuntime } = await native
  const runtime = InterpreterRuntime.make({ limits, locale, timeZone })
  const { result } = await Effect.runPromise(runtime.run({ code, tools: [], call: () => Effect.never }))
  return result
}
