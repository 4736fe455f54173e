// Runs each program of the benchmark once in the interpreter and once in V8, and writes both values of each as JSON.
import * as Interpreter from "./engines/interpreter.ts"
import * as NodeVm from "./engines/node-vm.ts"
import * as Programs from "./programs.ts"

const ours = Interpreter.load()
const vm = NodeVm.load()
const values: Record<string, { readonly ours: unknown; readonly vm: unknown }> = {}
for (const { code, name } of Programs.load()) values[name] = { ours: await ours.run(code), vm: await vm.run(code) }
console.log(JSON.stringify(values))
