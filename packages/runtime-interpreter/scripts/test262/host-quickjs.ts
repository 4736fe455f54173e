import { getQuickJS, type QuickJSContext, type QuickJSHandle, shouldInterruptAfterDeadline } from "quickjs-emscripten"
import { type Completion, type Host, preamble, timeLimit } from "./host.ts"

/** QuickJS compiled to WebAssembly. */
export const make = async (): Promise<Host> => {
  const quickjs = await getQuickJS()

  const within = <A>(use: (context: QuickJSContext, printed: Array<string>) => A): A => {
    const runtime = quickjs.newRuntime()
    runtime.setMemoryLimit(512 * 1024 * 1024)
    runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + timeLimit))
    const context = runtime.newContext()
    const printed: Array<string> = []
    const print = context.newFunction("print", (message) => {
      printed.push(context.getString(message))
    })
    context.setProp(context.global, "print", print)
    print.dispose()
    try {
      return use(context, printed)
    } finally {
      context.dispose()
      runtime.dispose()
    }
  }

  const thrown = (context: QuickJSContext, error: QuickJSHandle, type: "early" | "throw"): Completion => {
    const text = (handle: QuickJSHandle) => {
      const value = context.dump(handle)
      handle.dispose()
      return typeof value === "string" ? value : String(value)
    }
    if (context.typeof(error) !== "object") {
      return { type, name: "", message: text(error) }
    }
    const constructor = context.getProp(error, "constructor")
    const name = text(context.getProp(constructor, "name"))
    constructor.dispose()
    const message = text(context.getProp(error, "message"))
    error.dispose()
    return message === "interrupted" ? { type: "halt", reason: "time" } : { type, name, message }
  }

  const compile = (context: QuickJSContext, source: string): Completion => {
    const result = context.evalCode(source, "test.js", { type: "global", compileOnly: true })
    if (result.error !== undefined) {
      return thrown(context, result.error, "early")
    }
    result.value.dispose()
    return { type: "normal" }
  }

  const evaluate = (context: QuickJSContext, source: string): Completion => {
    const result = context.evalCode(source, "test.js", { type: "global" })
    if (result.error !== undefined) {
      return thrown(context, result.error, "throw")
    }
    result.value.dispose()
    while (context.runtime.hasPendingJob()) {
      const jobs = context.runtime.executePendingJobs(-1)
      if (jobs.error !== undefined) {
        return thrown(context, jobs.error, "throw")
      }
      jobs.dispose()
    }
    return { type: "normal" }
  }

  return {
    preamble,
    compile: (source) => within((context) => compile(context, source)),
    run: (harness, test) =>
      within((context, printed) => {
        const source = harness + test
        const compiled = compile(context, source)
        return { completion: compiled.type === "normal" ? evaluate(context, source) : compiled, printed }
      }),
  }
}
