import { FREE_CHAIN } from "./internal-methods.ts"
import { isCallable, type JSObject, Kind, PrivateName, type PropertyKey, type Value } from "./value.ts"

// Values in messages. None of it runs code of the program.

/** An object in a message: `#<Point>`, `[object Array]`. */
export const objectTag = (o: JSObject): string => {
  if (o.kind === Kind.Array || o.kind === Kind.SlowArray) return "[object Array]"
  // Annotated, so that the compiler does not conclude that objects are functions.
  const isFunction: boolean = isCallable(o)
  if (isFunction) return "function"
  let holder: JSObject | null = o
  for (let i = 0; i < FREE_CHAIN && holder !== null; i++) {
    const slot = holder.shape.lookup("constructor")
    if (slot >= 0) {
      const constructor = holder.slots[slot]
      if (!isCallable(constructor)) break
      const nameSlot = constructor.shape.lookup("name")
      const name = nameSlot < 0 ? undefined : constructor.slots[nameSlot]
      return typeof name === "string" && name !== "" ? `#<${name}>` : "#<Object>"
    }
    holder = holder.shape.proto
  }
  return "#<Object>"
}

/** A value in a message, where there is no expression to show. */
export const describeValue = (value: Value): string =>
  typeof value === "object" && value !== null
    ? objectTag(value)
    : typeof value === "string"
    ? `"${value.length > 40 ? `${value.slice(0, 40)}...` : value}"`
    : String(value)

export const describeKey = (key: PropertyKey): string =>
  typeof key === "symbol"
    ? `Symbol(${shortText(key.description ?? "")})`
    : key instanceof PrivateName
    ? key.description
    : shortText(String(key))

/** A text in a message, which shows no more than the beginning of a long one. */
export const shortText = (text: string): string =>
  // Taken out of a longer text, so that it does not hold on to the whole.
  text.length <= MAX_SHOWN ? text : ` ${text.slice(0, MAX_SHOWN)}...`.slice(1)

const MAX_SHOWN = 200
