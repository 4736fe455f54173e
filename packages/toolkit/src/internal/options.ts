/**
 * Holds the options of a host to what they are. One that is not there, or makes no sense, is a mistake of the host's: a defect that
 * names it.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import { defect } from "./defect.ts"
import { isRecord } from "./json-schema.ts"

/** What an option may be. */
export interface Rule {
  readonly is: (value: unknown) => boolean
  /** What it is, or is not when it is refused: `a positive duration`. */
  readonly what: string
  readonly isRequired?: boolean
  /** Whether its value is not to be told. */
  readonly isSecret?: boolean
}

/** A rule for each option that there is. */
export type Rules<Options> = { readonly [Name in keyof Options]-?: Rule }

/** Dies of the first option that is missing, unknown, or not what it is to be. */
export const check = <Options extends object>(options: Options, rules: Rules<Options>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const wrong = fault(options, rules as Readonly<Record<string, Rule>>)
    return wrong === undefined ? Effect.void : defect(wrong)
  })

const fault = (options: unknown, rules: Readonly<Record<string, Rule>>): string | undefined => {
  if (!isRecord(options)) return `The options are no object: ${shown(options)}`
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return `There is no option \`${name}\`. There are: ${Object.keys(rules).join(", ")}.`
    if (value === undefined || rule.is(value)) continue
    return `The option \`${name}\` is not ${rule.what}${rule.isSecret === true ? "" : `: ${shown(value)}`}`
  }
  for (const [name, { isRequired, what }] of Object.entries(rules)) {
    if (isRequired === true && options[name] === undefined) return `The option \`${name}\` is missing: ${what}`
  }
  return undefined
}

const MAX_SHOWN = 200

const shown = (value: unknown): string => {
  try {
    if (typeof value === "function") return "a function"
    return (typeof value === "string" ? value : JSON.stringify(value as Schema.Json) ?? String(value)).slice(
      0,
      MAX_SHOWN,
    )
  } catch {
    return typeof value
  }
}

/** The same rule for an option that has to be there. */
export const required = (rule: Rule): Rule => ({ ...rule, isRequired: true })

/** The same rule for an option whose value is not to be told. */
export const secret = (rule: Rule): Rule => ({ ...rule, isSecret: true })

/** One of a few words. */
export const oneOf = (...words: ReadonlyArray<string>): Rule => ({
  is: (value) => typeof value === "string" && words.includes(value),
  what: words.map((word) => JSON.stringify(word)).join(" or "),
})

const isDuration = (value: unknown): boolean => {
  const duration = Duration.fromInput(value as Duration.Input)
  return Option.isSome(duration) && Duration.isGreaterThan(duration.value, Duration.zero)
}

export const duration: Rule = { is: isDuration, what: "a positive duration" }

/** Durations by the names they are given. */
export const durations = (...names: ReadonlyArray<string>): Rule => ({
  is: (value) =>
    isRecord(value) &&
    Object.entries(value).every(([name, one]) => names.includes(name) && (one === undefined || isDuration(one))),
  what: `an object with the positive durations ${names.map((name) => `\`${name}\``).join(" and ")}`,
})

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

/** So many of something, of which there must be an end. */
export const count: Rule = { is: isCount, what: "a positive whole number" }

export const countOrInfinity: Rule = {
  is: (value) => value === Infinity || isCount(value),
  what: "a positive whole number, or Infinity",
}

export const countOrZero: Rule = {
  is: (value) => value === 0 || value === Infinity || isCount(value),
  what: "a whole number, or Infinity",
}

export const flag: Rule = { is: (value) => typeof value === "boolean", what: "true or false" }

export const text: Rule = { is: (value) => typeof value === "string" && value !== "", what: "a text" }

export const texts: Rule = {
  is: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  what: "an array of texts",
}

export const record: Rule = { is: isRecord, what: "an object" }

export const effectful: Rule = { is: (value) => typeof value === "function", what: "a function that gives an effect" }

const isSecretText = (value: unknown): boolean => typeof value === "string" || Redacted.isRedacted(value)

/** Texts that may be secret. None of them is told. */
export const secretTexts: Rule = {
  is: (value) => Array.isArray(value) && value.every(isSecretText),
  what: "an array of texts, each as it is or `Redacted`",
  isSecret: true,
}

/** The same by names. */
export const namedSecretTexts: Rule = {
  is: (value) => isRecord(value) && Object.values(value).every(isSecretText),
  what: "an object of texts, each as it is or `Redacted`",
  isSecret: true,
}
