// TypeScript becomes JavaScript: types are blanked in place, and what is more than types is compiled. Nothing imports this
// module but the loader of the parser, so that the compiler is loaded for programs that need it alone.
import { blankSourceFile } from "ts-blank-space"
import ts from "typescript"
import { Problem } from "./diagnostics.ts"
import { tooDeep, unsupported } from "./refusals.ts"
import { readMappings } from "./source-map.ts"
import type { Steps } from "./steps.ts"

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
  /** In steps: what is more than types is compiled in pieces. */
  readonly erase: (code: string) => Steps<Erased>
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

/** So many characters are compiled at once, and of a statement that cannot be split so many. */
const PIECE = 8192
const LONGEST = 32_768

/** Statements that follow each other, by their numbers, which are compiled together. */
interface Piece {
  readonly start: number
  readonly first: number
  end: number
  last: number
}

/** The statements of the top level in which something stands that is more than types, gathered as far as they fit into a piece. */
const piecesOf = (file: ts.SourceFile, nodes: ReadonlyArray<ts.Node>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let index = 0
  for (const at of nodes.map((node) => node.getStart(file)).sort((a, b) => a - b)) {
    while (file.statements[index]!.end <= at) index++
    const statement = file.statements[index]!
    const piece = pieces.at(-1)
    if (piece?.last === index) continue
    const start = statement.getStart(file)
    if (piece !== undefined && statement.end - piece.start <= PIECE) {
      piece.end = statement.end
      piece.last = index
    } else pieces.push({ start, end: statement.end, first: index, last: index })
  }
  return pieces
}

const nameOf = (statement: ts.Statement): string | undefined =>
  ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement) || ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement)
    ? statement.name?.text
    : undefined

const numberOf = (node: ts.Expression): number | undefined =>
  ts.isNumericLiteral(node)
    ? Number(node.text)
    : ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken &&
        ts.isNumericLiteral(node.operand)
    ? -Number(node.operand.text)
    : undefined

/** A long list of names, numbers and texts as JavaScript: the compiler would take a second for it. */
const plainEnum = (statement: ts.Statement): string | undefined => {
  if (!ts.isEnumDeclaration(statement)) return undefined
  if (statement.modifiers?.some(({ kind }) => kind !== ts.SyntaxKind.ConstKeyword)) return undefined
  const name = statement.name.text
  const members: Array<string> = []
  let next: number | undefined = 0
  for (const { initializer, name: key } of statement.members) {
    if (!ts.isIdentifier(key) && !ts.isStringLiteral(key)) return undefined
    const text = JSON.stringify(key.text)
    if (initializer !== undefined && ts.isStringLiteralLike(initializer)) {
      members.push(`${name}[${text}] = ${JSON.stringify(initializer.text)}`)
      next = undefined
      continue
    }
    const value: number | undefined = initializer === undefined ? next : numberOf(initializer)
    if (value === undefined) return undefined
    members.push(`${name}[${name}[${text}] = ${value}] = ${text}`)
    next = value + 1
  }
  return `var ${name};(function (${name}) {${members.join(";")}})(${name} || (${name} = {}));`
}

/** The first name in an enum's values, in a node or below it, that is not the enum's own: what it stands for is not seen in a piece. */
const foreignName = (node: ts.Node, own?: ReadonlySet<string>): ts.Identifier | undefined => {
  if (ts.isEnumDeclaration(node)) {
    const names = new Set([node.name.text])
    for (const { name } of node.members) if (ts.isIdentifier(name) || ts.isStringLiteral(name)) names.add(name.text)
    for (const { initializer } of node.members) {
      const foreign = initializer && foreignName(initializer, names)
      if (foreign !== undefined) return foreign
    }
    return undefined
  }
  if (own !== undefined) {
    if (ts.isPropertyAccessExpression(node)) return foreignName(node.expression, own)
    if (ts.isIdentifier(node)) return own.has(node.text) ? undefined : node
  }
  return ts.forEachChild(node, (child) => foreignName(child, own))
}

/** Why a long program cannot be compiled in pieces: one is too long, or what belongs together is in several. */
function* refusePieces(file: ts.SourceFile, pieces: ReadonlyArray<Piece>): Steps<Problem | undefined> {
  for (const { end, first, start } of pieces) {
    if (end - start <= LONGEST || plainEnum(file.statements[first]!) !== undefined) continue
    return unsupported(
      start,
      "This statement is too long: of an enum, a namespace or a class with parameter properties, 32,768 characters are compiled.",
      "Split it, or write it in JavaScript.",
    )
  }
  const places = new Map<string, { readonly place: number; readonly merges: boolean }>()
  let next = 0
  for (const [index, statement] of file.statements.entries()) {
    while (next < pieces.length && pieces[next]!.last < index) next++
    const place = next < pieces.length && pieces[next]!.first <= index ? next : -1
    const foreign = pieces.length > 1 && place >= 0 ? foreignName(statement) : undefined
    if (foreign !== undefined) {
      return unsupported(
        foreign.getStart(file),
        "In a program of this length, the values of an enum must not need other names.",
        "Write the number or the text itself, or use a constant object instead of the enum.",
      )
    }
    const name = nameOf(statement)
    if (name === undefined) continue
    const merges = ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement)
    const known = places.get(name)
    if (known !== undefined && known.place !== place && (merges || known.merges)) {
      return unsupported(
        statement.getStart(file),
        `The parts of \`${name}\` are too far apart in a program of this length.`,
        "Declare it in one place.",
      )
    }
    places.set(name, { place, merges })
    if (index % 256 === 255) yield
  }
  return undefined
}

/** Compiles what is more than types, a piece at a time, and puts it into the text that has no types. */
function* compilePieces(
  code: string,
  blanked: string,
  file: ts.SourceFile,
  pieces: ReadonlyArray<Piece>,
): Steps<Erased> {
  const parts: Array<string> = []
  const places: Array<{ readonly at: number; readonly toOriginal: (offset: number) => number }> = []
  let length = 0
  const add = (text: string, toOriginal: (offset: number) => number): void => {
    places.push({ at: length, toOriginal })
    parts.push(text)
    length += text.length
  }
  let from = 0
  for (const { end, first, start } of pieces) {
    const before = from
    add(blanked.slice(before, start), (offset) => before + offset)
    const plain = end - start > PIECE ? plainEnum(file.statements[first]!) : undefined
    if (plain !== undefined) add(plain, () => start)
    else {
      const compiled = compile(code.slice(start, end))
      // It ends with a comment.
      add(`${compiled.code}\n`, (offset) => start + (compiled.toOriginal?.(offset) ?? offset))
    }
    from = end
    yield
  }
  add(blanked.slice(from), (offset) => from + offset)
  const toOriginal = (offset: number): number => {
    let low = 0
    let high = places.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (places[middle]!.at <= offset) low = middle
      else high = middle - 1
    }
    const place = places[low]!
    return place.toOriginal(offset - place.at)
  }
  return { code: parts.join(""), toOriginal }
}

function* erase(code: string): Steps<Erased> {
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
  yield
  let module: ts.Node | undefined
  const more: Array<ts.Node> = []
  const blanked = blankSourceFile(file, (node) => {
    if (isModuleSyntax(node)) module ??= node
    more.push(node)
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
  // What the parser found wrong is a property of the tree that the types of `typescript` leave out.
  const { parseDiagnostics } = file as unknown as { readonly parseDiagnostics?: ReadonlyArray<ts.Diagnostic> }
  const problem = problemOf(parseDiagnostics ?? [])
  if (more.length === 0) return { code: blanked, problem }
  yield
  if (code.length <= PIECE) return compile(code)
  const pieces = piecesOf(file, more)
  yield
  const refused = problem ?? (yield* refusePieces(file, pieces))
  yield
  return refused === undefined ? yield* compilePieces(code, blanked, file, pieces) : { code, refused }
}

export const typeScript: TypeScript = {
  *erase(code) {
    try {
      return yield* erase(code)
    } catch (error) {
      // Its parser and printer recurse: only the host's stack stops them.
      if (error instanceof RangeError) return { code, refused: tooDeep(0) }
      throw error
    }
  },
}
