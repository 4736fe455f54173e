import { FunctionKind } from "../compile/template.ts"
import {
  Accessor,
  type BoundData,
  call,
  describe,
  type GeneratorNative,
  getMethod,
  isCallable,
  isConstructor,
  isObject,
  JSObject,
  Kind,
  listFromArrayLike,
  type Native,
  type NativeData,
  newElements,
  prototypeFromConstructor,
  type ProxyData,
  RepeatedCalls,
  rootShape,
  Special,
  type Steps,
  type Value,
} from "../object/index.ts"
import { resumeAsyncGenerator, resumeGenerator } from "./coroutines.ts"
import { currentExpression, errorAbout } from "./errors.ts"
import { Coroutine, CoroutineKind, Frame, FrameType, NO_FRAME, PUSHED, Resume } from "./frame.ts"
import type { ClosureData, FunctionCode } from "./function.ts"
import type { Machine } from "./machine.ts"
import { newPromise } from "./promise.ts"

/**
 * Starts a call of any function. A built-in that runs to its end has its value answered at once; anything else becomes a
 * frame above the current one, whose result will go to the register `dst` of the current frame.
 */
export const start = (
  m: Machine,
  fn: Value,
  thisValue: Value,
  args: Array<Value>,
  newTarget: JSObject | undefined,
  dst: number,
): Value | typeof PUSHED => {
  for (;;) {
    if (!isObject(fn)) throw m.typeError(`${describe(fn)} is not a function`)
    switch (fn.kind) {
      case Kind.Closure:
        pushClosure(m, fn, thisValue, args, newTarget, dst)
        return PUSHED
      case Kind.Native: {
        const { definition } = fn.data as NativeData
        if (newTarget !== undefined && !definition.constructor_) {
          throw m.typeError(`${definition.name} is not a constructor`)
        }
        if (definition.generator) {
          const frame = new Frame(FrameType.Native, null, NO_REGISTERS, fn, thisValue, newTarget)
          frame.dst = dst
          // The meter sees what the built-in works on.
          frame.args = args
          frame.native = (definition.impl as GeneratorNative)(m, thisValue, args, newTarget, fn)
          if (frame.native instanceof RepeatedCalls) frame.repeated = frame.native
          m.push(frame)
          return PUSHED
        }
        switch (definition.special) {
          case Special.None: {
            const value = (definition.impl as Native)(m, thisValue, args, newTarget, fn)
            if (value === PUSHED) m.frame.dst = dst
            return value
          }
          case Special.FunctionCall:
            if (!isCallable(thisValue)) {
              throw m.typeError("Function.prototype.call was called on a value that is not a function")
            }
            fn = thisValue
            thisValue = args[0]
            args = args.slice(1)
            continue
          case Special.FunctionApply:
            if (!isCallable(thisValue)) {
              throw m.typeError("Function.prototype.apply was called on a value that is not a function")
            }
            fn = thisValue
            thisValue = args[0]
            args = args[1] === undefined || args[1] === null ? [] : listFromArrayLike(m, args[1])
            continue
          case Special.ReflectApply: {
            const target = args[0]
            if (!isCallable(target)) {
              throw m.typeError("Function.prototype.apply was called on a value that is not a function")
            }
            const list = listFromArrayLike(m, args[2])
            thisValue = args[1]
            fn = target
            args = list
            continue
          }
          case Special.ReflectConstruct: {
            const target = args[0]
            if (!isConstructor(target)) throw m.typeError(`${describe(target)} is not a constructor`)
            const constructor = args.length > 2 ? args[2] : target
            if (!isConstructor(constructor)) throw m.typeError(`${describe(constructor)} is not a constructor`)
            args = listFromArrayLike(m, args[1])
            fn = target
            newTarget = constructor
            thisValue = undefined
            continue
          }
          case Special.GeneratorNext:
            return resumeGenerator(m, thisValue, Resume.Next, args[0], dst)
          case Special.GeneratorReturn:
            return resumeGenerator(m, thisValue, Resume.Return, args[0], dst)
          case Special.GeneratorThrow:
            return resumeGenerator(m, thisValue, Resume.Throw, args[0], dst)
          case Special.AsyncGeneratorNext:
            return resumeAsyncGenerator(m, thisValue, Resume.Next, args[0], dst)
          case Special.AsyncGeneratorReturn:
            return resumeAsyncGenerator(m, thisValue, Resume.Return, args[0], dst)
          default:
            return resumeAsyncGenerator(m, thisValue, Resume.Throw, args[0], dst)
        }
      }
      case Kind.Bound: {
        const bound: BoundData = fn.data
        m.charge(1 + (bound.args.length === 0 ? 0 : bound.args.length + args.length))
        args = bound.args.length === 0 ? args : [...bound.args, ...args]
        if (newTarget === fn) newTarget = bound.target
        thisValue = bound.thisValue
        fn = bound.target
        continue
      }
      case Kind.Proxy: {
        const { callable, constructor_, handler, target } = fn.data as ProxyData
        const trapName = newTarget === undefined ? "apply" : "construct"
        if (!(newTarget === undefined ? callable : constructor_)) throw m.typeError("proxy is not a function")
        if (target === null || handler === null) {
          throw m.typeError(`Cannot perform '${trapName}' on a proxy that has been revoked`)
        }
        m.charge(8)
        const trap = getMethod(m, handler, trapName)
        if (trap === undefined) {
          fn = target
          continue
        }
        if (newTarget === undefined) {
          args = [target, thisValue, m.realm.newArray(args)]
          fn = trap
          thisValue = handler
          continue
        }
        const frame = new Frame(FrameType.Native, null, NO_REGISTERS, fn, handler, newTarget)
        frame.dst = dst
        frame.native = constructThrough(m, trap, handler, [target, m.realm.newArray(args), newTarget])
        m.push(frame)
        return PUSHED
      }
      default: {
        const text = currentExpression(m)
        throw errorAbout(m, fn, text, `${text ?? describe(fn)} is not a function`)
      }
    }
  }
}

const NO_REGISTERS: Array<Value> = []

/** What a frame takes without its registers. */
export const FRAME_BYTES = 200

/**
 * Has a plain built-in go on in steps, between which the machine can stop: what it answers where its work may be long. The meter
 * sees what it works on as `held`.
 */
export const inSteps = (m: Machine, held: Array<unknown>, steps: Steps): Value => {
  const frame = new Frame(FrameType.Native, null, NO_REGISTERS, null, undefined, undefined)
  frame.held = held
  frame.native = steps
  if (steps instanceof RepeatedCalls) frame.repeated = steps
  m.push(frame)
  return PUSHED
}

function* constructThrough(
  m: Machine,
  trap: JSObject,
  handler: JSObject,
  args: Array<Value>,
): Generator<any, Value, Value> {
  const result = yield call(trap, handler, args)
  if (!isObject(result)) throw m.typeError("proxy [[Construct]] must return an object")
  return result
}

/** Pushes the frame of a compiled function. */
const pushClosure = (
  m: Machine,
  fn: JSObject,
  thisValue: Value,
  args: Array<Value>,
  newTarget: JSObject | undefined,
  dst: number,
): void => {
  const data: ClosureData = fn.data
  const { code } = data
  const { template } = code
  const { parameterCount } = template
  const count = args.length < parameterCount ? args.length : parameterCount
  if (newTarget === undefined) {
    if (template.kind === FunctionKind.ClassConstructor || template.kind === FunctionKind.DerivedConstructor) {
      throw m.typeError(`Class constructor ${template.name} cannot be invoked without 'new'`)
    }
  } else if (!template.constructor_) {
    throw m.typeError(`${template.name || "(intermediate value)"} is not a constructor`)
  } else if (template.kind !== FunctionKind.DerivedConstructor) {
    thisValue = newInstance(m, newTarget)
    m.allocate(80)
  }
  if (template.reusable) {
    const frame = frameFor(m, m.frame, fn, code)
    const { regs } = frame
    frame.thisValue = thisValue
    frame.newTarget = newTarget
    frame.dst = dst
    frame.pc = 0
    for (let i = 0; i < count; i++) regs[i] = args[i]
    for (let i = count; i < parameterCount; i++) regs[i] = undefined
    m.enter(frame)
    return
  }
  m.allocate(FRAME_BYTES + template.blank.length * 8)
  const regs = template.blank.slice()
  for (let i = 0; i < count; i++) regs[i] = args[i]
  const fresh = new Frame(FrameType.Guest, code, regs, fn, thisValue, newTarget)
  fresh.dst = dst
  if (template.keepsArguments) fresh.args = args
  if (template.isAsync && !template.isGenerator) {
    const coroutine = new Coroutine(CoroutineKind.Async)
    coroutine.promise = coroutine.caller = newPromise(m)
    fresh.coroutine = coroutine
  }
  m.push(fresh)
}

/**
 * The frame for a call of the function `fn` with this code, which keeps none, from the frame `parent`: one of the last two such calls, a
 * finished one, or a new one. Constants are still in its registers, and variables are written before they are read.
 */
export const frameFor = (m: Machine, parent: Frame, fn: JSObject, code: FunctionCode): Frame => {
  const known = parent.child.code === code ? parent.child : parent.other
  if (known.code === code) {
    if (known.fn !== fn) known.changeTo(fn)
    return known
  }
  if (parent.depth >= m.maxDepth) throw m.rangeError("Maximum call stack size exceeded")
  let frame = code.free
  if (frame !== null) {
    code.free = frame.parent === NO_FRAME ? null : frame.parent
    frame.changeTo(fn)
  } else {
    const { blank } = code.template
    m.allocate(FRAME_BYTES + blank.length * 8)
    frame = new Frame(FrameType.Guest, code, blank.slice(), fn, undefined, undefined)
  }
  parent.keep(frame)
  return frame
}

/** The same for a call of a getter without arguments; null for one that is no simple compiled function. */
export const frameForGetter = (m: Machine, parent: Frame, { get: getter }: Accessor): Frame | null => {
  if (getter === undefined || getter.kind !== Kind.Closure) return null
  const { code } = getter.data as ClosureData
  return code.arity === 0 ? frameFor(m, parent, getter, code) : null
}

/** Pushes the frame of a plain constructor, for the new target that it is itself; the arguments are in registers from `first` on. */
export const enterConstructor = (
  m: Machine,
  fn: JSObject,
  registers: ReadonlyArray<Value>,
  first: number,
  count: number,
  dst: number,
): void => {
  const { code } = fn.data as ClosureData
  const { template } = code
  const { parameterCount } = template
  const self = newInstance(m, fn)
  m.allocate(80)
  const frame = frameFor(m, m.frame, fn, code)
  const { regs } = frame
  frame.thisValue = self
  frame.newTarget = fn
  frame.dst = dst
  frame.pc = 0
  for (let i = 0; i < parameterCount; i++) regs[i] = i < count ? registers[first + i] : undefined
  m.enter(frame)
}

const newInstance = (m: Machine, newTarget: JSObject): JSObject =>
  new JSObject(
    instanceShape(m, newTarget),
    newTarget.kind === Kind.Closure ? (newTarget.data as ClosureData).slots.slice() : newElements(),
    Kind.Ordinary,
    undefined,
  )

/** So many places at most are made ready for the properties of a new object. */
const MAX_READY_SLOTS = 32

/** Remembers how many properties a constructor gives its objects, so that the next one has room for them from the start. */
export const noteInstance = (newTarget: JSObject, instance: Value): void => {
  if (newTarget.kind !== Kind.Closure || !isObject(instance)) return
  const data: ClosureData = newTarget.data
  const { count } = instance.shape
  if (count > data.slots.length && count <= MAX_READY_SLOTS) data.slots = Array.from({ length: count }, () => undefined)
}

/** The shape of what a constructor makes, by the `prototype` of the new target. */
const instanceShape = (m: Machine, newTarget: JSObject) => {
  if (newTarget.kind === Kind.Closure) {
    const data: ClosureData = newTarget.data
    const { shape } = newTarget
    if (shape === data.ownShape && newTarget.slots[data.prototypeSlot] === data.instancePrototype) {
      return data.instanceShape!
    }
    const slot = shape.lookup("prototype")
    if (slot >= 0) {
      const proto = newTarget.slots[slot]
      if (isObject(proto) && !(proto instanceof Accessor)) {
        data.ownShape = shape
        data.prototypeSlot = slot
        if (data.instancePrototype === proto) return data.instanceShape!
        data.instancePrototype = proto
        return data.instanceShape = rootShape(m.realm.space, proto)
      }
    }
  }
  return rootShape(m.realm.space, prototypeFromConstructor(m, newTarget, "ObjectPrototype"))
}
