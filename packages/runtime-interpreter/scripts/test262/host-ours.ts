import {
  call,
  compile,
  defineGeneratorNative,
  defineNative,
  describe as describeValue,
  get,
  Halt,
  isObject,
  type Machine,
  makeMachine,
  needsTypeScript,
  parseProgram,
  ProgramSyntaxError,
  type Template,
  Throw,
  toString,
  type Value,
} from "@effect-codemode/runtime-interpreter/engine"
import { type Completion, type Host, preamble } from "./host.ts"

/** Steps that one program may take: some seconds. */
const fuel = 400_000_000

const compileScript = (source: string): Template | Completion => {
  try {
    const program = parseProgram(source, { goal: "script" })
    if (program === needsTypeScript) throw new Error("A script is never TypeScript")
    return compile(program.ast, { code: program.code, name: "test.js" }, { isAsync: false, completion: false })
  } catch (error) {
    if (error instanceof ProgramSyntaxError) return { type: "early", name: "SyntaxError", message: error.message }
    throw error
  }
}

/** What a thrown value is called, and says. */
const describe = (m: Machine, value: Value): Completion => {
  if (!isObject(value)) return { type: "throw", name: "", message: String(value) }
  try {
    const constructor = get(m, value, "constructor")
    const name = isObject(constructor) ? toString(m, get(m, constructor, "name")) : ""
    return { type: "throw", name, message: toString(m, get(m, value, "message")) }
  } catch (error) {
    return { type: "throw", name: "", message: `It cannot be described: ${error}` }
  }
}

const print = defineNative("print", 1, (m: Machine, _this, args, _newTarget, callee) => {
  ;(callee.data.state as Array<string>).push(isObject(args[0]) ? describeValue(args[0]) : String(args[0]))
  return undefined
})

const declaration = /^(?:async )?(?:function\*?|class) +([$\w]+)|^(?:var|let|const) +([$\w]+(?:, *[$\w]+)*)/gm
const harnesses = new Map<string, Template | Completion>()

// Names that the top level of a program declares belong to that program, so the harness makes its names global ones. It is then
// compiled once for all tests that include the same files, which is most of the work of a small test.
const compileHarness = (source: string): Template | Completion => {
  let result = harnesses.get(source)
  if (result === undefined) {
    const names = [...source.matchAll(declaration)].flatMap(([, one, some]) => one ?? some!.split(/, */))
    // A name that a function of the harness declares looks the same, and is not there at its top.
    const lines = names.map((name) => `if (typeof ${name} !== "undefined") globalThis.${name} = ${name};\n`)
    result = compileScript(source + lines.join(""))
    harnesses.set(source, result)
  }
  return result
}

/** What the programs came to, kept where no closure is. */
interface Outcome {
  completion: Completion
  readonly programs: ReadonlyArray<Template>
}

const main = defineGeneratorNative("main", 0, function*(m: Machine, _this, _args, _newTarget, callee) {
  const outcome: Outcome = callee.data.state
  try {
    for (const program of outcome.programs) yield call(m.link(program), m.global, [])
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    outcome.completion = describe(m, error.value)
  }
  return undefined
})

/** This project's engine. */
export const make = (): Host => ({
  preamble,
  compile: (source) => {
    const result = compileScript(source)
    return "type" in result ? result : { type: "normal" }
  },
  run: (harness, test) => {
    const printed: Array<string> = []
    const before = compileHarness(harness)
    if ("type" in before) return { completion: before, printed }
    const program = compileScript(test)
    if ("type" in program) return { completion: program, printed }
    const timers: Array<{ readonly at: number; readonly id: number }> = []
    let now = 0
    const machine = makeMachine({
      fuel,
      host: {
        now: Date.now,
        monotonic: () => performance.now(),
        random: Math.random,
        log: () => {},
        setTimer: (id, delay) => {
          timers.push({ at: now + delay, id })
          timers.sort((a, b) => a.at - b.at || a.id - b.id)
        },
        clearTimer: () => {},
        startCall: () => {},
      },
    })
    const outcome: Outcome = { completion: { type: "normal" }, programs: [before, program] }
    machine.defineGlobal("print", machine.realm.newNative(print, printed))
    machine.enqueue({ type: "callback", fn: machine.realm.newNative(main, outcome), args: [] })
    try {
      for (;;) {
        const progress = machine.advance(10_000_000)
        if (progress === "running") continue
        const timer = progress === "waiting" ? timers.shift() : undefined
        if (timer === undefined) break
        now = timer.at
        machine.fireTimer(timer.id)
      }
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      return { completion: { type: "halt", reason: error.reason }, printed }
    }
    return { completion: outcome.completion, printed }
  },
})
