/**
 * Obtains the credentials of a call, and keeps them out of what comes back.
 */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import { Secrets } from "../secrets.ts"
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
  readonly secrets: Secrets
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
    const secrets = new Secrets()
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
      secrets.add(text)
      if (!Redacted.isRedacted(secret)) secrets.add(Redacted.value(secret.password))
      switch (placement.kind) {
        case "bearer":
          headers.push(["authorization", `Bearer ${text}`])
          break
        case "basic": {
          const encoded = Base64.encode(text)
          secrets.add(encoded)
          const password = text.slice(text.indexOf(":") + 1)
          secrets.add(password)
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
