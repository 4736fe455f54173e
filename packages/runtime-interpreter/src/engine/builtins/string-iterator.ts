import {
  type Agent,
  type BuiltinIterator,
  DONE,
  type Intrinsics,
  SymbolToStringTag,
  type Value,
} from "../object/index.ts"
import { nextMethod } from "./built-in-iterators.ts"
import { object, tag } from "./define.ts"
import { codePointAt } from "./text.ts"

/** https://tc39.es/ecma262/#sec-string.prototype-@@iterator */
export class StringIterator implements BuiltinIterator {
  readonly brand = "String Iterator"
  position = 0

  constructor(
    /** What is iterated; undefined once that is over. */
    public text: string | undefined,
  ) {}

  step(m: Agent): Value | typeof DONE {
    const text = this.text
    if (text === undefined) return DONE
    const position = this.position
    if (position >= text.length) {
      this.text = undefined
      return DONE
    }
    const unit = text.charCodeAt(position)
    if ((unit & 0xf800) !== 0xd800) {
      this.position = position + 1
      return text[position]!
    }
    m.allocate(24)
    const point = codePointAt(text, position)
    this.position = position + (point > 0xffff ? 2 : 1)
    return String.fromCodePoint(point)
  }
}

/** https://tc39.es/ecma262/#sec-%stringiteratorprototype%-object */
export const stringIteratorIntrinsics: Intrinsics = {
  StringIteratorPrototype: object({
    name: "%StringIteratorPrototype%",
    proto: "IteratorPrototype",
    members: [
      nextMethod("String Iterator"),
      tag(SymbolToStringTag, "String Iterator"),
    ],
  }),
}
