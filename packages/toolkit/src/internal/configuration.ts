/**
 * Tells what is ordinary configuration from what may be secret, where only its value tells: a path, an address without credentials, a
 * number, a word that every program knows. What is not known to be ordinary may be secret.
 */
import * as Base64 from "effect/encoding/Base64"
import { unescaped } from "./attempt.ts"
import { type Address, URL } from "./web.ts"

const words = new Set(
  ("true false yes no on off none null undefined auto always never enabled disabled default " +
    "production development staging testing test local sandbox preview release debug trace verbose info information notice warn " +
    "warning error critical fatal emergency silent quiet " +
    "localhost stdio streamable-http streaming json yaml plain pretty utf-8 utf8 ascii " +
    "readonly read-only read-write readwrite standard strict").split(" "),
)

const shapes = [
  // Numbers, sizes, durations. One that is longer may be an account's.
  /^[-+]?\d{1,10}(?:\.\d{1,10})? ?(?:%|ms|milli(?:second)?s?|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?)?|d(?:ays?)?|[kmgt]?i?b|bytes?)?$/i,
  // Versions, dates.
  /^[v^~]?\d+\.\d+(?:\.\d+)*(?:-(?:alpha|beta|rc|next|canary|preview)(?:\.\d+)?)?$/i,
  /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[-+]\d\d:?\d\d)?)?$/,
  // Languages and time zones: `en_US.UTF-8`, `Europe/Berlin`.
  /^[a-z]{2,3}[-_][A-Z]{2}(?:\.[A-Za-z\d-]+)?$/,
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z_+\-/\d]{1,32}$/,
  // Regions of the great providers: `us-east-1`, `europe-west4`.
  /^(?:us(?:-gov)?|eu|ap|sa|ca|me|af|il|mx|cn|europe|asia|australia|africa|northamerica|southamerica)-(?:north|south|east|west|central){1,2}-?\d{1,2}$/,
  // Media types.
  /^(?:application|audio|font|image|message|model|multipart|text|video)\/[a-z\d.+*-]{1,40}$/,
]

/** Whether a value is ordinary. */
export const isOrdinary = (value: string): boolean => {
  const text = value.trim()
  return words.has(text.toLowerCase()) || shapes.some((shape) => shape.test(text)) || isHost(text) || isPaths(text) ||
    isOrdinaryAddress(text)
}

/** Whether a value is a word that tells nothing, wherever it stands. */
export const isWord = (value: string): boolean => words.has(value.trim().toLowerCase())

// `localhost:8080`, `db.example.com`, `10.0.0.1`, `[::1]:80`
const isHost = (text: string): boolean => {
  const host = text.replace(/:\d{1,5}$/, "")
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|localhost)$/i.test(host) ||
    /^(?:[a-z\d](?:[a-z\d-]{0,40}[a-z\d])?\.)+(?:[a-z]{2}|com|org|net|dev|app|edu|gov|cloud|local|internal)$/.test(
        host,
      ) && !host.split(".").some(isTokenLike)
}

// One path, or several as in PATH.
const isPaths = (text: string): boolean =>
  text.split(/[;:](?=[./~]|[A-Za-z]:\\|$)/u).every((path) =>
    path === "" ||
    /^(?:~|\.{1,2})?\/[^?&=]*$|^[A-Za-z]:[\\/][^?&=]*$|^\.{1,2}$|^~$/.test(path) &&
      !path.split(/[\\/]/u).some(isTokenLike)
  )

const isOrdinaryAddress = (text: string): boolean => {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false
  const { hash, hostname, password, pathname, search, username } = new URL(text)
  return `${hash}${password}${search}${username}` === "" &&
    ![...pathname.split("/"), ...hostname.split(".")].some(isTokenLike)
}

/**
 * Whether a part of a path or of an address looks as if a machine had drawn it: long, of letters and digits in no order that a name would
 * have.
 */
const isTokenLike = (part: string): boolean =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(part) ||
  /^(?:[\da-f]{24,}|[A-Z\d]{20,})$/.test(part) ||
  part.length >= 16 && /^[\w+=%.-]+$/.test(part) && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)

/** A part of a value, with what it is called. */
export interface Part {
  readonly name: string
  readonly text: string
}

/**
 * What in a value may be told without the rest: the credentials of an address and the values of its query, the values of `name=value`, the
 * texts of JSON. What is called `password` or `token` here may be secret however it looks.
 */
export const partsOf = (value: string): ReadonlyArray<Part> => {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  const parts = address === undefined ? [...ofJson(value), ...ofPairs(value)] : ofAddress(address)
  return parts.flatMap(({ name, text }) => {
    const plain = unescaped(text)
    return plain === text ? [{ name, text }] : [{ name, text }, { name, text: plain }]
  })
}

const ofAddress = ({ password, pathname, searchParams, username }: Address): ReadonlyArray<Part> => {
  const parts: Array<Part> = Array.from(searchParams, ([name, text]) => ({ name, text }))
  for (const text of pathname.split("/")) if (isTokenLike(text)) parts.push({ name: "token", text })
  // A token stands in place of a user, too, with no password or one that says nothing.
  const isToken = password === "" || isWord(password) || /^x-[a-z-]+$/.test(password) || isTokenLike(username)
  if (username !== "" && isToken) parts.push({ name: "token", text: username })
  if (password === "") return parts
  const both = `${unescaped(username)}:${unescaped(password)}`
  for (const text of [password, both, Base64.encode(both)]) parts.push({ name: "password", text })
  return parts
}

const ofPairs = (value: string): ReadonlyArray<Part> =>
  Array.from(
    value.matchAll(/(?:^|[;&,\s])\s*([\w.-]{1,100})\s*=\s*([^;&,\s]+)/gu),
    ([, name, text]) => ({ name: name!, text: text! }),
  )

const ofJson = (value: string): ReadonlyArray<Part> => {
  if (!/^\s*[[{]/.test(value)) return []
  const parts: Array<Part> = []
  const left: Array<readonly [name: string, value: unknown]> = []
  try {
    left.push(["", JSON.parse(value)])
  } catch {
    return []
  }
  while (left.length > 0) {
    const [name, next] = left.pop()!
    if (typeof next === "string") parts.push({ name, text: next })
    else if (Array.isArray(next)) { for (const item of next) left.push([name, item]) }
    else if (typeof next === "object" && next !== null) left.push(...Object.entries(next))
  }
  return parts
}
