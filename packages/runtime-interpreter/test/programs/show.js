// The value of each case as text that tells apart what JSON does not: -0 and NaN, undefined and holes, maps, sets, dates, errors and classes.

const quote = (key) => typeof key === "symbol" ? `[${String(key)}]` : JSON.stringify(key)

const nameOf = (value) => {
  const proto = Object.getPrototypeOf(value)
  if (proto === null) return "null"
  const { constructor } = proto
  return typeof constructor === "function" ? constructor.name : "?"
}

/** @param {ReadonlyArray<object>} path the objects that this value is a part of */
const text = (value, path) => {
  switch (typeof value) {
    case "number":
      return Object.is(value, -0) ? "-0" : String(value)
    case "string":
      return JSON.stringify(value)
    case "bigint":
      return `${value}n`
    case "function":
      return `function ${value.name}/${value.length}`
    case "object":
      break
    default:
      return String(value)
  }
  if (value === null) return "null"
  if (path.includes(value)) return `<${path.length - path.indexOf(value)} up>`
  if (path.length > 40) return "<deep>"
  const inner = [...path, value]
  const name = nameOf(value)
  const fields = (keys) => keys.map((key) => `${quote(key)}: ${text(value[key], inner)}`)
  switch (Object.prototype.toString.call(value)) {
    case "[object Error]":
      return `${value.name}: ${value.message}`
    case "[object Date]":
      return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
    case "[object RegExp]":
      return `${value}@${value.lastIndex}`
    case "[object Map]":
      return `Map{${[...value].map(([k, v]) => `${text(k, inner)} => ${text(v, inner)}`).join(", ")}}`
    case "[object Set]":
      return `Set{${[...value].map((item) => text(item, inner)).join(", ")}}`
    case "[object Promise]":
      return "Promise"
    case "[object Number]":
    case "[object String]":
    case "[object Boolean]":
      return `${name}(${text(value.valueOf(), inner)})`
  }
  if (ArrayBuffer.isView(value)) return `${name}[${[...value].join(", ")}]`
  if (Array.isArray(value)) {
    const items = []
    for (let i = 0; i < value.length; i++) items.push(i in value ? text(value[i], inner) : "<hole>")
    const extra = Reflect.ownKeys(value).filter((key) =>
      Object.prototype.propertyIsEnumerable.call(value, key) && !(typeof key === "string" && /^\d+$/.test(key))
    )
    return `${name === "Array" ? "" : name}[${[...items, ...fields(extra)].join(", ")}]`
  }
  const keys = Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
  return `${name === "Object" ? "" : name}{${fields(keys).join(", ")}}`
}

export const show = (value) => text(value, [])

/**
 * Computes a table of cases: name and text of what each gives or throws.
 *
 * @param {Record<string, () => unknown>} cases
 */
export const table = async (cases) => {
  const rows = []
  for (const [name, compute] of Object.entries(cases)) {
    let result
    try {
      result = show(await compute())
    } catch (error) {
      result = `throws ${show(error)}`
    }
    rows.push([name, result])
  }
  return rows
}
