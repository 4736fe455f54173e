import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { providerName } from "../src/internal/provider-name.ts"
import { providerPrefix } from "../src/internal/provider-prefix.ts"

const accepted = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

describe("the spelling of a name for providers", () => {
  it.each([
    ["github.list_issues", "github__list_issues"],
    ["github.repos.get", "github__repos__get"],
    ["context7.resolve-library-id", "context7__resolve-library-id"],
    ["a.B9", "a__B9"],
    [`m.${"x".repeat(61)}`, `m__${"x".repeat(61)}`],
  ])("%s is spelled %s", (path, spelled) => {
    expect(providerName(path)).toBe(spelled)
  })

  // Names that were spelled once are in conversations: the same name is to be spelled the same in every version.
  it.each([
    ["files.a b", "files__a_b___"],
    ["files.a_b_", "files__a_b___"],
    ["files._private", "files__private___"],
    ["files.a__b", "files__a_b___"],
    ["9lives.get", "tool_9lives__get___"],
    ["-a.b", "tool_-a__b___"],
    ["日本.東京", "tool___"],
    ["files.", "files___"],
    [".", "tool___"],
    ["__proto__.constructor", "proto__constructor___"],
    [`m.${"x".repeat(62)}`, `m__${"x".repeat(45)}___`],
    ["a\nb.c", "a_b__c___"],
  ])("%j is told by what is left of it, and a hash", (path, start) => {
    const spelled = providerName(path)
    expect(spelled.slice(0, -13)).toBe(start)
    expect(spelled.slice(-13)).toMatch(/^[a-z2-7]{13}$/)
    expect(spelled).toMatch(accepted)
  })

  it("is the same in every version: the first 65 bits of SHA-256 over the name in JSON, in base 32", () => {
    expect(providerName("files.a b")).toBe("files__a_b___tdh77vvvtbcpv")
    expect(providerName("日本.東京")).toBe("tool___xtd2u4x22zi7y")
  })

  it("is accepted by every provider, and no two names share one, whatever they are", () => {
    const segment = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: fc.constantFrom("a", "A", "_", "-", "9", ".", " ", "é"), maxLength: 6 }),
      fc.constantFrom("", "__proto__", "constructor", "a__b", "a___b", "\ud800", "\udfff", "a\u0301", "á"),
    )
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("."))
    const seen = new Map<string, string>()
    fc.assert(
      fc.property(path, (path) => {
        const spelled = providerName(path)
        expect(spelled).toMatch(accepted)
        // Names that look like spellings of others are names, too.
        for (const name of [path, spelled, `m.${spelled}`, spelled.replaceAll("__", "."), spelled.toUpperCase()]) {
          const own = providerName(name)
          expect(own).toMatch(accepted)
          expect(providerName(name)).toBe(own)
          expect(seen.get(own) ?? name).toBe(name)
          seen.set(own, name)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it("is quick for a name of any length", () => {
    expect(providerName(`${"x ".repeat(100_000)}.y`)).toMatch(accepted)
    expect(providerName(".".repeat(100_000))).toMatch(/^tool___/)
  })

  it("begins with that of the namespace where neither needs a hash", () => {
    expect(providerName("company.github.list")).toMatch(new RegExp(`^${providerPrefix("company.github")}`))
  })
})
