// QuickJS compiled to WebAssembly, as a host would embed it to run the same programs.
import * as Effect from "effect/Effect"
import {
  getQuickJS,
  type QuickJSContext,
  type QuickJSWASMModule,
  shouldInterruptAfterDeadline,
} from "quickjs-emscripten"
import * as Tools from "../tools.ts"
import type { Engine } from "./engine.ts"

// A tool's input and result cross as JSON text: the fastest way in and out of a WebAssembly heap.
const prelude = `
  const tools = new Proxy({}, {
    get: (_, name) => async (input) => {
      const { failure, success } = JSON.parse(await callTool(name, JSON.stringify(input)))
      if (failure === undefined) return success
      throw Object.assign(new Error(failure.message), { code: failure.code })
    }
  })
`

/** Loads the engine. Each program runs in a runtime and a context of its own. */
export const load = async (): Promise<Engine> => {
  const quickjs = await getQuickJS()
  // Its WebAssembly memory is grown here, once: if a large tool result is what makes it grow, this build leaks a value and
  // then refuses to free its runtime.
  quickjs.evalCode("void new ArrayBuffer(100_000_000)")
  return { name: "quickjs", run: (code) => run(quickjs, code) }
}

const run = async (quickjs: QuickJSWASMModule, code: string): Promise<unknown> => {
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(256 * 1024 * 1024)
  runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + 60_000))
  const context = runtime.newContext()
  if (code.includes("tools.")) provideTools(context)
  const value = context.unwrapResult(context.evalCode(code))
  const settled = context.resolvePromise(value)
  runtime.executePendingJobs()
  const handle = context.unwrapResult(await settled)
  const result: unknown = context.dump(handle)
  for (const part of [handle, value, context, runtime]) part.dispose()
  return result
}

const answer = (tool: string, input: string): Promise<string> =>
  Effect.runPromise(Effect.match(Tools.call(tool, JSON.parse(input)), {
    onSuccess: (success) => JSON.stringify({ success }),
    onFailure: ({ code, message }) => JSON.stringify({ failure: { code, message } }),
  }))

const provideTools = (context: QuickJSContext): void => {
  const callTool = context.newFunction("callTool", (tool, input) => {
    const deferred = context.newPromise()
    void answer(context.getString(tool), context.getString(input)).then((output) => {
      context.newString(output).consume((text) => deferred.resolve(text))
      context.runtime.executePendingJobs()
    })
    return deferred.handle
  })
  context.setProp(context.global, "callTool", callTool)
  callTool.dispose()
  context.unwrapResult(context.evalCode(prelude)).dispose()
}
