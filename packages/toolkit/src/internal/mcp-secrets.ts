import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import { isOrdinary, isWord, type Part, partsOf } from "./configuration.ts"
import { Secrets } from "./secrets.ts"
import { URL } from "./web.ts"

/**
 * What a server was given that must not come back: the values of its environment, its headers, its arguments, its address.
 */
export interface Given {
  readonly env?: Readonly<Record<string, Secret>> | undefined
  /** The names of variables whose values are no secrets. */
  readonly publicEnv?: ReadonlyArray<string> | undefined
  readonly headers?: Readonly<Record<string, Secret>> | undefined
  readonly args?: ReadonlyArray<Secret> | undefined
  readonly url?: string | undefined
}

/** A value, marked as secret or not. */
export type Secret = string | Redacted.Redacted<string>

/** Takes what is secret out of what a server says. */
export interface Scrub {
  /** Out of an error, where a server shows what it was started with: whatever it was given, unless that is public. */
  readonly error: (text: string) => string
  /** Out of what a server says of itself and out of its results: what is secret. */
  readonly text: (text: string) => string
  /** The same in every text of a JSON value. */
  readonly json: (value: Schema.Json) => Schema.Json
}

export const reveal = (value: Secret): string => Redacted.isRedacted(value) ? Redacted.value(value) : value

// What is neither marked nor named as secret is a word of ordinary texts, if it is shorter.
const shortestUnmarked = 8
const secretName =
  /key(?!board|word)|token|secret|passw|pwd|passphrase|credential|auth(?!ors?\b)|cookie|private|session|signature|dsn|connection/i
const plainNames = /^(?:OLD)?PWD$/
// What every client sends.
const plainHeaders = /^(accept|accept-.*|content-type|user-agent)$/i

export const make = (given: Given): Scrub => {
  const secrets = new Secrets()
  const all = new Secrets()
  const keep = (text: string) => {
    secrets.add(text)
    all.add(text)
  }
  const isSecret = ({ name, text }: Part): boolean => secretName.test(name) && !plainNames.test(name) && !isWord(text)
  const mayBeSecret = (part: Part): boolean =>
    isSecret(part) || part.text.length >= shortestUnmarked && !isOrdinary(part.text)
  const publicNames = new Set(given.publicEnv)

  for (const [name, value] of Object.entries(given.env ?? {})) {
    if (publicNames.has(name)) continue
    const text = reveal(value)
    if (Redacted.isRedacted(value) || mayBeSecret({ name, text })) keep(text)
    else all.add(text, shortestUnmarked)
    for (const part of partsOf(text)) if (mayBeSecret(part)) keep(part.text)
  }
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    const text = reveal(value)
    if (!Redacted.isRedacted(value) && plainHeaders.test(name)) {
      all.add(text, shortestUnmarked)
      continue
    }
    keep(text)
    // `Bearer abc`: a server tells the second word alone as well.
    for (const word of text.split(/\s+/u)) if (word.length >= shortestUnmarked) keep(word)
  }
  let previous = ""
  for (const value of given.args ?? []) {
    const text = reveal(value)
    // `--key=abc`, `--key abc`, an address: a server tells what is secret in it alone as well.
    const parts = [...partsOf(text), { name: previous, text }].filter(isSecret)
    if (Redacted.isRedacted(value)) {
      keep(text)
      if (text.includes("=")) keep(text.slice(text.indexOf("=") + 1))
    } else if (parts.length > 0) keep(text)
    for (const part of parts) keep(part.text)
    previous = text.startsWith("-") && !text.includes("=") ? text : ""
  }
  if (given.url !== undefined && URL.canParse(given.url)) {
    const parts = partsOf(given.url)
    if (parts.length > 0) keep(given.url)
    for (const part of parts) {
      if (mayBeSecret(part)) keep(part.text)
      else all.add(part.text, shortestUnmarked)
    }
  }
  return {
    text: (text) => secrets.text(text),
    error: (text) => all.text(text),
    json: (value) => secrets.json(value),
  }
}
