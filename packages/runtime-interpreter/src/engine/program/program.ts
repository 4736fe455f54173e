import { compileSteps, type Source, type Template } from "../compile/index.ts"
import {
  type Diagnostic,
  finish,
  type Form,
  loadTypeScript,
  needsTypeScript,
  parseSteps,
  ProgramSyntaxError,
  type Steps,
  type TypeScript,
} from "../parse/index.ts"

/** A program that is ready to run: immutable, and the same for all runs of one text. */
export interface Program {
  readonly template: Template
  readonly form: Form
}

/** Why a text is no program. */
export interface Refusal {
  readonly refused: Diagnostic
}

const tooDeep: Diagnostic = {
  code: "SYNTAX_ERROR",
  message: "The code is nested too deeply",
  location: { line: 1, column: 1 },
  hint: "Split the expression into statements.",
}

function* build(
  code: string,
  typeScript: TypeScript | undefined,
  /** How many characters to parse at a stretch, where not at most what fits in a slice. */
  piece?: number,
): Steps<Program | Refusal | typeof needsTypeScript> {
  try {
    const parsed = yield* parseSteps(code, { piece, ...typeScript === undefined ? {} : { typeScript } })
    if (parsed === needsTypeScript) return parsed
    const source: Source = { code: parsed.code, name: "program", locate: parsed.locate }
    const completion = parsed.form.kind === "function" || !parsed.form.hasReturn
    const template = yield* compileSteps(parsed.ast, source, { isAsync: true, completion })
    return { form: parsed.form, template }
  } catch (error) {
    if (error instanceof ProgramSyntaxError) return { refused: error.diagnostic }
    // Compiling goes down the tree on the host's stack.
    if (error instanceof RangeError) return { refused: tooDeep }
    throw error
  }
}

/** Does work in steps, as it has turns of the event loop. */
export type InTurns = <A>(steps: Steps<A>) => Promise<A>

/** Up to this many characters take a few milliseconds. */
const SHORT = 4096

/** How many programs, and characters of them, are kept ready. */
const MAX_PROGRAMS = 100
const MAX_CHARACTERS = 2_000_000

let loaded: TypeScript | undefined

/** Programs by their text. Those that were not run for the longest time make room for others. */
export class ProgramCache {
  private readonly programs = new Map<string, Program>()
  private characters = 0

  /**
   * Makes a program of a text: at once, unless TypeScript's compiler has to be loaded for it, or it is long and can be made
   * `inTurns`.
   */
  load(code: string, inTurns?: InTurns): Program | Refusal | Promise<Program | Refusal> {
    const known = this.programs.get(code)
    if (known !== undefined) {
      this.programs.delete(code)
      this.programs.set(code, known)
      return known
    }
    if (inTurns !== undefined && code.length > SHORT) return this.loadLong(code, inTurns)
    const built = finish(build(code, loaded, Infinity))
    return built === needsTypeScript ? this.loadTyped(code) : this.keep(code, built)
  }

  private async loadTyped(code: string): Promise<Program | Refusal> {
    loaded = await loadTypeScript()
    return this.keep(code, finish(build(code, loaded, Infinity)) as Program | Refusal)
  }

  private async loadLong(code: string, inTurns: InTurns): Promise<Program | Refusal> {
    let built = await inTurns(build(code, loaded))
    if (built === needsTypeScript) {
      loaded = await loadTypeScript()
      built = await inTurns(build(code, loaded))
    }
    return this.keep(code, built as Program | Refusal)
  }

  private keep(code: string, built: Program | Refusal): Program | Refusal {
    if ("refused" in built || code.length > MAX_CHARACTERS / 4) return built
    if (!this.programs.has(code)) this.characters += code.length
    this.programs.set(code, built)
    for (const oldest of this.programs.keys()) {
      if (this.programs.size <= MAX_PROGRAMS && this.characters <= MAX_CHARACTERS) break
      this.programs.delete(oldest)
      this.characters -= oldest.length
    }
    return built
  }
}
