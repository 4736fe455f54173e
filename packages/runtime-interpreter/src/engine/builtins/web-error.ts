import { newError } from "../machine/errors.ts"
import type { Machine } from "../machine/machine.ts"
import { addProperty, Attribute, Throw } from "../object/index.ts"

/** What the web platform throws as a `DOMException`: here an `Error` that has the same name. */
export const webError = (m: Machine, name: string, message: string): Throw => {
  const error = newError(m, "Error", message)
  addProperty(error, "name", name, Attribute.Hidden)
  return new Throw(error)
}

/** An error with a code, as Node's web interfaces throw them; its own properties can be enumerated. */
export const codedError = (m: Machine, type: "TypeError" | "RangeError", code: string, message: string): Throw => {
  const error = newError(m, type, message)
  addProperty(error, "code", code, Attribute.All)
  return new Throw(error)
}
