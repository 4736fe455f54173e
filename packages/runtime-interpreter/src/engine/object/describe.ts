import { isFunction, ownDataValue, peek, peekText } from "./peek.ts"
import { isObject, type JSObject, Kind, PrivateName, type PropertyKey, type Value } from "./value.ts"

// Values in messages. None of it runs code of the program.

/** A text in a message, which shows no more than the beginning of a long one. */
export const shortText = (text: string): string =>
  // Taken out of a longer text, so that it does not hold on to the whole.
  text.length <= MAX_SHOWN ? text : ` ${text.slice(0, MAX_SHOWN)}...`.slice(1)

const MAX_SHOWN = 200

/** Messages show smaller bigints. */
const SHOWN_BIGINT = 1n << 512n

/** A value in a message, where there is no expression to show: `"text"`, `function f`, `#<Point>`. */
export const describe = (value: Value): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
    case "symbol":
      return describeKey(value)
    case "bigint":
      return value < SHOWN_BIGINT && value > -SHOWN_BIGINT ? `${value}n` : "a bigint"
    case "object": {
      if (value === null) return "null"
      if (!isFunction(value)) return objectTag(value)
      const name = peekText(value, "name")
      return name === undefined || name === "" ? "function" : `function ${shortText(name)}`
    }
    default:
      return String(value)
  }
}

/** The same without quotes. */
export const unquoted = (value: Value): string => typeof value === "string" ? shortText(value) : describe(value)

/** An object in a message: `#<Point>`, `[object Array]`. */
export const objectTag = (o: JSObject): string => {
  if (o.kind === Kind.Array || o.kind === Kind.SlowArray) return "[object Array]"
  if (isFunction(o)) return "function"
  const constructor = peek(o, "constructor")
  const name = isObject(constructor) && isFunction(constructor) ? ownDataValue(constructor, "name") : undefined
  return typeof name === "string" && name !== "" ? `#<${shortText(name)}>` : "#<Object>"
}

export const describeKey = (key: PropertyKey): string =>
  typeof key === "symbol"
    ? `Symbol(${shortText(key.description ?? "")})`
    : key instanceof PrivateName
    ? key.description
    : shortText(String(key))
