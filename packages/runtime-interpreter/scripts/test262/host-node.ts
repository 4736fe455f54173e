import { createContext, Script } from "node:vm"
import { type Completion, type Host, timeLimit } from "./host.ts"

const early = (error: unknown): Completion => ({ type: "early", ...describe(error) })

const describe = (error: unknown): { readonly name: string; readonly message: string } => {
  if (typeof error !== "object" || error === null) {
    return { name: "", message: String(error) }
  }
  const { constructor, message } = error as {
    readonly constructor?: { readonly name?: unknown }
    readonly message?: unknown
  }
  return { name: String(constructor?.name), message: String(message) }
}

/** V8, as this process has it. */
export const make = (): Host => {
  // A test that never handles a rejection is judged by what it printed; the process must outlive it.
  process.on("unhandledRejection", () => {})

  const compile = (source: string): Script | Completion => {
    try {
      return new Script(source, { filename: "test.js" })
    } catch (error) {
      return early(error)
    }
  }

  return {
    preamble: "",
    compile: (source) => {
      const script = compile(source)
      return script instanceof Script ? { type: "normal" } : script
    },
    run: (harness, test) => {
      const printed: Array<string> = []
      const script = compile(harness + test)
      if (!(script instanceof Script)) {
        return { completion: script, printed }
      }
      const context = createContext({}, { microtaskMode: "afterEvaluate" })
      context["print"] = (message: unknown) => printed.push(String(message))
      context["$262"] = {
        global: new Script("globalThis").runInContext(context),
        gc: () => {},
        detachArrayBuffer: (buffer: ArrayBuffer) => void structuredClone(buffer, { transfer: [buffer] }),
      }
      try {
        script.runInContext(context, { timeout: timeLimit })
        return { completion: { type: "normal" }, printed }
      } catch (error) {
        const late = describe(error)
        return {
          completion: late.message.startsWith("Script execution timed out")
            ? { type: "halt", reason: "time" }
            : { type: "throw", ...late },
          printed,
        }
      }
    },
  }
}
