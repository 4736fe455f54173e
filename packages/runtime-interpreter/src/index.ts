/**
 * Runs code that a model wrote, in this process, under limits: a `CodeRuntime` for `@effect-codemode/toolkit`.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 */
export * as InterpreterRuntime from "./InterpreterRuntime.ts"

/**
 * @since 0.1.0
 */
export * as Limits from "./Limits.ts"

/**
 * @since 0.1.0
 */
export * as Search from "./Search.ts"
