import type { Machine } from "../machine/machine.ts"
import { Attribute, type Intrinsics, type Native, Special, SymbolToStringTag } from "../object/index.ts"
import { asyncFromSyncIteratorPrototype } from "./async-from-sync-iterator.ts"
import { constructor, intrinsic, method, object, tag } from "./define.ts"
import { refuseText } from "./function.ts"

export { createAsyncFromSyncIterator } from "./async-from-sync-iterator.ts"

/** https://tc39.es/ecma262/#sec-createdynamicfunction, which programs do not have. */
const compileText: Native<Machine> = (m) => {
  throw refuseText(m)
}

/** The body of a method that the machine carries out itself, on its frames. */
const bySpecial: Native<Machine> = (_m, _self, _args, _newTarget, callee) => {
  throw new Error(`${callee.data.definition.id} is the machine's to carry out`)
}

/** A constructor of functions, which are made by syntax alone. */
const functionConstructor = (name: string) =>
  constructor({ name, length: 1, prototype: `${name}Prototype`, proto: "Function", impl: compileText })

/** The prototype of the functions of a kind, and through its `prototype` of what calling them gives. */
const functionPrototype = (name: string, instances?: string) =>
  object({
    name: `${name}.prototype`,
    proto: "FunctionPrototype",
    members: [
      intrinsic("constructor", name, Attribute.Configurable),
      ...(instances === undefined ? [] : [intrinsic("prototype", instances, Attribute.Configurable)]),
      tag(SymbolToStringTag, name),
    ],
  })

export const generatorIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-generatorfunction-constructor */
  GeneratorFunction: functionConstructor("GeneratorFunction"),
  GeneratorFunctionPrototype: functionPrototype("GeneratorFunction", "GeneratorPrototype"),
  /** https://tc39.es/ecma262/#sec-properties-of-generator-prototype */
  GeneratorPrototype: object({
    name: "%GeneratorPrototype%",
    proto: "IteratorPrototype",
    members: [
      intrinsic("constructor", "GeneratorFunctionPrototype", Attribute.Configurable),
      method("next", 1, bySpecial, { special: Special.GeneratorNext }),
      method("return", 1, bySpecial, { special: Special.GeneratorReturn }),
      method("throw", 1, bySpecial, { special: Special.GeneratorThrow }),
      tag(SymbolToStringTag, "Generator"),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-asyncgeneratorfunction-constructor */
  AsyncGeneratorFunction: functionConstructor("AsyncGeneratorFunction"),
  AsyncGeneratorFunctionPrototype: functionPrototype("AsyncGeneratorFunction", "AsyncGeneratorPrototype"),
  /** https://tc39.es/ecma262/#sec-properties-of-asyncgenerator-prototype */
  AsyncGeneratorPrototype: object({
    name: "%AsyncGeneratorPrototype%",
    proto: "AsyncIteratorPrototype",
    members: [
      intrinsic("constructor", "AsyncGeneratorFunctionPrototype", Attribute.Configurable),
      method("next", 1, bySpecial, { special: Special.AsyncGeneratorNext }),
      method("return", 1, bySpecial, { special: Special.AsyncGeneratorReturn }),
      method("throw", 1, bySpecial, { special: Special.AsyncGeneratorThrow }),
      tag(SymbolToStringTag, "AsyncGenerator"),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-async-function-constructor */
  AsyncFunction: functionConstructor("AsyncFunction"),
  AsyncFunctionPrototype: functionPrototype("AsyncFunction"),

  AsyncFromSyncIteratorPrototype: asyncFromSyncIteratorPrototype,
}
