import { expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"

const names = [
  "Object",
  "Function",
  "Error",
  "RangeError",
  "AggregateError",
  "Symbol",
  "Boolean",
  "Number",
  "String",
  "BigInt",
  "Math",
  "Date",
  "RegExp",
  "Array",
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "ArrayBuffer",
  "DataView",
  "Uint8Array",
  "Float64Array",
  "BigInt64Array",
  "JSON",
  "Promise",
  "Proxy",
  "Reflect",
  "parseInt",
  "encodeURIComponent",
]

/** Lists every property of these globals, and of what they lead to, with its attributes; a function with name and length. */
const survey = `
const seen = new Map([[globalThis, "globalThis"]])
const rows = []
const nameOf = (key) => typeof key === "symbol" ? "[" + key.description + "]" : key
const walk = (path, o) => {
  if (seen.has(o)) return rows.push([path, "is " + seen.get(o)])
  seen.set(o, path)
  const proto = Object.getPrototypeOf(o)
  if (proto !== null) walk(path + ".__proto__", proto)
  if (typeof o === "function") rows.push([path + "()", o.name + "/" + o.length])
  for (const key of Reflect.ownKeys(o).sort((a, b) => nameOf(a) < nameOf(b) ? -1 : 1)) {
    const desc = Object.getOwnPropertyDescriptor(o, key)
    const at = path + "." + nameOf(key)
    rows.push([at, ["writable", "enumerable", "configurable"].filter((it) => desc[it]).join()])
    for (const part of ["value", "get", "set"]) {
      const value = desc[part]
      const isObject = typeof value === "object" ? value !== null : typeof value === "function"
      if (isObject) walk(part === "value" ? at : part + " " + at, value)
      else if (typeof value !== "symbol" && value !== undefined) rows.push([at + " " + part, String(value)])
    }
  }
}
for (const name of ${JSON.stringify(names)}) walk(name, globalThis[name])
return rows
`

/** What the host's engine has beside the standard, or what programs do not have. */
const beside = /prepareStackTrace|^RegExp\.(\$|input|last|left|right|\[|get )|get RegExp\.|set RegExp\./

it("gives the built-ins the properties, attributes, names and lengths that the host's engine gives them", async () => {
  const ours = new Map(await evaluate(survey) as Array<[string, string]>)
  const theirs = new Map(inHost(survey) as Array<[string, string]>)
  const different: Array<string> = []
  for (const [path, text] of theirs) {
    if (!beside.test(path) && ours.get(path) !== text) different.push(`${path}: ${ours.get(path)} instead of ${text}`)
  }
  expect(different).toEqual([])
  expect(ours.size).toBeGreaterThan(1500)
})
