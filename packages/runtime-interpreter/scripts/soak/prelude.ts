/**
 * What every random program begins with: `log`, texts of values that tell everything apart but the messages of errors, and
 * bounds on what a program may build up, so that it ends soon in any engine.
 */
export const prelude = `
const lines = []
const isOwn = (o, k) => { const d = Object.getOwnPropertyDescriptor(o, k); return d !== undefined && d.enumerable }
const show = (v, depth = 0) => {
  switch (typeof v) {
    case "number": return Object.is(v, -0) ? "-0" : String(v)
    case "string": return /\\n    at /.test(v) ? "trace" : JSON.stringify(v)
    case "bigint": return v + "n"
    case "undefined": case "boolean": return String(v)
    case "symbol": return "symbol:" + v.description
    case "function": return "function " + show(Object.getOwnPropertyDescriptor(v, "name")?.value, 9) + "/" + Object.getOwnPropertyDescriptor(v, "length")?.value
  }
  if (v === null) return "null"
  if (depth > 3) return "..."
  try {
    if (Error.prototype.isPrototypeOf(v)) return (v instanceof RangeError && /call stack/.test(v.message) ? "STACK " : "") + v.name
    if (Object.getPrototypeOf(v) === Date.prototype) return "Date " + Date.prototype.getTime.call(v)
    if (Object.getPrototypeOf(v) === RegExp.prototype) return String(RegExp.prototype.toString.call(v)) + "@" + v.lastIndex
    if (Object.getPrototypeOf(v) === Map.prototype) return "Map " + show([...Map.prototype.entries.call(v)], depth)
    if (Object.getPrototypeOf(v) === Set.prototype) return "Set " + show([...Set.prototype.values.call(v)], depth)
    if (Object.getPrototypeOf(v) === Promise.prototype) return "Promise"
    const keys = Reflect.ownKeys(v).slice(0, 40)
    const parts = keys.map((k) => {
      const d = Object.getOwnPropertyDescriptor(v, k)
      const flags = d === undefined ? "?" : (d.enumerable ? "" : "h") + (d.writable === false ? "r" : "") + (d.configurable ? "" : "f")
      return (typeof k === "symbol" ? "@" + k.description : k) + (flags === "" ? "" : "!" + flags) + ":" + (d === undefined ? "" : "value" in d ? show(d.value, depth + 1) : "accessor")
    })
    return (Array.isArray(v) ? "[" : "{") + parts.join(",") + (Object.isExtensible(v) ? "" : "!") + (Array.isArray(v) ? "]" : "}")
  } catch (e) { return "unshowable " + e?.name }
}
const log = (...values) => { if (lines.length < 400) lines.push(values.map((v) => show(v)).join(" ")) }
const err = (e) => log("error", e)
const kind = (e) => Error.prototype.isPrototypeOf(e) ? e.name : e
const weigh = (v, left) => {
  if (left <= 0) return 0
  if (typeof v === "string") return left - 1 - (v.length >> 2)
  if (typeof v === "bigint") return v < 2n ** 256n && v > -(2n ** 256n) ? left - 1 : 0
  if (typeof v !== "object" || v === null) return left - 1
  left--
  const parts = Object.getPrototypeOf(v) === Map.prototype ? [...v].flat() : Object.getPrototypeOf(v) === Set.prototype ? [...v] : Reflect.ownKeys(v).map((k) => k === "stack" ? 0 : Object.getOwnPropertyDescriptor(v, k)?.value)
  for (const part of parts) left = weigh(part, left)
  return left
}
// What is too large becomes small.
const cap = (v) => { try { return weigh(v, 60) > 0 ? v : typeof v } catch { return "odd" } }
const small = (v) => { const n = Number(v); return n > 9 || n < -9 ? Math.trunc(n) % 7 : n }
// Keys of assignments become texts at once, since V8 asks objects for theirs twice.
const key = (v) => typeof v === "symbol" ? v : typeof v === "number" ? small(v) : String(v).slice(0, 3)
// V8 ends the gap of a JSON text at its first NUL.
const gap = (v) => String(v).replaceAll(String.fromCharCode(0), ".")
// What sorting asks of objects, and how often, is the engine's own affair.
const plain = (v) => typeof v === "object" || typeof v === "function" ? typeof v : v
const t = (n, v) => { log("t" + n); return v }
const S = Symbol("s")
const later = (v, n) => { let p = Promise.resolve(); while (n-- > 0) p = p.then(() => {}); return p.then(() => v) }
let a = 1, b = "b", c = { x: 1, y: [1, 2] }, d = [3, 1, 2], p = null, q
`
