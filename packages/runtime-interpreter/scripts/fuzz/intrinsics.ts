// Finds every function that programs can reach without making one, as an expression that gives it.

/** `G` gives a getter, `S` a setter, `P` a prototype: expressions of intrinsics use them. */
export const reach = `const G = (o, k) => Object.getOwnPropertyDescriptor(o, k).get
const S = (o, k) => Object.getOwnPropertyDescriptor(o, k).set
const P = Object.getPrototypeOf`

/** A program that gives the expressions of all of them. */
export const walker = `${reach}
const roots = {
  globalThis, tools,
  "P(function () {})": P(function () {}), "P(async () => {})": P(async () => {}),
  "P(function* () {})": P(function* () {}), "P(async function* () {})": P(async function* () {}),
  "P([][Symbol.iterator]())": P([][Symbol.iterator]()), "P(''[Symbol.iterator]())": P(""[Symbol.iterator]()),
  "P(new Map().entries())": P(new Map().entries()), "P(new Set().values())": P(new Set().values()),
  "P(''.matchAll(/a/g))": P("".matchAll(/a/g)), "P(Iterator.from({ next() {} }))": P(Iterator.from({ next() {} })),
  "P([].values().map((x) => x))": P([].values().map((x) => x)), "P(Uint8Array)": P(Uint8Array),
  "P(new Intl.Segmenter().segment('a'))": P(new Intl.Segmenter().segment("a")),
  "P(new Intl.Segmenter().segment('a')[Symbol.iterator]())": P(new Intl.Segmenter().segment("a")[Symbol.iterator]()),
  "P(new URLSearchParams().keys())": P(new URLSearchParams().keys()),
}
const seen = new Set(), functions = [], work = []
const visit = (value, path) => {
  if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) return
  seen.add(value)
  if (typeof value === "function") functions.push(path)
  work.push([value, path])
}
for (const [path, value] of Object.entries(roots)) visit(value, path)
const word = /^[A-Za-z_$][A-Za-z_$0-9]*$/
for (const [object, path] of work) {
  for (const key of Reflect.ownKeys(object)) {
    const { get, set, value } = Object.getOwnPropertyDescriptor(object, key)
    const symbol = typeof key === "symbol"
    if (symbol && !/^Symbol\\.\\w+$/.test(key.description)) continue
    const name = symbol ? key.description : JSON.stringify(key)
    const at = path === "globalThis" ? key : !symbol && word.test(key) ? path + "." + key : path + "[" + name + "]"
    visit(value, at)
    visit(get, "G(" + path + ", " + name + ")")
    visit(set, "S(" + path + ", " + name + ")")
  }
  visit(P(object), "P(" + path + ")")
}
return functions`
