import type { Catalog } from "@effect-codemode/toolkit"
import ts from "typescript"
import { minimalInput } from "./minimal-input.ts"

/** What is wrong with a signature, or with a call by it. */
export interface Fault {
  readonly path: string
  readonly message: string
}

export interface Checked {
  readonly total: number
  /** Signatures that do not parse. */
  readonly unparsed: ReadonlyArray<Fault>
  /** Signatures by which a minimal valid input is not accepted. */
  readonly refused: ReadonlyArray<Fault>
}

const FILE = "/signatures.ts"

/** Has TypeScript parse every signature, in both of its forms, and check a call of it with a small valid input. */
export const check = (entries: ReadonlyArray<Catalog.Entry>): Checked => {
  const lines: Array<string> = ["declare const tools: any;"]
  const starts: Array<number> = []
  let text = `${lines[0]}\n`
  entries.forEach((entry, i) => {
    starts.push(text.length)
    const input = JSON.stringify(minimalInput(entry.input ?? {}))
    text += `${entry.path};\n`
    for (const [form, signature] of Object.entries({ long: entry.signature, short: entry.compact })) {
      // A signature without its path is that of a function.
      const rest = signature.startsWith(entry.path) ? signature.slice(entry.path.length) : signature
      text += `declare function ${form}${i}${rest};\n${form}${i}(${rest.startsWith("()") ? "" : input});\n`
    }
  })
  const options: ts.CompilerOptions = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, types: [] }
  const host = ts.createCompilerHost(options)
  const file = ts.createSourceFile(FILE, text, ts.ScriptTarget.ES2022, true)
  const program = ts.createProgram([FILE], options, {
    ...host,
    getSourceFile: (name, ...rest) => name === FILE ? file : host.getSourceFile(name, ...rest),
    fileExists: (name) => name === FILE || host.fileExists(name),
  })
  const faults = (found: ReadonlyArray<ts.Diagnostic>): Array<Fault> =>
    found.map(({ messageText, start = 0 }) => ({
      path: entries[starts.findLastIndex((from) => from <= start)]?.path ?? "",
      message: ts.flattenDiagnosticMessageText(messageText, " "),
    }))
  const unparsed = faults(program.getSyntacticDiagnostics(file))
  // What does not parse has no types.
  return {
    total: entries.length,
    unparsed,
    refused: unparsed.length > 0 ? [] : faults(program.getSemanticDiagnostics(file)),
  }
}
