import type { Machine } from "../machine/machine.ts"
import { addProperty, Attribute, Throw } from "../object/index.ts"

/** What the web platform throws as a `DOMException`: here an `Error` that has the same name. */
export const webError = (m: Machine, name: string, message: string): Throw => {
  const error = m.newError("Error", message)
  addProperty(error, "name", name, Attribute.Hidden)
  return new Throw(error)
}
