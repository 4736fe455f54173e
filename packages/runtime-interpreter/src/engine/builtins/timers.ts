import type { Machine } from "../machine/machine.ts"
import { clearTimer, startTimer } from "../machine/timers.ts"
import {
  defineNative,
  describe,
  type Intrinsics,
  isCallable,
  type JSObject,
  type Native,
  toNumber,
  type Value,
} from "../object/index.ts"
import { intrinsicFunction } from "./define.ts"

/** What browsers and Node clamp longer delays of theirs to; ours are cut to it. */
const MAX_DELAY = 2147483647

const callback = (m: Machine, value: Value): JSObject => {
  if (isCallable(value)) return value
  throw m.typeError(`The "callback" argument must be of type function. Received ${describe(value)}`)
}

/** https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timer-initialisation-steps */
const start = (repeat: boolean): Native<Machine> => (m, _this, args) => {
  const fn = callback(m, args[0])
  const delay = args[1] === undefined ? 0 : toNumber(m, args[1])
  m.charge(32)
  m.allocate(128 + args.length * 8)
  return startTimer(m, fn, args.slice(2), delay > 0 ? Math.min(Math.trunc(delay), MAX_DELAY) : 0, repeat)
}

/** https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#dom-cleartimeout — an unknown number is ignored. */
const clear: Native<Machine> = (m, _this, args) => {
  const id = args[0]
  if (id !== undefined && id !== null) clearTimer(m, toNumber(m, id))
  return undefined
}

/** https://nodejs.org/api/timers.html#setimmediatecallback-args — a timer without delay. */
const setImmediate: Native<Machine> = (m, _this, args) => {
  const fn = callback(m, args[0])
  m.charge(32)
  m.allocate(128 + args.length * 8)
  return startTimer(m, fn, args.slice(1), 0, false)
}

/** https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#dom-queuemicrotask */
const queueMicrotask: Native<Machine> = (m, _this, args) => {
  const fn = callback(m, args[0])
  m.charge(8)
  m.allocate(64)
  m.enqueue({ type: "callback", fn, args: [] })
  return undefined
}

export const timersIntrinsics: Intrinsics = {
  setTimeout: intrinsicFunction(defineNative("setTimeout", 1, start(false))),
  clearTimeout: intrinsicFunction(defineNative("clearTimeout", 0, clear)),
  setInterval: intrinsicFunction(defineNative("setInterval", 1, start(true))),
  clearInterval: intrinsicFunction(defineNative("clearInterval", 0, clear)),
  setImmediate: intrinsicFunction(defineNative("setImmediate", 1, setImmediate)),
  clearImmediate: intrinsicFunction(defineNative("clearImmediate", 0, clear)),
  queueMicrotask: intrinsicFunction(defineNative("queueMicrotask", 1, queueMicrotask)),
}
