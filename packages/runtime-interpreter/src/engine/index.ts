/** The engine: JavaScript on a register machine, without Effect and without Node. */
import type * as acorn from "acorn"
import { createAsyncFromSyncIterator } from "./builtins/async-from-sync-iterator.ts"
import { absent, globals, intrinsics } from "./builtins/index.ts"
import { createRegExp } from "./builtins/regexp.ts"
import { compile, type CompileOptions, type Template } from "./compile/index.ts"
import type { Host } from "./machine/host.ts"
import { type Builtins, Machine, type MachineOptions } from "./machine/machine.ts"
import { missingTool, type Program, Run, type RunOptions } from "./program/index.ts"

const builtins: Builtins = { intrinsics, absent, createAsyncFromSyncIterator, createRegExp, missingTool }

/** A machine with all builtins. */
export const makeMachine = (options: Omit<MachineOptions, "builtins">): Machine => new Machine({ ...options, builtins })

/** A run of a program on a machine of its own. */
export const makeRun = (program: Program, options: RunOptions): Run => new Run(makeMachine, program, options)

/** Whether programs have a global of this name already. */
export const isBuiltIn = (name: string): boolean =>
  name === "tools" || globals.has(name) || ["undefined", "NaN", "Infinity", "globalThis"].includes(name)

export {
  type Failure,
  type Outcome,
  type Program,
  ProgramCache,
  type Progress,
  type Refusal,
  refused,
  Run,
  type RunHost,
  type RunLimits,
  type RunOptions,
  tooLong,
} from "./program/index.ts"
export { compile, Machine }
export type { acorn, CompileOptions, Host, MachineOptions, Template }
export { type Absence, absences } from "./builtins/absent.ts"
export { Halt } from "./machine/halt.ts"
export {
  call,
  defineGeneratorNative,
  defineNative,
  get,
  isObject,
  type JSObject,
  Throw,
  toString,
  type Value,
} from "./object/index.ts"
export { needsTypeScript, parseProgram, ProgramSyntaxError } from "./parse/index.ts"
