// QuickJS compiled to WebAssembly, as a host would embed it to run the same programs.
import * as Effect from "effect/Effect"
import {
  getQuickJS,
  type QuickJSContext,
  type QuickJSWASMModule,
  shouldInterruptAfterDeadline,
} from "quickjs-emscripten"
import type { Call } from "./tools.ts"

// A tool's input and result cross as JSON text: the fastest way in and out of a WebAssembly heap.
const prelude = `
  const tools = new Proxy({}, {
    get: (_, name) => async (input) => JSON.parse(await callTool(name, JSON.stringify(input)))
  })
`

/** Loads the engine. The result runs a program in a context of its own and gives its value. */
export const load = async (): Promise<(code: string, call: Call) => Promise<unknown>> => {
  const quickjs = await getQuickJS()
  // Its WebAssembly memory is grown here, once: if a large tool result is what makes it grow, this build leaks a value and
  // then refuses to free its runtime.
  quickjs.evalCode("void new ArrayBuffer(100_000_000)")
  return (code, call) => run(quickjs, code, call)
}

const run = async (quickjs: QuickJSWASMModule, code: string, call: Call): Promise<unknown> => {
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(256 * 1024 * 1024)
  runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + 60_000))
  const context = runtime.newContext()
  if (code.includes("tools.")) provideTools(context, call)
  const value = context.unwrapResult(context.evalCode(code))
  const settled = context.resolvePromise(value)
  runtime.executePendingJobs()
  const handle = context.unwrapResult(await settled)
  const result: unknown = context.dump(handle)
  for (const part of [handle, value, context, runtime]) part.dispose()
  return result
}

const provideTools = (context: QuickJSContext, call: Call): void => {
  const callTool = context.newFunction("callTool", (tool, input) => {
    const deferred = context.newPromise()
    void Effect.runPromise(call(context.getString(tool), JSON.parse(context.getString(input)))).then((output) => {
      context.newString(JSON.stringify(output)).consume((text) => deferred.resolve(text))
      context.runtime.executePendingJobs()
    })
    return deferred.handle
  })
  context.setProp(context.global, "callTool", callTool)
  callTool.dispose()
  context.unwrapResult(context.evalCode(prelude)).dispose()
}
