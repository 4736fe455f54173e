import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  describe,
  type Intrinsics,
  isObject,
  Kind,
  type Native,
  SymbolToPrimitive,
  SymbolToStringTag,
  toString,
  type Value,
  wellKnownSymbols,
} from "../object/index.ts"
import { accessor, constructor, method, object, tag, value } from "./define.ts"

type PlainNative = Native<Machine>

/** https://tc39.es/ecma262/#sec-symbol-description */
const symbolConstructor: PlainNative = (m, _this, args, newTarget) => {
  if (newTarget !== undefined) throw m.typeError("Symbol is not a constructor")
  const description = args[0] === undefined ? undefined : toString(m, args[0])
  m.allocate(48)
  return Symbol(description)
}

/** https://tc39.es/ecma262/#sec-symbol.for */
const symbolFor: PlainNative = (m, _this, args) => {
  const key = toString(m, args[0])
  const known = m.realm.symbols.get(key)
  if (known !== undefined) return known
  m.allocate(128 + key.length)
  const symbol = Symbol(key)
  m.realm.symbols.set(key, symbol)
  return symbol
}

/** https://tc39.es/ecma262/#sec-symbol.keyfor — the key of a registered symbol is its description. */
const keyFor: PlainNative = (m, _this, args) => {
  const symbol = args[0]
  if (typeof symbol !== "symbol") {
    throw m.typeError(`${typeof symbol === "string" ? symbol : describe(symbol)} is not a symbol`)
  }
  const { description } = symbol
  return description !== undefined && m.realm.symbols.get(description) === symbol ? description : undefined
}

/** https://tc39.es/ecma262/#sec-thissymbolvalue */
const thisSymbolValue = (m: Machine, self: Value, name: string): symbol => {
  if (typeof self === "symbol") return self
  if (isObject(self) && self.kind === Kind.Symbol) return self.data as symbol
  throw m.typeError(`Symbol.prototype${name} requires that 'this' be a Symbol`)
}

/** https://tc39.es/ecma262/#sec-symboldescriptivestring */
const symbolToString: PlainNative = (m, self) => {
  const description = thisSymbolValue(m, self, ".toString").description ?? ""
  if (description.length > m.maxStringLength - 8) throw m.rangeError("Invalid string length")
  return `Symbol(${description})`
}

export const symbolIntrinsics: Intrinsics = {
  Symbol: constructor({
    name: "Symbol",
    length: 0,
    prototype: "SymbolPrototype",
    impl: symbolConstructor,
    members: [
      ...Object.entries(wellKnownSymbols).map(([name, symbol]) => value(name, symbol)),
      method("for", 1, symbolFor),
      method("keyFor", 1, keyFor),
    ],
  }),
  SymbolPrototype: object({
    name: "Symbol.prototype",
    constructor_: "Symbol",
    members: [
      accessor("description", (m, self) => thisSymbolValue(m, self, ".description").description),
      method("toString", 0, symbolToString),
      method("valueOf", 0, (m, self) => thisSymbolValue(m, self, ".valueOf")),
      method(SymbolToPrimitive, 1, (m, self) => thisSymbolValue(m, self, " [ @@toPrimitive ]"), {
        flags: Attribute.Configurable,
      }),
      tag(SymbolToStringTag, "Symbol"),
    ],
  }),
}
