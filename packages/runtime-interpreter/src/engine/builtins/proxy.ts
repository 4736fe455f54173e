import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  defineNative,
  type Intrinsics,
  isCallable,
  isConstructor,
  isObject,
  JSObject,
  Kind,
  type Native,
  newElements,
  ProxyData,
  type Value,
} from "../object/index.ts"
import { constructor, method } from "./define.ts"

/** https://tc39.es/ecma262/#sec-proxycreate */
const proxyCreate = (m: Machine, target: Value, handler: Value): JSObject => {
  if (!isObject(target) || !isObject(handler)) {
    throw m.typeError("Cannot create proxy with a non-object as target or handler")
  }
  m.allocate(128)
  const data = new ProxyData(target, handler, isCallable(target as Value), isConstructor(target as Value))
  return new JSObject(m.realm.space.proxyRoot, newElements(), Kind.Proxy, data)
}

/** The state of a revoking function: its proxy, until it was called. */
interface RevokeState {
  proxy: JSObject | null
}

const revoke = defineNative("ProxyRevoke", 0, (_m, _this, _args, _newTarget, callee) => {
  const state: RevokeState = callee.data.state
  if (state.proxy === null) return undefined
  const data: ProxyData = state.proxy.data
  state.proxy = null
  data.target = null
  data.handler = null
  return undefined
}, { name: "" })

/** https://tc39.es/ecma262/#sec-proxy.revocable */
const revocable: Native<Machine> = (m, _this, args) => {
  const proxy = proxyCreate(m, args[0], args[1])
  const state: RevokeState = { proxy }
  m.allocate(192)
  const result = m.realm.newObject()
  addProperty(result, "proxy", proxy, Attribute.All)
  addProperty(result, "revoke", m.realm.newNative(revoke, state), Attribute.All)
  return result
}

export const proxyIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-proxy-target-handler */
  Proxy: constructor({
    name: "Proxy",
    length: 2,
    impl: (m, _this, args, newTarget) => {
      if (newTarget === undefined) throw m.typeError("Constructor Proxy requires 'new'")
      return proxyCreate(m, args[0], args[1])
    },
    members: [method("revocable", 2, revocable)],
  }),
}
