import type * as acorn from "acorn"
import type { Steps } from "../parse/steps.ts"
import type { FunctionBuilder } from "./builder.ts"
import { expression } from "./expressions.ts"
import { methodKey } from "./literals.ts"
import { enter, leave, load, store } from "./names.ts"
import { Op } from "./opcodes.ts"
import { Stretches } from "./pieces.ts"
import { computedKeyName, privateFunctionName } from "./scope.ts"
import { FunctionKind } from "./template.ts"

const afterStatic = /static(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y

/** Where the text of a method begins: `static` is no part of it. */
const methodStart = (f: FunctionBuilder, method: acorn.MethodDefinition): number => {
  if (!method.static) return method.start
  afterStatic.lastIndex = method.start
  return afterStatic.test(f.source.code) ? afterStatic.lastIndex : method.start
}

/** https://tc39.es/ecma262/#sec-runtime-semantics-classdefinitionevaluation */
export function* class_(f: FunctionBuilder, node: acorn.Class, dst: number, outerName = ""): Steps<void> {
  const info = f.analysis.classes.get(node)!
  const mark = f.top
  enter(f, info.scope)
  const name = node.id?.name ?? outerName
  const privateNames = new Set<string>()
  const naming = new Stretches(f)
  for (const element of node.body.body) {
    if (naming.isDue(element)) yield
    if (element.type === "StaticBlock" || element.key.type !== "PrivateIdentifier") continue
    // An accessor pair shares one name.
    const privateName = `#${element.key.name}`
    if (privateNames.has(privateName)) continue
    privateNames.add(privateName)
    const top = f.top
    const register = f.temporary()
    f.emit(Op.NewPrivateName, register, f.constant(privateName))
    store(f, info.scope.names.get(privateName)!, register, "initialize")
    f.top = top
  }
  naming.end()
  // The constructor, then the prototype.
  const pair = f.temporaries(2)
  const [ctor, proto] = [pair, pair + 1]
  const heritage = node.superClass == null ? -1 : expression(f, node.superClass, f.temporary())
  const method = node.body.body.find((element) =>
    element.type === "MethodDefinition" && element.kind === "constructor"
  ) as
    | acorn.MethodDefinition
    | undefined
  const kind = node.superClass == null ? FunctionKind.ClassConstructor : FunctionKind.DerivedConstructor
  const fn = f.temporary()
  if (method !== undefined) {
    f.gen.closure(f, method.value, fn, {
      kind,
      name,
      start: node.start,
      end: node.end,
      hasFields: info.instance !== null,
    })
  } else f.gen.defaultConstructor(f, node, fn, kind, name, info.instance !== null)
  f.emit(Op.Move, ctor, fn)
  if (node.superClass) f.at(node.superClass)
  f.emit(Op.NewClass, pair, heritage)
  f.top = pair + 2
  const pace = new Stretches(f)
  for (const element of node.body.body) {
    if (pace.isDue(element)) yield
    const top = f.top
    if (element.type === "StaticBlock" || element === method) continue
    const home = element.static ? ctor : proto
    if (element.type === "PropertyDefinition") {
      if (element.computed) {
        const raw = expression(f, element.key)
        const key = f.temporary()
        f.at(element.key)
        f.emit(Op.ToKey, key, raw)
        store(f, info.scope.names.get(computedKeyName(element))!, key, "initialize")
      }
    } else {
      const fnKind = element.kind === "method" ? FunctionKind.Method : FunctionKind.Getter
      if (element.key.type === "PrivateIdentifier") {
        const register = f.temporary()
        const prefix = element.kind === "method" ? "" : `${element.kind} `
        f.gen.closure(f, element.value, register, {
          kind: fnKind,
          name: `${prefix}#${element.key.name}`,
          start: methodStart(f, element),
          end: element.end,
        })
        f.emit(Op.SetHome, register, home)
        if (element.static) {
          const key = load(f, `#${element.key.name}`, element)
          f.emit(Op.DefinePrivate, ctor, key, register, element.kind === "get" ? 2 : element.kind === "set" ? 3 : 1)
        } else store(f, info.scope.names.get(privateFunctionName(element))!, register, "initialize")
      } else {
        const key = methodKey(f, element)
        const register = f.temporary()
        f.gen.closure(f, element.value, register, {
          kind: fnKind,
          name: key.name,
          start: methodStart(f, element),
          end: element.end,
        })
        const prefix = element.kind === "get" ? 2 : element.kind === "set" ? 4 : 0
        if (element.computed) {
          f.emit(Op.SetFunctionName, register, key.register, f.constant(prefix === 0 ? "" : element.kind))
        }
        f.at(element)
        f.emit(Op.DefineMethod, home, key.register, register, prefix)
      }
    }
    f.top = top
  }
  pace.end()
  if (node.id != null) store(f, info.scope.names.get(node.id.name)!, ctor, "initialize")
  if (info.instance !== null) {
    const register = f.temporary()
    f.gen.closure(f, info.instance, register, {})
    f.emit(Op.SetHome, register, proto)
    f.emit(Op.SetFields, ctor, register)
  }
  if (info.static !== null) {
    const base = f.temporaries(2)
    f.gen.closure(f, info.static, base, {})
    f.emit(Op.SetHome, base, ctor)
    f.emit(Op.Move, base + 1, ctor)
    f.emit(Op.Call, base, base, 1, 0)
  }
  f.emit(Op.Move, dst, ctor)
  leave(f, info.scope, mark)
}
