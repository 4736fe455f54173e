/**
 * Where the requests of an operation go.
 */
import { isRecord, type JsonObject } from "../json-schema.ts"
import { type Address, URL } from "../web.ts"
import { broken, DocumentError, member, own, Unsupported } from "./document.ts"

/** An address that paths are put behind. */
export interface Server {
  /** `https://api.example.com` */
  readonly origin: string
  /** `/v1`, without a slash at the end; empty for the root. */
  readonly path: string
}

export interface ServerOptions {
  readonly baseUrl: string | undefined
  readonly variables: Readonly<Record<string, string>>
}

/** Reads the servers of a document: the first of each list counts. */
export class Servers {
  private readonly general: { readonly list: unknown; readonly at: string }
  private readonly base: Server | undefined
  private known: Server | DocumentError | undefined

  constructor(root: JsonObject, private readonly options: ServerOptions) {
    this.general = { list: own(root, "servers"), at: "#/servers" }
    this.base = options.baseUrl === undefined ? undefined : parse(options.baseUrl, undefined, "baseUrl")
  }

  /** The server of an operation, whose own list goes before that of its path. */
  of(operation: JsonObject, item: JsonObject, at: string, itemAt: string): Server {
    for (const [from, place] of [[operation, at], [item, itemAt]] as const) {
      const list = own(from, "servers")
      if (!Array.isArray(list) || list.length === 0) continue
      return this.special(list, member(place, "servers"))
    }
    this.known ??= attempt(() => this.base ?? this.first(this.general.list, this.general.at))
    if (this.known instanceof DocumentError) throw this.known
    return this.known
  }

  // What a host puts in place of the document's server is not in place of another one.
  private special(list: ReadonlyArray<unknown>, at: string): Server {
    const url = this.urlOf(list, at)
    if (this.base === undefined) return parse(url, undefined, member(at, 0, "url"))
    if (!URL.canParse(url)) return parse(url, this.base, member(at, 0, "url"))
    const own = parse(url, undefined, member(at, 0, "url"))
    const general = attempt(() => this.first(this.general.list, this.general.at, own))
    if (!(general instanceof DocumentError) && general.origin === own.origin && general.path === own.path) {
      return this.base
    }
    throw new Unsupported(`has a server of its own, ${own.origin}, in place of which \`baseUrl\` does not stand`)
  }

  private first(list: unknown, at: string, base?: Server): Server {
    if (!Array.isArray(list) || list.length === 0) {
      throw broken("#/servers", "The document does not say where its server is. Give `baseUrl`.")
    }
    return parse(this.urlOf(list, at), base, member(at, 0, "url"))
  }

  private urlOf(list: ReadonlyArray<unknown>, at: string): string {
    const server = list[0]
    const place = member(at, 0)
    if (!isRecord(server) || typeof server.url !== "string") throw broken(place, "The server has no `url`.")
    return server.url.replace(/\{([^{}]*)\}/gu, (_, name: string) => {
      const variables = own(server, "variables")
      const variable = isRecord(variables) ? own(variables, name) : undefined
      const value = Object.hasOwn(this.options.variables, name) ? this.options.variables[name] : undefined
      const chosen = value ?? (isRecord(variable) ? variable.default : undefined)
      if (typeof chosen !== "string" && typeof chosen !== "number") {
        throw broken(
          member(place, "variables", name),
          `The server's address has the variable "${name}" and no value for it. Give one in \`serverVariables\`, or \`baseUrl\`.`,
        )
      }
      const options = isRecord(variable) && Array.isArray(variable.enum) ? variable.enum : []
      if (value !== undefined && options.length > 0 && !options.includes(value)) {
        throw broken(
          member(place, "variables", name),
          `The variable "${name}" of the server's address is one of ${options.map(String).join(", ")}, not "${value}".`,
        )
      }
      return String(chosen)
    })
  }
}

const attempt = <A>(read: () => A): A | DocumentError => {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}

const parse = (address: string, base: Server | undefined, at: string): Server => {
  let url: Address
  try {
    url = new URL(address, base === undefined ? undefined : `${base.origin}${base.path}/`)
  } catch {
    throw broken(
      at,
      at === "baseUrl"
        ? "`baseUrl` is not an address such as https://api.example.com/v1."
        : `The server's address "${address}" is not a whole one. Give \`baseUrl\`.`,
    )
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw broken(at, `The server's address is of ${url.protocol} and has to be of https: or http:.`)
  }
  // The address is not told: it may have the secret in it.
  if (url.username !== "" || url.password !== "") {
    throw broken(at, "The server's address has a user or a password in it. Give them with `auth`.")
  }
  if (url.search !== "" || url.hash !== "") throw broken(at, "The server's address has a query or a fragment in it.")
  return { origin: url.origin, path: url.pathname.replace(/\/+$/u, "") }
}
