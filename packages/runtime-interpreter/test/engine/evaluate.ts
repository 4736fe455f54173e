import { loadNative } from "../native.ts"
import type * as Evaluation from "./evaluation.ts"

const native = loadNative<typeof Evaluation>("../test/engine/evaluation.ts")

/** `evaluate` of `evaluation.ts`, at the engine's own speed. */
export const evaluate: typeof Evaluation.evaluate = async (...program) => (await native).evaluate(...program)
