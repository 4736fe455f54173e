import {
  addProperty,
  Attribute,
  call,
  type Calls,
  defineGeneratorNative,
  describe,
  getMethod,
  isObject,
  type JSObject,
  Kind,
  SymbolAsyncDispose,
  SymbolDispose,
  Throw,
  type Value,
} from "../object/index.ts"
import { start } from "./calls.ts"
import { captureStack } from "./errors.ts"
import type { PUSHED } from "./frame.ts"
import type { Machine } from "./machine.ts"
import { newPromise, rejectPromise, resolvePromise } from "./promise.ts"

/** https://tc39.es/ecma262/#sec-disposableresource-records */
export interface Resource {
  readonly value: Value
  readonly async: boolean
  /** Absent for an `await using` of null or undefined, which only waits. */
  readonly method: JSObject | undefined
}

/** https://tc39.es/ecma262/#sec-disposecapability-records — with whether what it belongs to was disposed of. */
export class DisposeCapability {
  disposed = false
  resources: Array<Resource> = []

  constructor(readonly brand: "DisposableStack" | "AsyncDisposableStack" | "block") {}
}

/** https://tc39.es/ecma262/#sec-adddisposableresource for what `using` and `use` are given. */
export const addDisposable = (m: Machine, capability: DisposeCapability, value: Value, async: boolean): void => {
  m.allocate(48)
  if (value === undefined || value === null) {
    if (async) capability.resources.push({ value: undefined, async, method: undefined })
    return
  }
  if (!isObject(value)) throw m.typeError(`${describe(value)} is not an object, and cannot be disposed of`)
  const method = disposeMethod(m, value, async)
  if (method === undefined) {
    throw m.typeError(`${describe(value)} has no method [Symbol.${async ? "asyncDispose" : "dispose"}]`)
  }
  capability.resources.push({ value, async, method })
}

/** https://tc39.es/ecma262/#sec-adddisposableresource where the method is given. */
export const addDisposer = (m: Machine, capability: DisposeCapability, method: JSObject, async: boolean): void => {
  m.allocate(48)
  capability.resources.push({ value: undefined, async, method })
}

/** https://tc39.es/ecma262/#sec-getdisposemethod */
const disposeMethod = (m: Machine, value: JSObject, async: boolean): JSObject | undefined => {
  if (!async) return getMethod(m, value, SymbolDispose)
  const method = getMethod(m, value, SymbolAsyncDispose)
  if (method !== undefined) return method
  const sync = getMethod(m, value, SymbolDispose)
  return sync === undefined ? undefined : m.realm.newNative(disposeLater, { method: sync })
}

/** Disposes synchronously, and tells it with a promise. */
const disposeLater = defineGeneratorNative("DisposeLater", 0, function*(m: Machine, self, _args, _newTarget, callee) {
  const promise = newPromise(m)
  try {
    yield call(callee.data.state.method, self, [])
    resolvePromise(m, promise, undefined)
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    rejectPromise(m, promise, error.value)
  }
  return promise
}, { name: "" })

/** A `SuppressedError`: `error` came while `suppressed` was already on its way. */
export const newSuppressedError = (m: Machine, error: Value, suppressed: Value): JSObject => {
  m.allocate(256)
  const o = m.realm.newObjectOf(Kind.Error, "SuppressedErrorPrototype", undefined)
  addProperty(o, "error", error, Attribute.Hidden)
  addProperty(o, "suppressed", suppressed, Attribute.Hidden)
  captureStack(m, o)
  return o
}

/** https://tc39.es/ecma262/#sec-disposeresources where no resource is an asynchronous one and nothing was thrown before. */
export function* disposeResources(m: Machine, capability: DisposeCapability): Calls<void> {
  let thrown: Throw | undefined
  for (let resource = capability.resources.pop(); resource !== undefined; resource = capability.resources.pop()) {
    try {
      yield call(resource.method, resource.value, [])
    } catch (error) {
      if (!(error instanceof Throw)) throw error
      thrown = thrown === undefined ? error : new Throw(newSuppressedError(m, error.value, thrown.value))
    }
  }
  if (thrown !== undefined) throw thrown
}

/** The resources of a block while it runs and while they are disposed of. */
export class BlockResources extends DisposeCapability {
  /** An `await using` of nothing has to wait once, unless something else waits. */
  needsAwait = false
  hasAwaited = false
  /** Whether what was disposed of last is awaited. */
  awaitNext = false

  constructor() {
    super("block")
  }
}

/** Where nothing is left to dispose of. Never a guest value. */
export const DISPOSED: unique symbol = Symbol("disposed")

/** https://tc39.es/ecma262/#sec-disposeresources for the newest resource of a block. */
export const disposeNext = (
  m: Machine,
  block: BlockResources,
  dst: number,
): Value | typeof PUSHED | typeof DISPOSED => {
  const { resources } = block
  block.awaitNext = false
  for (;;) {
    const resource = resources.at(-1)
    if (block.needsAwait && !block.hasAwaited && (resource === undefined || !resource.async)) {
      block.needsAwait = false
      block.awaitNext = true
      return undefined
    }
    if (resource === undefined) return DISPOSED
    resources.pop()
    if (resource.method === undefined) {
      block.needsAwait = true
      continue
    }
    if (resource.async) block.awaitNext = block.hasAwaited = true
    return start(m, resource.method, resource.value, [], undefined, dst)
  }
}
