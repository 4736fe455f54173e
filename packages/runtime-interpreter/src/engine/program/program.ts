import { compile, type Source, type Template } from "../compile/index.ts"
import {
  type Diagnostic,
  type Form,
  loadTypeScript,
  needsTypeScript,
  parseProgram,
  ProgramSyntaxError,
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

const build = (code: string, typeScript: TypeScript | undefined): Program | Refusal | typeof needsTypeScript => {
  try {
    const parsed = parseProgram(code, typeScript === undefined ? {} : { typeScript })
    if (parsed === needsTypeScript) return parsed
    const source: Source = { code: parsed.code, name: "program", locate: parsed.locate }
    const completion = parsed.form.kind === "function" || !parsed.form.hasReturn
    return { form: parsed.form, template: compile(parsed.ast, source, { isAsync: true, completion }) }
  } catch (error) {
    if (error instanceof ProgramSyntaxError) return { refused: error.diagnostic }
    // Compiling goes down the tree on the host's stack.
    if (error instanceof RangeError) return { refused: tooDeep }
    throw error
  }
}

/** How many programs, and characters of them, are kept ready. */
const MAX_PROGRAMS = 100
const MAX_CHARACTERS = 2_000_000

let loaded: TypeScript | undefined

/** Programs by their text. Those that were not run for the longest time make room for others. */
export class ProgramCache {
  private readonly programs = new Map<string, Program>()
  private characters = 0

  /** Makes a program of a text: at once, unless TypeScript's compiler has to be loaded for it. */
  load(code: string): Program | Refusal | Promise<Program | Refusal> {
    const known = this.programs.get(code)
    if (known !== undefined) {
      this.programs.delete(code)
      this.programs.set(code, known)
      return known
    }
    const built = build(code, loaded)
    return built === needsTypeScript ? this.loadTyped(code) : this.keep(code, built)
  }

  private async loadTyped(code: string): Promise<Program | Refusal> {
    loaded = await loadTypeScript()
    return this.keep(code, build(code, loaded) as Program | Refusal)
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
