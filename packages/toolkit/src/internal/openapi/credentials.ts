/**
 * Obtains the credentials of a call, and keeps them out of what comes back.
 */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import { Failure } from "../tool-call.ts"
import type { Described } from "./operation.ts"
import type { Needed } from "./security.ts"
import { escapeText } from "./style.ts"

/**
 * A user and a password, for schemes of HTTP basic authentication.
 *
 * @since 0.1.0
 * @category models
 */
export interface Basic {
  readonly username: string
  readonly password: Redacted.Redacted<string>
}

/**
 * What proves who asks: a token or a key; or a user and a password, for HTTP basic authentication.
 *
 * @since 0.1.0
 * @category models
 */
export type Secret = Redacted.Redacted<string> | Basic

/**
 * What a secret is asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface SecretUse {
  /** The name of the security scheme in the document. */
  readonly scheme: string
  /** The scopes that the operation needs. */
  readonly scopes: ReadonlyArray<string>
  readonly operation: Described
}

/**
 * How a security scheme is served: with a secret, with an effect that obtains one for each call, with a function of what it is for; or
 * `"client"`, if the HTTP client sends the credentials by itself.
 *
 * @since 0.1.0
 * @category models
 */
export type Credential<R = never> =
  | Secret
  | "client"
  | Effect.Effect<Secret, unknown, R>
  | ((use: SecretUse) => Effect.Effect<Secret, unknown, R>)

/** What is added to a request, and what must not come back. */
export interface Applied {
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly query: ReadonlyArray<string>
  readonly secrets: ReadonlySet<string>
}

/** Obtains what an operation needs. A failure tells no more than which scheme it was, unless it is meant for the program. */
export const obtain = (
  needed: ReadonlyArray<Needed>,
  credentials: ReadonlyMap<string, Credential>,
  operation: Described,
): Effect.Effect<Applied, Failure> =>
  Effect.gen(function*() {
    const headers: Array<readonly [string, string]> = []
    const query: Array<string> = []
    const secrets = new Set<string>()
    for (const { placement, scheme, scopes } of needed) {
      const credential = credentials.get(scheme)
      if (placement.kind === "client" || credential === undefined || credential === "client") continue
      const secret = yield* ask(credential, { scheme, scopes, operation })
      const text = textOf(secret)
      if (text === undefined) {
        return yield* refused(scheme, "are not a token, or a user and a password.")
      }
      // What HTTP cannot carry would be told by the client, with the secret in it.
      const isSendable = placement.kind === "query" || placement.kind === "basic"
        ? !/\p{Cs}/u.test(text)
        : /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(text)
      if (!isSendable || text === "") return yield* refused(scheme, "have a character that cannot be sent.")
      keep(secrets, text)
      if (!Redacted.isRedacted(secret)) keep(secrets, Redacted.value(secret.password))
      switch (placement.kind) {
        case "bearer":
          headers.push(["authorization", `Bearer ${text}`])
          break
        case "basic": {
          const encoded = Base64.encode(text)
          keep(secrets, encoded)
          const password = text.slice(text.indexOf(":") + 1)
          keep(secrets, password)
          headers.push(["authorization", `Basic ${encoded}`])
          break
        }
        case "header":
          headers.push([placement.name, text])
          break
        case "query":
          query.push(`${escapeText(placement.name)}=${escapeText(text)}`)
      }
    }
    return { headers, query, secrets }
  })

const ask = (credential: Exclude<Credential, "client">, use: SecretUse): Effect.Effect<Secret, Failure> => {
  if (!Effect.isEffect(credential) && typeof credential !== "function") return Effect.succeed(credential)
  const effect = Effect.suspend(() => Effect.isEffect(credential) ? credential : credential(use))
  return Effect.catchCause(effect, (cause) => {
    const failed = cause.reasons.find((reason) => reason._tag === "Fail")
    if (failed !== undefined && failed.error instanceof Failure) return Effect.fail(failed.error)
    if (cause.reasons.every((reason) => reason._tag === "Interrupt")) return Effect.failCause(cause as never)
    // The cause may hold the secret, so that it is told to nobody; the host's effect can.
    return Effect.andThen(
      Effect.logError(`The credentials "${use.scheme}" for ${use.operation.name} could not be obtained`),
      refused(use.scheme, "could not be obtained."),
    )
  })
}

const textOf = (secret: unknown): string | undefined => {
  if (Redacted.isRedacted(secret)) {
    const value = Redacted.value(secret)
    return typeof value === "string" ? value : undefined
  }
  if (typeof secret !== "object" || secret === null || !("username" in secret) || !("password" in secret)) {
    return undefined
  }
  const { password, username } = secret
  if (typeof username !== "string" || username.includes(":") || !Redacted.isRedacted(password)) return undefined
  const value = Redacted.value(password)
  return typeof value === "string" ? `${username}:${value}` : undefined
}

const refused = (scheme: string, why: string): Effect.Effect<never, Failure> =>
  Effect.fail(
    new Failure({
      code: "ACCESS_DENIED",
      message: `The host's credentials "${scheme}" ${why} The fault is not the call's.`,
      retryable: false,
    }),
  )

// Shorter ones would take ordinary words out of ordinary texts.
const shortest = 4
const replacement = "[redacted]"

const keep = (secrets: Set<string>, text: string): void => {
  const inAddress = [escapeText(text), encodeURIComponent(text)].flatMap((form) => [
    form,
    form.replaceAll("%20", "+"),
    form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  ])
  for (const form of [text, JSON.stringify(text).slice(1, -1), ...inAddress]) {
    if (form.length >= shortest) secrets.add(form)
  }
}

/** Takes secrets out of a text that came back. */
export const scrub = (secrets: ReadonlySet<string>, text: string): string => {
  let scrubbed = text
  // The longest first, so that no part of one is left of it.
  for (const secret of Array.from(secrets).sort((a, b) => b.length - a.length)) {
    if (scrubbed.includes(secret)) scrubbed = scrubbed.replaceAll(secret, replacement)
  }
  return scrubbed
}

/** Takes secrets out of all texts of a value that came back; the value itself if there are none. */
export const scrubJson = (secrets: ReadonlySet<string>, value: Schema.Json): Schema.Json => {
  if (secrets.size === 0) return value
  const walk = (value: Schema.Json): Schema.Json => {
    if (typeof value === "string") return scrub(secrets, value)
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const item = walk(value[i] as Schema.Json)
        if (item !== value[i]) (value as Array<Schema.Json>)[i] = item
      }
      return value
    }
    const object = value as Record<string, Schema.Json>
    let renamed = false
    for (const key in object) {
      const item = walk(object[key]!)
      if (item !== object[key]) object[key] = item
      renamed ||= scrub(secrets, key) !== key
    }
    return renamed
      ? Object.fromEntries(Object.entries(object).map(([key, item]) => [scrub(secrets, key), item]))
      : object
  }
  return walk(value)
}
