/** From the text of a program to its outcome: loading, `tools`, running, the end of a run, and what is reported of it. */
export { type Failure, refused, tooLong } from "./failure.ts"
export { type Program, ProgramCache, type Refusal } from "./program.ts"
export type { RunHost, RunLimits, RunOptions } from "./run-options.ts"
export { type Outcome, type Progress, Run } from "./run.ts"
export { missingTool } from "./tools.ts"
