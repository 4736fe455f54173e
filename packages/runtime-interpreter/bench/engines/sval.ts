// An interpreter that walks syntax trees, on host values. It does not run all of JavaScript.
import Sval from "sval"
import { asJson, type Engine } from "./engine.ts"
import { hostTools } from "./host-tools.ts"

/** Milliseconds after which a program that only waits is given up: nothing that it waits for is slow. */
const PATIENCE = 10_000

const within = async (value: unknown): Promise<unknown> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it does not finish")), PATIENCE)
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs each program in a scope of its own. It gives no value for a program, so that the programs' one expression is exported. */
export const load = (): Engine => ({
  name: "sval",
  run: async (code) => {
    const interpreter = new Sval({ ecmaVer: "latest", sourceType: "script", sandBox: true })
    interpreter.import({ tools: hostTools })
    interpreter.run(code.replace(/^\/\/.*\n;?/, "exports.value = "))
    return asJson(await within(interpreter.exports.value))
  },
})
