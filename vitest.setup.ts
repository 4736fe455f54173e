// Test files that share a process share its built-ins: what one leaves changed would fail, or pass, another. So that one fails.
import * as fc from "fast-check"
import { runInNewContext } from "node:vm"
import { afterAll } from "vitest"

// Random inputs are the same each time, so that a failure is one of the change at hand.
fc.configureGlobal({ seed: 6 })

/** What the standard gives every realm. A console has states of its own. */
const names = (runInNewContext("Object.getOwnPropertyNames(globalThis)") as ReadonlyArray<string>)
  .filter((name) => name !== "console")

/** What the test runner sets. */
const apart = new Set(["Error.stackTraceLimit", "Error.prepareStackTrace"])

/** Each property of each built-in by its path: its value, or what gets it. */
const picture = (): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  const seen = new Set<unknown>([globalThis])
  const visit = (path: string, value: unknown): void => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return
    seen.add(value)
    for (const key of Reflect.ownKeys(value)) {
      const at = `${path}.${String(key)}`
      const { get, value: part } = Object.getOwnPropertyDescriptor(value, key)!
      if (apart.has(at)) continue
      found.set(at, get ?? part)
      visit(at, part)
    }
  }
  for (const name of names) {
    const { get, value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {}
    found.set(name, get ?? value)
    visit(name, value)
  }
  return found
}

const kept: { builtIns?: ReadonlyMap<string, unknown> } = globalThis as object
const before = kept.builtIns ??= picture()

afterAll(() => {
  const after = picture()
  const changed = Array.from(new Set([...before.keys(), ...after.keys()]))
    .filter((path) => !Object.is(before.get(path), after.get(path)))
  if (changed.length > 0) throw new Error(`This file leaves built-ins changed: ${changed.slice(0, 10).join(", ")}`)
})
