import { drive } from "./drive.ts"
import type { Escape } from "./escapes/case.ts"
import { changesOfHost } from "./host-state.ts"
import { hostTextsIn, notJsonIn } from "./json.ts"
import { probe } from "./probe.ts"
import { Walk } from "./walk.ts"

/** Enough for every program of the corpus, and little enough that one which does not end is over soon. */
const defaultFuel = 6_000_000

/** Programs that look around themselves need the means for it. */
const looks = /\b(attempt|gained|keep|probe|survey)\b/

/**
 * What only the host has of a run that is over: the steps of a built-in that was under way, and the error that says why a value
 * could not leave.
 */
const ofTheHost = ["Frame.native", "BoundaryError"]

/** Runs a program that tries to escape, and gives what is wrong: what came of it, and what of the host's it could reach or change. */
export const runEscape = async (
  { answer, code, expect, fuel = defaultFuel }: Escape,
): Promise<ReadonlyArray<string>> => {
  const { inputs, logs, outcome, program, run } = await drive(looks.test(code) ? probe + code : code, {
    limits: { fuel },
    ...answer === undefined ? undefined : { answer },
  })
  const told = outcome.type === "returned" ? outcome.value : outcome.failure
  return [
    ...expect === "anything" ? [] : unexpected(expect, outcome.type === "returned", told),
    // What a program tells so, it tells even if it fails afterwards.
    ...inputs.flatMap((input) => (input as { readonly gained?: ReadonlyArray<string> }).gained ?? []),
    ...run === undefined ? [] : new Walk(run, [program!.template.source], ofTheHost).problems,
    ...notJsonIn(told, "outcome"),
    ...notJsonIn([...inputs], "inputs"),
    ...notJsonIn([...logs], "logs"),
    ...hostTextsIn(told, "outcome"),
    ...hostTextsIn(inputs, "inputs"),
    ...hostTextsIn(logs, "logs"),
    ...changesOfHost(),
  ]
}

const unexpected = (
  expect: { readonly returns: unknown } | { readonly fails: string },
  returned: boolean,
  told: unknown,
): ReadonlyArray<string> => {
  const asExpected = "returns" in expect
    ? returned && JSON.stringify(told) === JSON.stringify(expect.returns)
    : !returned && (told as { readonly code: string }).code === expect.fails
  return asExpected ? [] : [`expected ${JSON.stringify(expect)}, but got ${JSON.stringify(told)}`]
}
