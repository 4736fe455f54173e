import { Coroutine, type Frame } from "../machine/frame.ts"
import type { Machine } from "../machine/machine.ts"
import { isPromise, type PromiseData, PromiseState, type Reaction, type ResolvingState } from "../machine/promise.ts"
import { isObject, type JSObject, Kind, type NativeData, type Value } from "../object/index.ts"

/**
 * Whether a run that has its result should wait for something still: for a tool call whose result is used, or that nobody ever
 * looked at. Not for what only decides a race that is over.
 */
export const isAnythingWanted = (m: Machine): boolean => {
  for (const promise of m.calls.values()) if (isWanted(promise)) return true
  // A function that pauses by a timer of its own goes on, too.
  for (const { fn, repeat } of m.timers.values()) {
    const resolved = repeat ? undefined : resolvedBy(fn)
    if (resolved !== undefined && (resolved.data as PromiseData).reactions !== null && isWanted(resolved)) return true
  }
  return false
}

/** Follows who waits for a promise. */
const isWanted = (from: JSObject): boolean => {
  const seen = new Set<JSObject>([from])
  const open = [from]
  for (let promise = open.pop(); promise !== undefined; promise = open.pop()) {
    const { reactions, state }: PromiseData = promise.data
    // Nobody looks at it: it stands for itself.
    if (reactions === null) {
      if (state === PromiseState.Pending) return true
      continue
    }
    for (const reaction of reactions) {
      const next = consumer(reaction)
      if (next === true) return true
      if (next !== false && !seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
    }
  }
  return false
}

/** What a reaction leads to: a promise that depends on it, or whether it matters by itself. */
const consumer = ({ capability, frame, onFulfilled, onRejected }: Reaction): JSObject | boolean => {
  if (frame !== null) return promiseOf(frame) ?? true
  const handler = onFulfilled ?? onRejected
  const state = handler === undefined ? undefined : stateOf(handler)
  switch (state === undefined ? undefined : (handler!.data as NativeData).definition.id) {
    case "PromiseResolve":
    case "PromiseReject": {
      const { done, promise } = state as ResolvingState
      return done ? false : promise
    }
    case "PromiseAllResolveElement":
    case "PromiseAllSettledResolveElement":
      return combined(state, true)
    case "PromiseAnyRejectElement":
      return combined(state, false)
    default:
      return capability === undefined ? true : isPromise(capability.promise) ? capability.promise : true
  }
}

/** The promise of a combinator; of one that is settled, whether its other parts go on to matter. */
const combined = (state: unknown, whenOver: boolean): JSObject | boolean => {
  const { promise } =
    (state as { readonly shared: { readonly capability: { readonly promise: Value } } }).shared.capability
  if (!isPromise(promise)) return true
  return (promise.data as PromiseData).state === PromiseState.Pending ? promise : whenOver
}

/** The promise that a suspended function settles. */
const promiseOf = (suspended: Frame | Coroutine): JSObject | undefined => {
  const coroutine = suspended instanceof Coroutine ? suspended : suspended.coroutine
  return coroutine?.promise ?? coroutine?.queue[0]?.promise
}

const stateOf = (fn: JSObject): unknown => fn.kind === Kind.Native ? (fn.data as NativeData).state : undefined

/** The promise that a function resolves directly. */
const resolvedBy = (fn: Value): JSObject | undefined => {
  if (!isObject(fn) || fn.kind !== Kind.Native || (fn.data as NativeData).definition.id !== "PromiseResolve") {
    return undefined
  }
  const { done, promise }: ResolvingState = (fn.data as NativeData).state
  return done ? undefined : promise
}
