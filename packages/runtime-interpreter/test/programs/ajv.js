// Ajv makes a validator by compiling text, which programs cannot; its standalone mode writes the same validator as a module.
import * as validators from "virtual:validators"
import { table } from "./show.js"

const values = {
  user: [
    { id: 1, name: "Ada", email: "ada@example.org", tags: ["a", "b"], address: { street: "x", zip: "12345" } },
    { id: 0, name: "", email: "nope", tags: ["a", "a"], address: { zip: "1" }, extra: true },
    { id: 1.5, name: "x".repeat(51), role: "owner", tags: "a" },
    { id: "1" },
    {},
    [],
    null,
    "text",
    5,
    { id: 2, name: "💩💩", email: "a@b.c", role: "admin", born: "2024-02-30" },
    { id: 2, name: "y", email: "a@b.cd", born: "2024-02-29", site: "https://example.org/a?b#c", key: "2001:db8::1" },
  ],
  tree: [
    { value: 1, children: [{ value: 2, children: [] }, { value: 3, children: [{ value: 4 }] }] },
    { value: 1, children: [{ value: "2" }, { children: [{}] }] },
    { value: null },
    { children: {} },
  ],
  shape: [
    { kind: "circle", radius: 2 },
    { kind: "circle", radius: -1 },
    { kind: "square", side: 3 },
    { kind: "square" },
    { kind: "line", points: [[0, 0], [1, 1]] },
    { kind: "line", points: [[0], [1, "1", 2]] },
    { kind: "other" },
    {},
    1,
  ],
  arrays: [[1, 2, 3], [1, "a", true, null], [], [1, 1], [3, 5, 7, 9, 11, 13], [{ a: 1 }, { a: 1 }], ["x", 2], "no", [
    1,
    "b",
    false,
  ]],
  numbers: [0, 5, 10, 7.5, 0.3, 1e308, -1, 100, 15, "15", null, 12.000000001],
  conditions: [
    { country: "US", code: "12345" },
    { country: "US", code: "K1A" },
    { country: "CA", code: "K1A 0B1" },
    { country: "CA" },
    { code: 1 },
    { country: "US", code: "12345", credit: 1 },
    { credit: 1, billing: "b" },
    { ab1: 1, xy: 2, country: "US" },
  ],
  formats: [
    "2024-02-29",
    "2023-02-29",
    "12:00:00Z",
    "12:60:00Z",
    "2024-01-01T00:00:00+02:00",
    "a@b.co",
    "127.0.0.1",
    "256.0.0.1",
    "::1",
    "http://a.b/c",
    "../x",
    "550e8400-e29b-41d4-a716-446655440000",
    "^[a-z]+$",
    "([",
    "P1DT2H",
    "example.org",
    "-bad-.org",
    "",
    "/a/b~0c",
    "~",
  ],
  defaults: [{}, { a: "7", b: "true", c: [1], d: null, nested: {} }, { a: "x", extra: 1, nested: { deep: "5" } }, {
    a: 1.5,
    b: 0,
    c: "single",
  }],
}

const cases = {}
for (const [name, validate] of Object.entries(validators)) {
  const [set] = name.split("$")
  values[set].forEach((value, i) => {
    cases[`${name} ${i}`] = () => {
      const copy = structuredClone(value)
      return [validate(copy), validate.errors, copy]
    }
  })
}
cases["many rows"] = () => {
  let valid = 0
  for (let i = 0; i < 2000; i++) {
    if (
      validators.user({
        id: i,
        name: `n${i % 60}`,
        email: i % 3 === 0 ? "a@b.cd" : "x",
        tags: ["a", i % 5 === 0 ? "a" : "b"],
      })
    ) valid++
  }
  return valid
}

export const rows = table(cases)
