/**
 * What must not come back from a server: kept in every form in which it may come, and taken out of texts.
 */
import type * as Schema from "effect/Schema"

// Shorter ones would take ordinary words out of ordinary texts.
const shortest = 4
// Deeper values are not looked through, and so not told.
const deepest = 1_000
const replacement = "[redacted]"

export class Secrets {
  private readonly kept = new Set<string>()
  private ordered: ReadonlyArray<string> | undefined

  /** Every form of every secret, the longest first, so that no part of one is left of it. */
  get forms(): ReadonlyArray<string> {
    return this.ordered ??= Array.from(this.kept).sort((a, b) => b.length - a.length)
  }

  get isEmpty(): boolean {
    return this.kept.size === 0
  }

  /** Keeps a text as it stands, as it stands in JSON, and as it stands in addresses; no form that is shorter than `least`. */
  add(text: string, least = shortest): void {
    this.ordered = undefined
    for (const form of [text, JSON.stringify(text).slice(1, -1), ...inAddresses(text)]) {
      if (form.length >= least) this.kept.add(form)
    }
  }

  /** Takes secrets out of a text. */
  text(text: string): string {
    let scrubbed = text
    for (const form of this.forms) {
      if (scrubbed.includes(form)) scrubbed = scrubbed.replaceAll(form, replacement)
    }
    return scrubbed
  }

  /** Takes secrets out of all texts, numbers and names of a value. What has none in it is the same as before. */
  json(value: Schema.Json): Schema.Json {
    return this.isEmpty ? value : this.scrubbed(value, 0)
  }

  private scrubbed(value: Schema.Json, depth: number): Schema.Json {
    if (typeof value === "string") return this.text(value)
    if (typeof value === "number") return this.kept.has(String(value)) ? replacement : value
    if (typeof value !== "object" || value === null) return value
    if (depth === deepest) return replacement
    if (Array.isArray(value)) {
      let copy: Array<Schema.Json> | undefined
      for (const [index, item] of (value as ReadonlyArray<Schema.Json>).entries()) {
        const next = this.scrubbed(item, depth + 1)
        if (next !== item) (copy ??= [...value as ReadonlyArray<Schema.Json>])[index] = next
      }
      return copy ?? value
    }
    const object = value as Schema.JsonObject
    let changed: Map<string, Schema.Json> | undefined
    let isRenamed = false
    for (const key in object) {
      const next = this.scrubbed(object[key]!, depth + 1)
      if (next !== object[key]) (changed ??= new Map()).set(key, next)
      isRenamed ||= this.text(key) !== key
    }
    if (changed === undefined && !isRenamed) return value
    // An assignment to `__proto__` would set the prototype.
    return Object.fromEntries(
      Object.entries(object).map(([key, item]) => [isRenamed ? this.text(key) : key, changed?.get(key) ?? item!]),
    )
  }
}

const inAddresses = (text: string): ReadonlyArray<string> => {
  try {
    const escaped = encodeURIComponent(text)
    return [escaped, escaped.replace(/[!'()*]/g, percent)].flatMap((form) => [
      form,
      form.replaceAll("%20", "+"),
      form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    ])
  } catch {
    // Half a character has no place in an address.
    return []
  }
}

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
