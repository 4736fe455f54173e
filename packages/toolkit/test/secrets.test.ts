import type { Schema } from "effect"
import { describe, expect, test } from "vitest"
import { Secrets } from "../src/internal/secrets.ts"

const of = (...texts: ReadonlyArray<string>): Secrets => {
  const secrets = new Secrets()
  for (const text of texts) secrets.add(text)
  return secrets
}

describe("what must not come back", () => {
  const forms: Record<string, string> = {
    "as it stands": "a \"b\"/ü's",
    "in JSON": JSON.stringify("a \"b\"/ü's").slice(1, -1),
    "in an address": encodeURIComponent("a \"b\"/ü's"),
    "in an address, with all that is reserved": "a%20%22b%22%2F%C3%BC%27s",
    "in an address, in small letters": "a%20%22b%22%2f%c3%bc%27s",
    "in a form": "a+%22b%22%2F%C3%BC%27s",
  }
  for (const [name, form] of Object.entries(forms)) {
    test(`is taken out ${name}`, () => {
      expect(of("a \"b\"/ü's").text(`<${form}>`)).toBe("<[redacted]>")
    })
  }

  test("leaves no part of a longer one", () => {
    expect(of("secret", "secret-more").text("secret-more secret")).toBe("[redacted] [redacted]")
  })

  test("is no word of three letters, and can have half a character", () => {
    expect(of("abc", "half\ud83d").text("abc half\ud83d")).toBe("abc [redacted]")
  })

  test("is taken out of the texts and names of a value, which is the same where there is none", () => {
    const clean = { list: [1, "a", { b: null }], c: { d: true } }
    const value = { clean, list: ["x", ["secret"]], secret: 1, inner: { "a secret": "secret" } }
    const seen = of("secret").json(value) as typeof value
    expect(seen).toEqual({
      clean,
      list: ["x", ["[redacted]"]],
      "[redacted]": 1,
      inner: { "a [redacted]": "[redacted]" },
    })
    expect(Object.keys(seen)).toEqual(["clean", "list", "[redacted]", "inner"])
    expect(seen.clean).toBe(clean)
    expect(value.list).toEqual(["x", ["secret"]])
    expect(of("secret").json(clean)).toBe(clean)
    expect(of().json(value)).toBe(value)
  })

  test("can be a number, which is taken out whole", () => {
    expect(of("40128888").json([40128888, 140128888, { a: 40128888 }])).toEqual([
      "[redacted]",
      140128888,
      { a: "[redacted]" },
    ])
  })

  test("is taken out beside a name that is a prototype", () => {
    const value = JSON.parse("{\"__proto__\":{\"a\":\"secret\"},\"b\":\"secret\"}") as Schema.Json
    expect(JSON.stringify(of("secret").json(value))).toBe("{\"__proto__\":{\"a\":\"[redacted]\"},\"b\":\"[redacted]\"}")
  })

  test("is not looked for in what is too deep to look through, which is not told", () => {
    let value: Schema.Json = "secret"
    for (let i = 0; i < 50_000; i++) value = [value]
    let seen = of("secret").json(value)
    let depth = 0
    for (; Array.isArray(seen); depth++) seen = seen[0] as Schema.Json
    expect([depth, seen]).toEqual([1_000, "[redacted]"])
  })
})
