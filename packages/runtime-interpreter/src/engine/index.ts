/**
 * The engine: JavaScript on a register machine, without Effect and without Node. For hosts that run programs without Effect, and for
 * tools that look into them. What most hosts need is `InterpreterRuntime`.
 *
 * @since 0.1.0
 */
import type * as acorn from "acorn"
import { createAsyncFromSyncIterator } from "./builtins/async-from-sync-iterator.ts"
import { absent, globals, intrinsics } from "./builtins/index.ts"
import { createRegExp } from "./builtins/regexp.ts"
import { compile, type CompileOptions, type Template } from "./compile/index.ts"
import type { Host } from "./machine/host.ts"
import { Machine } from "./machine/machine.ts"
import type { Builtins, MachineOptions } from "./machine/options.ts"
import { missingTool, type Program, Run, type RunOptions } from "./program/index.ts"

const builtins: Builtins = { intrinsics, absent, createAsyncFromSyncIterator, createRegExp, missingTool }

/**
 * A machine with all builtins.
 *
 * @since 0.1.0
 * @category machines
 */
export const makeMachine = (options: Omit<MachineOptions, "builtins">): Machine => new Machine({ ...options, builtins })

/**
 * A run of a program on a machine of its own.
 *
 * @since 0.1.0
 * @category runs
 */
export const makeRun = (program: Program, options: RunOptions): Run => new Run(makeMachine, program, options)

/**
 * Whether programs have a global of this name already.
 *
 * @since 0.1.0
 * @category names
 */
export const isBuiltIn = (name: string): boolean =>
  name === "tools" || globals.has(name) || ["undefined", "NaN", "Infinity", "globalThis"].includes(name)

export {
  /**
   * Why a run failed, as plain data.
   *
   * @since 0.1.0
   * @category runs
   */
  type Failure,
  /**
   * What a run came to.
   *
   * @since 0.1.0
   * @category runs
   */
  type Outcome,
  /**
   * A program that is ready to run: immutable, and the same for all runs of one text.
   *
   * @since 0.1.0
   * @category programs
   */
  type Program,
  /**
   * Programs by their text. Those that were not run for the longest time make room for others.
   *
   * @since 0.1.0
   * @category programs
   */
  ProgramCache,
  /**
   * What a slice of a run ended with: more to do now, a wait for a call or a timer, or the outcome.
   *
   * @since 0.1.0
   * @category runs
   */
  type Progress,
  /**
   * Why a text is no program.
   *
   * @since 0.1.0
   * @category programs
   */
  type Refusal,
  /**
   * The failure of a text that is no program.
   *
   * @since 0.1.0
   * @category runs
   */
  refused,
  /**
   * One run of a program on a machine of its own. Nothing of it is shared with other runs.
   *
   * @since 0.1.0
   * @category runs
   */
  Run,
  /**
   * What a run needs of the world.
   *
   * @since 0.1.0
   * @category runs
   */
  type RunHost,
  /**
   * Bounds of a run; `Infinity` for none.
   *
   * @since 0.1.0
   * @category runs
   */
  type RunLimits,
  /**
   * How a program is run: its host, its limits, what it reads by name.
   *
   * @since 0.1.0
   * @category runs
   */
  type RunOptions,
  /**
   * The failure of a program that is longer than it may be.
   *
   * @since 0.1.0
   * @category runs
   */
  tooLong,
} from "./program/index.ts"

export {
  /**
   * Compiles a syntax tree into a function that machines run.
   *
   * @since 0.1.0
   * @category programs
   */
  compile,
  /**
   * One run: a realm, a stack of frames, a queue of jobs, and the meters.
   *
   * @since 0.1.0
   * @category machines
   */
  Machine,
}

export type {
  /**
   * Syntax trees, as acorn writes them.
   *
   * @since 0.1.0
   * @category programs
   */
  acorn,
  /**
   * How a program is compiled.
   *
   * @since 0.1.0
   * @category programs
   */
  CompileOptions,
  /**
   * Everything a machine can ask of the world outside it.
   *
   * @since 0.1.0
   * @category machines
   */
  Host,
  /**
   * What a machine is made with: its host, its limits, its builtins.
   *
   * @since 0.1.0
   * @category machines
   */
  MachineOptions,
  /**
   * A compiled function: immutable, the same for every run of the same text.
   *
   * @since 0.1.0
   * @category programs
   */
  Template,
}

export {
  /**
   * Globals that are left out for one reason.
   *
   * @since 0.1.0
   * @category names
   */
  type Absence,
  /**
   * Names that a host of JavaScript gives, or the language, each with what to do instead.
   *
   * @since 0.1.0
   * @category names
   */
  absences,
} from "./builtins/absent.ts"

export {
  /**
   * The end of a run by a meter. It passes through host code as an exception; no guest code sees it.
   *
   * @since 0.1.0
   * @category machines
   */
  Halt,
} from "./machine/halt.ts"

export {
  /**
   * `yield call(fn, thisValue, args)` inside a generator native. Calling what is no function throws a `TypeError`.
   *
   * @since 0.1.0
   * @category natives
   */
  call,
  /**
   * Defines a function of the host's that calls functions of the program.
   *
   * @since 0.1.0
   * @category natives
   */
  defineGeneratorNative,
  /**
   * Defines a function of the host's that calls none of the program.
   *
   * @since 0.1.0
   * @category natives
   */
  defineNative,
  /**
   * A value as messages name it: `"text"`, `function f`, `#<Point>`. Runs nothing of the program.
   *
   * @since 0.1.0
   * @category values
   */
  describe,
  /**
   * Reads a property of an object as a program does.
   *
   * @since 0.1.0
   * @category values
   */
  get,
  /**
   * Whether a value is an object of a program.
   *
   * @since 0.1.0
   * @category values
   */
  isObject,
  /**
   * An object of a program.
   *
   * @since 0.1.0
   * @category values
   */
  type JSObject,
  /**
   * What a guest `throw` is while it passes through host code. Not an `Error`: making one must be cheap.
   *
   * @since 0.1.0
   * @category values
   */
  Throw,
  /**
   * The text of a value, as the specification's ToString makes it.
   *
   * @since 0.1.0
   * @category values
   */
  toString,
  /**
   * Any value a program can hold. Host objects and host functions are never among them.
   *
   * @since 0.1.0
   * @category values
   */
  type Value,
} from "./object/index.ts"

export {
  /**
   * The answer for a program that may be TypeScript, when TypeScript is not loaded: load it and parse again.
   *
   * @since 0.1.0
   * @category programs
   */
  needsTypeScript,
  /**
   * Parses a program, or says that TypeScript is needed to know. Throws a `ProgramSyntaxError` for one that does not parse.
   *
   * @since 0.1.0
   * @category programs
   */
  parseProgram,
  /**
   * Thrown by the parser for a program that does not parse. The message is the diagnostic's.
   *
   * @since 0.1.0
   * @category programs
   */
  ProgramSyntaxError,
} from "./parse/index.ts"
