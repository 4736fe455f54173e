// What URLs and their parameters show of themselves, though they have no properties of their own.
import type { Machine } from "../machine/machine.ts"
import type { JSObject, Value } from "../object/index.ts"
import { type ParamsData, paramsOfUrl, type UrlData } from "./url-search-params.ts"

const fields = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "searchParams",
  "hash",
] as const

type WebData = UrlData | ParamsData | { readonly brand: "other" }

/** Whether an object of the engine's own has something to show. */
export const hasWebEntries = (o: JSObject): boolean => {
  const data: WebData = o.data
  return data.brand === "URL" || (data.brand === "URLSearchParams" && data.list.length > 0)
}

/** What such an object shows, at most so many entries of it; undefined for one that shows nothing. */
export const webEntries = (
  m: Machine,
  o: JSObject,
  limit: number,
  show: (value: Value) => string,
): Array<string> | undefined => {
  const data: WebData = o.data
  switch (data.brand) {
    case "URL":
      return fields.map((name) => `${name}: ${show(name === "searchParams" ? paramsOfUrl(m, data) : data.parts[name])}`)
    case "URLSearchParams": {
      const entries: Array<string> = []
      const { list } = data
      for (let i = 0; i < list.length && entries.length < limit; i += 2) {
        entries.push(`${show(list[i]!)} => ${show(list[i + 1]!)}`)
      }
      const rest = list.length / 2 - entries.length
      if (rest > 0) entries.push(`... ${rest} more item${rest > 1 ? "s" : ""}`)
      return entries
    }
    default:
      return undefined
  }
}
