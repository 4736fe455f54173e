/** What is no plain JSON data in what a host gets of a run: its result, its failure, its logs, the inputs of its calls. */
export const notJsonIn = (value: unknown, path: string): ReadonlyArray<string> => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return []
    case "number":
      return Number.isFinite(value) ? [] : [`${path} is ${value}`]
    case "object": {
      if (value === null) return []
      const proto: unknown = Object.getPrototypeOf(value)
      const isArray = Array.isArray(value)
      if (proto !== (isArray ? Array.prototype : Object.prototype)) return [`${path} has a prototype of its own`]
      const keys = Reflect.ownKeys(value)
      if (isArray && keys.length !== value.length + 1) return [`${path} has holes or further properties`]
      return keys.flatMap((key) => {
        if (isArray && key === "length") return []
        const at = `${path}.${String(key)}`
        const property = Object.getOwnPropertyDescriptor(value, key)!
        if (typeof key === "symbol") return [`${at} has a symbol for its key`]
        if (!("value" in property)) return [`${at} is an accessor`]
        return notJsonIn(property.value, at)
      })
    }
    default:
      return [`${path} is a ${typeof value}`]
  }
}

/** What in a text tells of the host: its files, its modules, its stack. */
const hostText = /node:|file:\/|\/node_modules\/|\/packages\/|\.[cm]?[jt]s:\d|\bat \S+ \((?!program:)/

/** The texts in JSON data that tell of the host, or have the word that nothing may have. */
export const hostTextsIn = (value: unknown, path: string, canary?: string): ReadonlyArray<string> => {
  if (typeof value === "string") {
    const tells = hostText.test(value) || (canary !== undefined && value.includes(canary))
    return tells ? [`${path} tells of the host: ${value.slice(0, 300)}`] : []
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    hostTextsIn(key, `${path}'s key`, canary).concat(hostTextsIn(item, `${path}.${key}`, canary))
  )
}
