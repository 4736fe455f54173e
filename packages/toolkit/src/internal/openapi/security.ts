/**
 * Which credentials an operation needs, and where they go.
 */
import { isRecord, type JsonObject } from "../json-schema.ts"
import { broken, type Document, follow, member, own } from "./document.ts"

/** Where the secret of a scheme goes. `client`: the HTTP client sends it by itself. */
export type Placement =
  | { readonly kind: "bearer" | "basic" | "client" }
  | { readonly kind: "header" | "query"; readonly name: string }

export interface Needed {
  readonly scheme: string
  readonly placement: Placement
  readonly scopes: ReadonlyArray<string>
}

/** The schemes of a document, and what the host has credentials for. */
export class Security {
  /** Names that credentials have, so that no parameter may have them: headers in small letters. */
  readonly headers = new Map<string, string>()
  readonly queries = new Map<string, string>()
  private readonly placements = new Map<string, Placement | string>()
  private readonly general: ReadonlyArray<ReadonlyMap<string, ReadonlyArray<string>>>

  /** `served`: how each scheme of the host is served; `undefined` if credentials are none of our business. */
  constructor(
    document: Document,
    private readonly served: ReadonlyMap<string, "secret" | "client"> | undefined,
    schemes: JsonObject,
    general: unknown,
  ) {
    for (const [name, scheme] of Object.entries(schemes)) {
      const { at, value } = follow(document, scheme, member("#/components/securitySchemes", name))
      const placement = placementOf(value, at)
      this.placements.set(name, placement)
      if (typeof placement !== "string" && placement.kind === "header") {
        this.headers.set(placement.name.toLowerCase(), name)
      }
      if (typeof placement !== "string" && placement.kind === "query") {
        this.queries.set(placement.name.toLowerCase(), name)
      }
    }
    this.general = read(general, "#/security") ?? []
  }

  /** The names of the host's credentials that the document has no scheme for. */
  get unknown(): ReadonlyArray<string> {
    return Array.from(this.served?.keys() ?? []).filter((name) => !this.placements.has(name))
  }

  get known(): ReadonlyArray<string> {
    return Array.from(this.placements.keys())
  }

  /** What is sent with an operation, or why it cannot be: of the alternatives the first that the host serves. */
  choose(operation: JsonObject, at: string): ReadonlyArray<Needed> | string {
    const alternatives = read(own(operation, "security"), member(at, "security")) ?? this.general
    if (this.served === undefined || alternatives.length === 0) return []
    const reasons: Array<string> = []
    let optional = false
    for (const alternative of alternatives) {
      if (alternative.size === 0) {
        optional = true
        continue
      }
      const needed = this.serve(alternative)
      if (typeof needed !== "string") return needed
      reasons.push(needed)
    }
    return optional ? [] : `needs credentials: ${Array.from(new Set(reasons)).join("; or ")}`
  }

  private serve(alternative: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<Needed> | string {
    const needed: Array<Needed> = []
    const places = new Set<string>()
    for (const [scheme, scopes] of alternative) {
      const placement = this.placements.get(scheme)
      const served = this.served?.get(scheme)
      if (placement === undefined) return `\`${scheme}\` is not described`
      if (served === undefined) return `none are given for \`${scheme}\``
      if (served === "client") {
        needed.push({ scheme, placement: { kind: "client" }, scopes })
        continue
      }
      if (typeof placement === "string") return `\`${scheme}\` ${placement}`
      const place = "name" in placement ? `${placement.kind} ${placement.name.toLowerCase()}` : "header authorization"
      if (places.has(place)) return `\`${scheme}\` goes where another does`
      places.add(place)
      needed.push({ scheme, placement, scopes })
    }
    return needed
  }
}

const placementOf = (scheme: JsonObject, at: string): Placement | string => {
  switch (scheme.type) {
    case "http":
      switch (typeof scheme.scheme === "string" ? scheme.scheme.toLowerCase() : undefined) {
        case "bearer":
          return { kind: "bearer" }
        case "basic":
          return { kind: "basic" }
        default:
          return `is of the HTTP scheme ${String(scheme.scheme)}`
      }
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer" }
    case "apiKey": {
      if (typeof scheme.name !== "string" || scheme.name === "") throw broken(at, "The scheme has no `name`.")
      if (scheme.in === "header") {
        return scheme.name.toLowerCase() === "cookie" ? "is a cookie" : { kind: "header", name: scheme.name }
      }
      return scheme.in === "query" ? { kind: "query", name: scheme.name } : "is a cookie"
    }
    default:
      return `is of the type ${String(scheme.type)}`
  }
}

const read = (security: unknown, at: string): ReadonlyArray<ReadonlyMap<string, ReadonlyArray<string>>> | undefined => {
  if (security === undefined) return undefined
  if (!Array.isArray(security)) throw broken(at, "`security` is not a list.")
  return security.map((alternative, i) => {
    if (!isRecord(alternative)) throw broken(member(at, i), "There is no object here.")
    return new Map(
      Object.entries(alternative).map(([name, scopes]) => [
        name,
        Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
      ]),
    )
  })
}
