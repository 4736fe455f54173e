import {
  type Agent,
  type Calls,
  construct,
  defineNative,
  get,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  requireConstructor,
  Throw,
  type Value,
} from "../object/index.ts"
import type { Coroutine, Frame } from "./frame.ts"
import type { Machine } from "./machine.ts"
import type { ToolCall } from "./tool-call.ts"

export const enum PromiseState {
  Pending = 0,
  Fulfilled = 1,
  Rejected = 2,
}

/** https://tc39.es/ecma262/#table-internal-slots-of-promise-instances */
export class PromiseData {
  state: number = PromiseState.Pending
  /** The result, once settled. */
  value: Value = undefined
  reactions: Array<Reaction> | null = null
  /** Whether something would notice a rejection. */
  handled = false
  /** Whether one of its resolving functions was called. */
  resolved = false
  /** For the promise of a tool call: which. */
  call: ToolCall | null = null
}

/** https://tc39.es/ecma262/#sec-promisecapability-records */
export interface PromiseCapability {
  readonly promise: JSObject
  /** Absent for a promise of the realm's own constructor, which is settled directly. */
  readonly resolve?: Value
  readonly reject?: Value
}

/** https://tc39.es/ecma262/#sec-promisereaction-records — both directions in one record. */
export class Reaction {
  constructor(
    readonly capability: PromiseCapability | undefined,
    readonly onFulfilled: JSObject | undefined,
    readonly onRejected: JSObject | undefined,
    /** A suspended function to go on with, or a generator whose `return` waits, instead of handlers. */
    readonly frame: Frame | Coroutine | null,
  ) {}
}

/** A unit of the job queue. */
export type Job =
  /** https://tc39.es/ecma262/#sec-newpromisereactionjob */
  | { readonly type: "reaction"; readonly reaction: Reaction; readonly rejected: boolean; readonly value: Value }
  /** https://tc39.es/ecma262/#sec-newpromiseresolvethenablejob */
  | { readonly type: "thenable"; readonly promise: JSObject; readonly thenable: JSObject; readonly then: JSObject }
  /** A callback of `queueMicrotask` or of a timer. */
  | { readonly type: "callback"; readonly fn: Value; readonly args: Array<Value> }

export const isPromise = (value: unknown): value is JSObject =>
  isObject(value) && (value as JSObject).kind === Kind.Promise

/** A pending promise of the realm's own constructor. */
export const newPromise = (m: Agent): JSObject => {
  m.allocate(176)
  return m.realm.newObjectOf(Kind.Promise, "PromisePrototype", new PromiseData())
}

const settle = (m: Machine, promise: JSObject, state: number, value: Value): void => {
  const data: PromiseData = promise.data
  const reactions = data.reactions
  data.state = state
  data.value = value
  data.reactions = null
  if (state === PromiseState.Rejected && !data.handled) m.trackRejection(promise)
  if (reactions !== null) {
    for (const reaction of reactions) {
      m.enqueue({ type: "reaction", reaction, rejected: state === PromiseState.Rejected, value })
    }
  }
}

/** https://tc39.es/ecma262/#sec-fulfillpromise */
export const fulfillPromise = (m: Machine, promise: JSObject, value: Value): void =>
  settle(m, promise, PromiseState.Fulfilled, value)

/** https://tc39.es/ecma262/#sec-rejectpromise */
export const rejectPromise = (m: Machine, promise: JSObject, reason: Value): void =>
  settle(m, promise, PromiseState.Rejected, reason)

/** https://tc39.es/ecma262/#sec-promise-resolve-functions, steps 7 on: settles, or follows a thenable. */
export const resolvePromise = (m: Machine, promise: JSObject, resolution: Value): void => {
  if (resolution === promise) {
    return rejectPromise(m, promise, m.typeError("Chaining cycle detected for promise #<Promise>").value)
  }
  if (!isObject(resolution)) return fulfillPromise(m, promise, resolution)
  let then: Value
  try {
    then = get(m, resolution, "then")
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    return rejectPromise(m, promise, error.value)
  }
  if (!isCallable(then)) return fulfillPromise(m, promise, resolution)
  m.enqueue({ type: "thenable", promise, thenable: resolution, then })
}

/** Whether both resolving functions of a pair were used up is shared by the pair. */
export interface ResolvingState {
  readonly promise: JSObject
  done: boolean
}

const resolveDefinition = defineNative("PromiseResolve", 1, (m: Machine, _self, args, _newTarget, callee) => {
  const state: ResolvingState = callee.data.state
  if (!state.done) {
    state.done = true
    resolvePromise(m, state.promise, args[0])
  }
  return undefined
}, { name: "" })

const rejectDefinition = defineNative("PromiseReject", 1, (m: Machine, _self, args, _newTarget, callee) => {
  const state: ResolvingState = callee.data.state
  if (!state.done) {
    state.done = true
    rejectPromise(m, state.promise, args[0])
  }
  return undefined
}, { name: "" })

/** https://tc39.es/ecma262/#sec-createresolvingfunctions */
export const createResolvingFunctions = (m: Agent, promise: JSObject): { resolve: JSObject; reject: JSObject } => {
  const state: ResolvingState = { promise, done: false }
  return { resolve: m.realm.newNative(resolveDefinition, state), reject: m.realm.newNative(rejectDefinition, state) }
}

/** https://tc39.es/ecma262/#sec-performpromisethen */
export const performThen = (
  m: Machine,
  promise: JSObject,
  onFulfilled: Value,
  onRejected: Value,
  capability: PromiseCapability | undefined,
): void =>
  react(
    m,
    promise,
    new Reaction(
      capability,
      isCallable(onFulfilled) ? onFulfilled : undefined,
      isCallable(onRejected) ? onRejected : undefined,
      null,
    ),
  )

/** Continues a suspended frame when the promise settles. */
export const awaitPromise = (m: Machine, promise: JSObject, frame: Frame | Coroutine): void =>
  react(m, promise, new Reaction(undefined, undefined, undefined, frame))

const react = (m: Machine, promise: JSObject, reaction: Reaction): void => {
  const data: PromiseData = promise.data
  m.allocate(64)
  if (data.state === PromiseState.Pending) (data.reactions ??= []).push(reaction)
  else {
    const rejected = data.state === PromiseState.Rejected
    if (rejected && !data.handled) m.untrackRejection(promise)
    m.enqueue({ type: "reaction", reaction, rejected, value: data.value })
  }
  data.handled = true
}

/**
 * https://tc39.es/ecma262/#sec-promise-resolve for the realm's own constructor, as `await` uses it: the promise itself, or
 * a new one resolved with the value.
 */
export const promiseResolve = (m: Machine, value: Value): JSObject => {
  if (isPromise(value) && get(m, value, "constructor") === m.realm.intrinsic("Promise")) return value
  const promise = newPromise(m)
  resolvePromise(m, promise, value)
  return promise
}

/** A capability with both of its functions, as a program may come to see them. */
export interface FullCapability extends PromiseCapability {
  readonly resolve: Value
  readonly reject: Value
}

/** What the executor of https://tc39.es/ecma262/#sec-newpromisecapability received. */
interface ExecutorState {
  resolve: Value
  reject: Value
}

const executorDefinition = defineNative("PromiseExecutor", 2, (m: Machine, _self, args, _newTarget, callee) => {
  const state: ExecutorState = callee.data.state
  if (state.resolve !== undefined || state.reject !== undefined) {
    throw m.typeError("Promise executor has already been invoked with non-undefined arguments")
  }
  state.resolve = args[0]
  state.reject = args[1]
  return undefined
}, { name: "" })

const capabilityOf = (m: Machine, promise: Value, { reject, resolve }: ExecutorState): FullCapability => {
  if (!isCallable(resolve) || !isCallable(reject)) {
    throw m.typeError("Promise resolve or reject function is not callable")
  }
  return { promise: promise as JSObject, resolve, reject }
}

const ownCapability = (m: Machine): FullCapability => {
  const promise = newPromise(m)
  return { promise, ...createResolvingFunctions(m, promise) }
}

/** https://tc39.es/ecma262/#sec-newpromisecapability */
export function* newPromiseCapability(m: Machine, constructor: Value): Calls<FullCapability> {
  if (constructor === m.realm.intrinsic("Promise")) return ownCapability(m)
  const state: ExecutorState = { resolve: undefined, reject: undefined }
  const executor = m.realm.newNative(executorDefinition, state)
  const promise = yield construct(requireConstructor(m, constructor), [executor])
  return capabilityOf(m, promise, state)
}

/** The same where the constructor's code is incidental: it runs to its end in a nested loop. */
export const newPromiseCapabilityNested = (m: Machine, constructor: Value): FullCapability => {
  if (constructor === m.realm.intrinsic("Promise")) return ownCapability(m)
  const state: ExecutorState = { resolve: undefined, reject: undefined }
  const executor = m.realm.newNative(executorDefinition, state)
  const promise = m.construct(requireConstructor(m, constructor), [executor])
  return capabilityOf(m, promise, state)
}

/** Resolves what a capability stands for. */
export const resolveCapability = (m: Machine, capability: PromiseCapability, value: Value): void => {
  if (capability.resolve === undefined) resolvePromise(m, capability.promise, value)
  else m.call(capability.resolve, undefined, [value])
}

/** Rejects what a capability stands for. */
export const rejectCapability = (m: Machine, capability: PromiseCapability, reason: Value): void => {
  if (capability.reject === undefined) rejectPromise(m, capability.promise, reason)
  else m.call(capability.reject, undefined, [reason])
}
