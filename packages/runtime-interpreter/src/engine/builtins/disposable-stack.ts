import {
  addDisposable,
  addDisposer,
  DisposeCapability,
  disposeResources,
  newSuppressedError,
} from "../machine/disposal.ts"
import type { Machine } from "../machine/machine.ts"
import { newPromise, performThen, promiseResolve, rejectPromise, resolvePromise } from "../machine/promise.ts"
import {
  call,
  type Calls,
  createFromConstructor,
  defineGeneratorNative,
  describe,
  type GeneratorNative,
  type Intrinsics,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  type Native,
  SymbolAsyncDispose,
  SymbolDispose,
  SymbolToStringTag,
  Throw,
  type Value,
} from "../object/index.ts"
import { accessor, alias, constructor, generatorMethod, type Member, method, object, tag } from "./define.ts"

type PlainNative = Native<Machine>
type Brand = "DisposableStack" | "AsyncDisposableStack"

const capabilityOf = (value: Value, brand: Brand): DisposeCapability | undefined =>
  isObject(value) && value.kind === Kind.Internal && value.data.brand === brand ? value.data : undefined

const requireStack = (m: Machine, self: Value, brand: Brand, name: string): DisposeCapability => {
  const capability = capabilityOf(self, brand)
  if (capability !== undefined) return capability
  throw m.typeError(`Method ${brand}.prototype.${name} called on incompatible receiver ${describe(self)}`)
}

const requirePending = (m: Machine, self: Value, brand: Brand, name: string): DisposeCapability => {
  const capability = requireStack(m, self, brand, name)
  if (capability.disposed) throw m.referenceError(`Cannot call ${brand}.prototype.${name} on an already-disposed stack`)
  return capability
}

const requireDisposer = (m: Machine, value: Value): JSObject => {
  if (isCallable(value)) return value
  throw m.typeError(`${describe(value)} is not a function`)
}

/** Disposes of a value with the program's function. */
const adopted = defineGeneratorNative("DisposeAdopted", 0, function*(_m, _this, _args, _newTarget, callee) {
  const state: { readonly value: Value; readonly onDispose: JSObject } = callee.data.state
  return yield call(state.onDispose, undefined, [state.value])
}, { name: "" })

/** https://tc39.es/ecma262/#sec-disposablestack.prototype.dispose */
const dispose: GeneratorNative<Machine> = function*(m, self) {
  const capability = requireStack(m, self, "DisposableStack", "dispose")
  if (capability.disposed) return undefined
  capability.disposed = true
  yield* disposeResources(m, capability)
  return undefined
}

/** An asynchronous stack while it is being disposed of. */
interface Disposal {
  readonly capability: DisposeCapability
  readonly promise: JSObject
  thrown: { readonly value: Value } | null
  needsAwait: boolean
  hasAwaited: boolean
}

const suppress = (m: Machine, disposal: Disposal, error: unknown): void => {
  if (!(error instanceof Throw)) throw error
  const { thrown } = disposal
  disposal.thrown = { value: thrown === null ? error.value : newSuppressedError(m, error.value, thrown.value) }
}

const wait = (m: Machine, disposal: Disposal, value: Value): void => {
  const promise = promiseResolve(m, value)
  performThen(m, promise, m.realm.newNative(onFulfilled, disposal), m.realm.newNative(onRejected, disposal), undefined)
}

/** https://tc39.es/ecma262/#sec-disposeresources from the last resource that is left to where it has to wait, or to its end. */
function* disposeUntilWait(m: Machine, disposal: Disposal): Calls<void> {
  const { resources } = disposal.capability
  for (let resource = resources.pop(); resource !== undefined; resource = resources.pop()) {
    if (resource.method === undefined) {
      disposal.needsAwait = true
      continue
    }
    try {
      wait(m, disposal, yield call(resource.method, resource.value, []))
      return
    } catch (error) {
      suppress(m, disposal, error)
    }
  }
  if (disposal.needsAwait && !disposal.hasAwaited) {
    disposal.needsAwait = false
    return wait(m, disposal, undefined)
  }
  if (disposal.thrown !== null) rejectPromise(m, disposal.promise, disposal.thrown.value)
  else resolvePromise(m, disposal.promise, undefined)
}

const onFulfilled = defineGeneratorNative(
  "DisposeFulfilled",
  1,
  function*(m: Machine, _this, _args, _newTarget, callee) {
    const disposal: Disposal = callee.data.state
    disposal.hasAwaited = true
    yield* disposeUntilWait(m, disposal)
    return undefined
  },
  { name: "" },
)

const onRejected = defineGeneratorNative("DisposeRejected", 1, function*(m: Machine, _this, args, _newTarget, callee) {
  const disposal: Disposal = callee.data.state
  disposal.hasAwaited = true
  suppress(m, disposal, new Throw(args[0]))
  yield* disposeUntilWait(m, disposal)
  return undefined
}, { name: "" })

/** https://tc39.es/ecma262/#sec-asyncdisposablestack.prototype.disposeAsync */
const disposeAsync: GeneratorNative<Machine> = function*(m, self) {
  const promise = newPromise(m)
  const capability = capabilityOf(self, "AsyncDisposableStack")
  if (capability === undefined) {
    const message = `Method AsyncDisposableStack.prototype.disposeAsync called on incompatible receiver ${
      describe(self)
    }`
    rejectPromise(m, promise, m.typeError(message).value)
  } else if (capability.disposed) resolvePromise(m, promise, undefined)
  else {
    capability.disposed = true
    yield* disposeUntilWait(m, { capability, promise, thrown: null, needsAwait: false, hasAwaited: false })
  }
  return promise
}

/** https://tc39.es/ecma262/#sec-disposablestack and https://tc39.es/ecma262/#sec-asyncdisposablestack */
const construct = (brand: Brand): PlainNative => (m, _this, _args, newTarget) => {
  if (newTarget === undefined) throw m.typeError(`Constructor ${brand} requires 'new'`)
  m.allocate(128)
  return createFromConstructor(m, newTarget, `${brand}Prototype`, Kind.Internal, new DisposeCapability(brand))
}

/** The methods that both kinds of stacks have. */
const shared = (brand: Brand): ReadonlyArray<Member> => {
  const async = brand === "AsyncDisposableStack"
  /** https://tc39.es/ecma262/#sec-disposablestack.prototype.adopt */
  const adopt: PlainNative = (m, self, args) => {
    const capability = requirePending(m, self, brand, "adopt")
    const [value] = args
    const onDispose = requireDisposer(m, args[1])
    m.allocate(128)
    addDisposer(m, capability, m.realm.newNative(adopted, { value, onDispose }), async)
    return value
  }
  /** https://tc39.es/ecma262/#sec-disposablestack.prototype.defer */
  const defer: PlainNative = (m, self, args) => {
    const capability = requirePending(m, self, brand, "defer")
    addDisposer(m, capability, requireDisposer(m, args[0]), async)
    return undefined
  }
  /** https://tc39.es/ecma262/#sec-disposablestack.prototype.move */
  const move: PlainNative = (m, self) => {
    const capability = requirePending(m, self, brand, "move")
    m.allocate(128)
    const moved = new DisposeCapability(brand)
    moved.resources = capability.resources
    capability.resources = []
    capability.disposed = true
    return m.realm.newObjectOf(Kind.Internal, `${brand}Prototype`, moved)
  }
  /** https://tc39.es/ecma262/#sec-disposablestack.prototype.use */
  const use: PlainNative = (m, self, args) => {
    addDisposable(m, requirePending(m, self, brand, "use"), args[0], async)
    return args[0]
  }
  return [
    method("adopt", 2, adopt),
    method("defer", 1, defer),
    async ? generatorMethod("disposeAsync", 0, disposeAsync) : generatorMethod("dispose", 0, dispose),
    accessor("disposed", (m, self) => requireStack(m, self, brand, "disposed").disposed),
    method("move", 0, move),
    method("use", 1, use),
    async ? alias(SymbolAsyncDispose, "disposeAsync") : alias(SymbolDispose, "dispose"),
    tag(SymbolToStringTag, brand),
  ]
}

export const disposableStackIntrinsics: Intrinsics = {
  DisposableStack: constructor({
    name: "DisposableStack",
    length: 0,
    prototype: "DisposableStackPrototype",
    impl: construct("DisposableStack"),
  }),
  DisposableStackPrototype: object({
    name: "DisposableStack.prototype",
    constructor_: "DisposableStack",
    members: shared("DisposableStack"),
  }),
  AsyncDisposableStack: constructor({
    name: "AsyncDisposableStack",
    length: 0,
    prototype: "AsyncDisposableStackPrototype",
    impl: construct("AsyncDisposableStack"),
  }),
  AsyncDisposableStackPrototype: object({
    name: "AsyncDisposableStack.prototype",
    constructor_: "AsyncDisposableStack",
    members: shared("AsyncDisposableStack"),
  }),
}
