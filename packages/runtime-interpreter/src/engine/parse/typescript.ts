// TypeScript becomes JavaScript: types are blanked in place, and what is more than types is compiled. Nothing imports this
// module but the loader of the parser, so that the compiler is loaded for programs that need it alone.
import { blankSourceFile } from "ts-blank-space"
import ts from "typescript"
import { Problem } from "./diagnostics.ts"
import { tooDeep, unsupported } from "./parser.ts"
import { readMappings } from "./source-map.ts"

/** What is left of a TypeScript program without its types. */
export interface Erased {
  readonly code: string
  /** From offsets in `code` to offsets in the program, if they are not the same. */
  readonly toOriginal?: (offset: number) => number
  /** What TypeScript's parser says is wrong first. JavaScript's may say it better. */
  readonly problem?: Problem | undefined
  /** Why nothing can be made of the program. */
  readonly refused?: Problem
}

/** TypeScript's compiler, as far as programs need it. */
export interface TypeScript {
  readonly erase: (code: string) => Erased
}

const problemOf = (diagnostics: ReadonlyArray<ts.Diagnostic>): Problem | undefined => {
  const first = diagnostics[0]
  if (first === undefined) return undefined
  const message = ts.flattenDiagnosticMessageText(first.messageText, " ").replace(/\.$/, "")
  return new Problem("SYNTAX_ERROR", first.start ?? 0, message, undefined)
}

const isModuleSyntax = (node: ts.Node): boolean =>
  ts.isImportEqualsDeclaration(node)
    ? ts.isExternalModuleReference(node.moduleReference)
    : ts.isExportAssignment(node)

const compile = (code: string): Erased => {
  const { diagnostics, outputText, sourceMapText } = ts.transpileModule(code, {
    reportDiagnostics: true,
    fileName: "program.ts",
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Legacy,
      verbatimModuleSyntax: true,
      sourceMap: true,
    },
  })
  const { mappings } = JSON.parse(sourceMapText ?? `{"mappings":""}`) as { readonly mappings: string }
  return {
    code: outputText,
    toOriginal: readMappings(mappings, outputText, code),
    problem: problemOf(diagnostics ?? []),
  }
}

const erase = (code: string): Erased => {
  const file = ts.createSourceFile(
    "program.ts",
    code,
    {
      languageVersion: ts.ScriptTarget.ESNext,
      impliedNodeFormat: ts.ModuleKind.ESNext,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    },
    false,
    ts.ScriptKind.TS,
  )
  let module: ts.Node | undefined
  let more = false
  const blanked = blankSourceFile(file, (node) => {
    if (isModuleSyntax(node)) module ??= node
    more = true
  })
  if (module !== undefined) {
    return {
      code,
      refused: unsupported(
        module.getStart(file),
        "Programs have no modules.",
        "Leave the line out. Tools are on `tools`, as in `await tools.name(input)`; the rest is global.",
      ),
    }
  }
  if (more) return compile(code)
  // What the parser found wrong is a property of the tree that the types of `typescript` leave out.
  const { parseDiagnostics } = file as unknown as { readonly parseDiagnostics?: ReadonlyArray<ts.Diagnostic> }
  return { code: blanked, problem: problemOf(parseDiagnostics ?? []) }
}

export const typeScript: TypeScript = {
  erase: (code) => {
    try {
      return erase(code)
    } catch (error) {
      // Its parser and printer recurse: only the host's stack stops them.
      if (error instanceof RangeError) return { code, refused: tooDeep(0) }
      throw error
    }
  },
}
