// V8 itself, by node:vm: no containment, no limits. It is here to show how far away the limit is.
import { createContext, runInContext } from "node:vm"
import { asJson, type Engine } from "./engine.ts"
import { hostTools } from "./host-tools.ts"

/** Runs each program in a context of its own. */
export const load = (): Engine => ({
  name: "node:vm",
  run: async (code) => asJson(await runInContext(code, createContext({ tools: hostTools }))),
})
