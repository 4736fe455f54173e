// The host's parser of URLs, with plain texts in and out.
import type { Machine } from "../machine/machine.ts"

/** The parts of a URL that can be assigned. */
export type UrlPart =
  | "protocol"
  | "username"
  | "password"
  | "host"
  | "hostname"
  | "port"
  | "pathname"
  | "search"
  | "hash"

type HostUrl = Record<UrlPart | "href", string> & { readonly origin: string }

/** What every host of JavaScript has, and the language's own types do not name. */
interface Globals {
  readonly URL: new(url: string, base?: string) => HostUrl
  readonly URLSearchParams: new(init: string | ReadonlyArray<readonly [string, string]>) => Iterable<[string, string]>
}

const host = globalThis as unknown as Globals

/** All parts of a URL, as texts. */
export type UrlParts = Readonly<Record<UrlPart | "href" | "origin", string>>

/** The longest URL, in UTF-16 code units. */
export const MAX_URL = 1 << 16

/** The longest name of a host that is more than ASCII: what it is in ASCII takes quadratic time to find. */
const MAX_HOST = 1024

/** What a URL begins with: perhaps a scheme, perhaps slashes, and then perhaps a host, with a user before it. */
const AUTHORITY = /^(?:[a-z][a-z\d+.-]*:)?[/\\]*([^/\\?#]*)/i

const hasLongHost = (text: string): boolean => {
  if (text.length <= MAX_HOST) return false
  const bare = text.replace(/^[\0- ]+|[\t\n\r]+/g, "")
  const authority = AUTHORITY.exec(bare)![1]!
  return authority.length > MAX_HOST && /[^!-$&-~]/.test(authority)
}

/** Pays for reading a text as a URL, and says whether it is one to be read at all. */
const isReadable = (m: Machine, text: string): boolean => {
  if (text.length > MAX_URL) return false
  m.charge(100 + text.length)
  if (/[^!-~]/.test(text)) m.charge(text.length * 16)
  m.allocate(300 + text.length * 2)
  return !hasLongHost(text)
}

const partsOf = (url: HostUrl): UrlParts => ({
  href: url.href,
  origin: url.origin,
  protocol: url.protocol,
  username: url.username,
  password: url.password,
  host: url.host,
  hostname: url.hostname,
  port: url.port,
  pathname: url.pathname,
  search: url.search,
  hash: url.hash,
})

/** https://url.spec.whatwg.org/#concept-url-parser — null for a text that is no URL. */
export const parseUrl = (m: Machine, text: string, base?: string): UrlParts | null => {
  if (!isReadable(m, text) || (base !== undefined && !isReadable(m, base))) return null
  try {
    return partsOf(base === undefined ? new host.URL(text) : new host.URL(text, base))
  } catch {
    return null
  }
}

/** The parts of a URL after one of them was assigned; the same ones where it cannot have that value. */
export const changeUrl = (m: Machine, parts: UrlParts, part: UrlPart, value: string): UrlParts => {
  if (!isReadable(m, parts.href) || !isReadable(m, value)) return parts
  const url = new host.URL(parts.href)
  url[part] = value
  return partsOf(url)
}

/** https://url.spec.whatwg.org/#concept-urlencoded-parser — names and values in turn, of a text without "?". */
export const parseQuery = (text: string): Array<string> => {
  const list: Array<string> = []
  // A first "?" would be taken for that of a URL.
  for (const [name, value] of new host.URLSearchParams(text.startsWith("?") ? `&${text}` : text)) list.push(name, value)
  return list
}

/** https://url.spec.whatwg.org/#concept-urlencoded-serializer */
export const encodeQuery = (pairs: ReadonlyArray<readonly [string, string]>): string =>
  String(new host.URLSearchParams(pairs))

/** https://webidl.spec.whatwg.org/#js-to-usvstring for a text: every lone surrogate becomes U+FFFD. */
export const toScalarText = (m: Machine, text: string): string => {
  m.charge(text.length >> 3)
  return (text as unknown as { toWellFormed(): string }).toWellFormed()
}
