import {
  describe,
  get,
  isObject,
  JSObject,
  Kind,
  type NativeData,
  newElements,
  rootShape,
  Special,
  Throw,
  type Value,
} from "../object/index.ts"
import { type AsyncRequest, Coroutine, CoroutineKind, CoroutineState, type Frame, PUSHED, Resume } from "./frame.ts"
import type { Machine } from "./machine.ts"
import { awaitPromise, newPromise, promiseResolve, rejectPromise, resolvePromise } from "./promise.ts"

/** The function's arguments are bound: makes the generator object and takes the frame off the stack. */
export const initialYield = (m: Machine, frame: Frame): JSObject => {
  const isAsync = frame.code!.template.isAsync
  const fallback = isAsync ? "AsyncGeneratorPrototype" : "GeneratorPrototype"
  const proto = get(m, frame.fn, "prototype")
  const shape = rootShape(m.realm.space, isObject(proto) ? proto : m.realm.intrinsic(fallback))
  const coroutine = new Coroutine(isAsync ? CoroutineKind.AsyncGenerator : CoroutineKind.Generator)
  m.allocate(160)
  const object = new JSObject(shape, newElements(), isAsync ? Kind.AsyncGenerator : Kind.Generator, coroutine)
  coroutine.object = object
  coroutine.frame = frame
  frame.coroutine = coroutine
  return object
}

// ---------------------------------------------------------------------------------------------------------------------
// Generators
// ---------------------------------------------------------------------------------------------------------------------

/** https://tc39.es/ecma262/#sec-generatorresume and https://tc39.es/ecma262/#sec-generatorresumeabrupt */
export const resumeGenerator = (
  m: Machine,
  generator: Value,
  mode: number,
  value: Value,
  dst: number,
): Value | typeof PUSHED => {
  if (!isObject(generator) || generator.kind !== Kind.Generator) {
    const name = mode === Resume.Next ? "next" : mode === Resume.Throw ? "throw" : "return"
    throw m.typeError(`${name} method called on incompatible receiver ${describe(generator)}`)
  }
  const coroutine: Coroutine = generator.data
  if (coroutine.state === CoroutineState.Running) throw m.typeError("Generator is already running")
  if (coroutine.state === CoroutineState.Start && mode !== Resume.Next) complete(coroutine)
  if (coroutine.state === CoroutineState.Completed) {
    if (mode === Resume.Throw) throw new Throw(value)
    return m.realm.newIteratorResult(mode === Resume.Next ? undefined : value, true)
  }
  const frame = coroutine.frame!
  const isStart = coroutine.state === CoroutineState.Start
  coroutine.state = CoroutineState.Running
  coroutine.frame = null
  frame.dst = dst
  m.push(frame)
  if (!isStart) deliver(m, frame, mode, value)
  return PUSHED
}

/** Whether a `for`-`of` loop can run the generator without result objects, because nothing between the two was patched. */
export const isPlainGenerator = (iterator: JSObject, next: Value): boolean => {
  if (iterator.kind !== Kind.Generator || !isObject(next) || next.kind !== Kind.Native) return false
  const { state } = iterator.data as Coroutine
  return (next.data as NativeData).definition.special === Special.GeneratorNext &&
    (state === CoroutineState.Suspended || state === CoroutineState.Start)
}

/** The next value of such a generator goes to `dst`; at its end the loop goes on at `loopEnd`. */
export const resumeInLoop = (m: Machine, iterator: JSObject, dst: number, loopEnd: number): void => {
  const coroutine: Coroutine = iterator.data
  const frame = coroutine.frame!
  if (coroutine.state === CoroutineState.Suspended) {
    if (frame.delegating) {
      frame.delegating = false
      frame.regs[frame.resumeRegister + 2] = Resume.Next
      frame.regs[frame.resumeRegister + 3] = undefined
    } else frame.regs[frame.resumeRegister] = undefined
    frame.pc = frame.resumeTarget
  }
  coroutine.state = CoroutineState.Running
  coroutine.frame = null
  coroutine.loopEnd = loopEnd
  frame.dst = dst
  m.push(frame)
}

const complete = (coroutine: Coroutine): void => {
  coroutine.state = CoroutineState.Completed
  coroutine.frame = null
}

/** Puts what a suspended frame is resumed with where its instruction expects it. The frame is on top. */
const deliver = (m: Machine, frame: Frame, mode: number, value: Value): void => {
  if (mode === Resume.Throw && !frame.delegating) m.pendingThrow(value)
  else if (frame.delegating) {
    frame.delegating = false
    frame.regs[frame.resumeRegister + 2] = mode
    frame.regs[frame.resumeRegister + 3] = value
    frame.pc = frame.resumeTarget
  } else {
    frame.regs[frame.resumeRegister] = value
    if (mode === Resume.Next) frame.pc = frame.resumeTarget
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Async functions
// ---------------------------------------------------------------------------------------------------------------------

/** https://tc39.es/ecma262/#await — the frame was taken off the stack; its job puts it back. */
export const suspendForAwait = (m: Machine, frame: Frame, value: Value): void => {
  const promise = promiseResolve(m, value)
  m.allocate(64)
  awaitPromise(m, promise, frame)
}

/** Goes on with a frame that awaited something. The stack is empty but for its bottom. */
export const resumeAwait = (m: Machine, frame: Frame, rejected: boolean, value: Value): void => {
  frame.dst = -1
  m.push(frame)
  const { coroutine } = frame
  if (coroutine !== null && coroutine.kind === CoroutineKind.AsyncGenerator) coroutine.state = CoroutineState.Running
  if (rejected) m.pendingThrow(value)
  else frame.regs[frame.resumeRegister] = value
}

// ---------------------------------------------------------------------------------------------------------------------
// Async generators
// ---------------------------------------------------------------------------------------------------------------------

/** https://tc39.es/ecma262/#sec-asyncgenerator-prototype-next and its siblings */
export const resumeAsyncGenerator = (
  m: Machine,
  generator: Value,
  mode: number,
  value: Value,
  dst: number,
): Value | typeof PUSHED => {
  const promise = newPromise(m)
  if (!isObject(generator) || generator.kind !== Kind.AsyncGenerator) {
    const name = mode === Resume.Next ? "next" : mode === Resume.Throw ? "throw" : "return"
    rejectPromise(
      m,
      promise,
      m.typeError(`${name} method called on incompatible receiver ${describe(generator)}`).value,
    )
    return promise
  }
  const coroutine: Coroutine = generator.data
  const request: AsyncRequest = { mode, value, promise }
  const { state } = coroutine
  if (state === CoroutineState.Running || state === CoroutineState.AwaitingReturn) {
    coroutine.queue.push(request)
    return promise
  }
  if (state === CoroutineState.Start && mode !== Resume.Next) complete(coroutine)
  if (coroutine.state === CoroutineState.Completed) {
    if (mode === Resume.Next) resolvePromise(m, promise, m.realm.newIteratorResult(undefined, true))
    else if (mode === Resume.Throw) rejectPromise(m, promise, value)
    else {
      coroutine.queue.push(request)
      awaitReturn(m, coroutine)
    }
    return promise
  }
  coroutine.queue.push(request)
  coroutine.caller = promise
  return resumeFrame(m, coroutine, request, dst)
}

/** https://tc39.es/ecma262/#sec-asyncgeneratorresume */
const resumeFrame = (m: Machine, coroutine: Coroutine, request: AsyncRequest, dst: number): typeof PUSHED => {
  const frame = coroutine.frame!
  const isStart = coroutine.state === CoroutineState.Start
  coroutine.state = CoroutineState.Running
  coroutine.frame = null
  frame.dst = dst
  m.push(frame)
  if (!isStart) deliver(m, frame, request.mode, request.value)
  return PUSHED
}

/**
 * https://tc39.es/ecma262/#sec-asyncgeneratoryield, after the value was awaited: answers the oldest request. If another
 * one waits, the generator goes on with it at once; otherwise it is suspended. Says whether it goes on.
 */
export const yieldAsync = (m: Machine, frame: Frame, value: Value): boolean => {
  const coroutine = frame.coroutine!
  const request = coroutine.queue.shift()!
  resolvePromise(m, request.promise, m.realm.newIteratorResult(value, false))
  const next = coroutine.queue[0]
  if (next !== undefined) {
    deliver(m, frame, next.mode, next.value)
    return true
  }
  coroutine.state = CoroutineState.Suspended
  coroutine.frame = frame
  return false
}

/** https://tc39.es/ecma262/#sec-asyncgeneratorstart, steps after the body is over. */
export const finishAsyncGenerator = (m: Machine, coroutine: Coroutine, threw: boolean, value: Value): void => {
  coroutine.frame = null
  coroutine.state = CoroutineState.AwaitingReturn
  const request = coroutine.queue.shift()!
  if (threw) rejectPromise(m, request.promise, value)
  else resolvePromise(m, request.promise, m.realm.newIteratorResult(value, true))
  drain(m, coroutine)
}

/** https://tc39.es/ecma262/#sec-asyncgeneratordrainqueue */
const drain = (m: Machine, coroutine: Coroutine): void => {
  for (;;) {
    const request = coroutine.queue[0]
    if (request === undefined) {
      coroutine.state = CoroutineState.Completed
      return
    }
    if (request.mode === Resume.Return) return awaitReturn(m, coroutine)
    coroutine.queue.shift()
    if (request.mode === Resume.Throw) rejectPromise(m, request.promise, request.value)
    else resolvePromise(m, request.promise, m.realm.newIteratorResult(undefined, true))
  }
}

/** https://tc39.es/ecma262/#sec-asyncgeneratorawaitreturn */
const awaitReturn = (m: Machine, coroutine: Coroutine): void => {
  coroutine.state = CoroutineState.AwaitingReturn
  const request = coroutine.queue[0]!
  let promise: JSObject
  try {
    promise = promiseResolve(m, request.value)
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    coroutine.queue.shift()
    rejectPromise(m, request.promise, error.value)
    drain(m, coroutine)
    return
  }
  awaitPromise(m, promise, coroutine)
}

/** The value of a `return` to a finished async generator has settled. */
export const returnSettled = (m: Machine, coroutine: Coroutine, rejected: boolean, value: Value): void => {
  const request = coroutine.queue.shift()!
  if (rejected) rejectPromise(m, request.promise, value)
  else resolvePromise(m, request.promise, m.realm.newIteratorResult(value, true))
  drain(m, coroutine)
}
