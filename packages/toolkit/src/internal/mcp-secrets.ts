import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import { URL } from "./web.ts"

/**
 * What a server was given that must not come back: the values of its environment, its headers, its arguments, its address.
 */
export interface Given {
  readonly env?: Readonly<Record<string, Secret>> | undefined
  readonly headers?: Readonly<Record<string, Secret>> | undefined
  readonly args?: ReadonlyArray<Secret> | undefined
  readonly url?: string | undefined
}

/** A value, marked as secret or not. */
export type Secret = string | Redacted.Redacted<string>

/** Takes what is secret out of what a server says. */
export interface Scrub {
  /** Out of an error, where a server shows what it was started with: whatever it was given. */
  readonly error: (text: string) => string
  /** Out of what a server says of itself and out of its results: what is marked as secret, or named like a secret. */
  readonly text: (text: string) => string
  /** The same in every text of a JSON value. */
  readonly json: (value: Schema.Json) => Schema.Json
}

export const reveal = (value: Secret): string => Redacted.isRedacted(value) ? Redacted.value(value) : value

// Shorter values would take ordinary words out of ordinary texts.
const shortestSecret = 4
const shortestPlain = 8
const replacement = "[redacted]"
const secretName = /key|token|secret|passw|passphrase|credential|auth|cookie|private|session|signature|dsn|connection/i
// What every client sends.
const plainHeaders = /^(accept|accept-.*|content-type|user-agent)$/i

export const make = (given: Given): Scrub => {
  const secret = new Set<string>()
  const plain = new Set<string>()
  const keep = (value: string, isSecret: boolean) => {
    for (const form of forms(value)) {
      if (isSecret && form.length >= shortestSecret) secret.add(form)
      else if (form.length >= shortestPlain) plain.add(form)
    }
  }
  for (const [name, value] of Object.entries(given.env ?? {})) {
    keep(reveal(value), Redacted.isRedacted(value) || secretName.test(name))
  }
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    const isSecret = Redacted.isRedacted(value) || !plainHeaders.test(name)
    keep(reveal(value), isSecret)
    // `Bearer abc`: a server tells the second word alone as well.
    if (isSecret) { for (const word of reveal(value).split(/\s+/u)) if (word.length >= shortestPlain) keep(word, true) }
  }
  for (const value of given.args ?? []) {
    if (!Redacted.isRedacted(value)) continue
    const text = Redacted.value(value)
    keep(text, true)
    // `--key=abc`: a server tells what follows alone as well.
    if (text.includes("=")) keep(text.slice(text.indexOf("=") + 1), true)
  }
  if (given.url !== undefined && URL.canParse(given.url)) {
    const url = new URL(given.url)
    if (url.search !== "" || url.password !== "") keep(given.url, true)
    for (const [name, value] of url.searchParams) keep(value, secretName.test(name))
    if (url.password !== "") keep(fromAddress(url.password), true)
  }
  const text = replaceAll(secret)
  return {
    text,
    error: replaceAll(new Set([...secret, ...plain])),
    json: secret.size === 0 ? (value) => value : (value) => mapTexts(value, text),
  }
}

// A value as it stands, as it stands in JSON, and as it stands in an address.
const forms = (value: string): ReadonlyArray<string> => [value, JSON.stringify(value).slice(1, -1), inAddress(value)]

const inAddress = (value: string): string => {
  try {
    return encodeURIComponent(value)
  } catch {
    // Half a character has no place in an address.
    return value
  }
}

const fromAddress = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const replaceAll = (secrets: ReadonlySet<string>): (text: string) => string => {
  // The longest first, so that no part of one is left of it.
  const ordered = Array.from(secrets).sort((a, b) => b.length - a.length)
  return (text) => {
    let scrubbed = text
    for (const secret of ordered) if (scrubbed.includes(secret)) scrubbed = scrubbed.replaceAll(secret, replacement)
    return scrubbed
  }
}

const mapTexts = (value: Schema.Json, map: (text: string) => string): Schema.Json => {
  if (typeof value === "string") return map(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item: Schema.Json) => mapTexts(item, map))
  const mapped: Array<[string, Schema.Json]> = Object.entries(value).map((
    [key, item],
  ) => [map(key), mapTexts(item, map)])
  return Object.fromEntries(mapped)
}
