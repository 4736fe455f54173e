// From the text of a program to its syntax tree, and from what is wrong with it to what a model can mend it by.
export { type Diagnostic, ProgramSyntaxError } from "./diagnostics.ts"
export type { Form } from "./form.ts"
export {
  loadTypeScript,
  needsTypeScript,
  parse,
  type ParsedProgram,
  type ParseOptions,
  parseProgram,
  parseSteps,
} from "./parse.ts"
export { type Goal, maxChain, maxNesting } from "./parser.ts"
export { codeFrame, type Location, Source } from "./source.ts"
export { finish, type Steps } from "./steps.ts"
export type { TypeScript } from "./typescript.ts"
