import type { Template } from "../compile/template.ts"
import {
  addProperty,
  type Agent,
  Attribute,
  isObject,
  JSObject,
  Kind,
  type LazyGlobals,
  type Native,
  type NativeData,
  type PropertyKey,
  PropertyTable,
  Realm,
  Shape,
  Throw,
  type Value,
} from "../object/index.ts"
import { ArrayIteration } from "./array-iteration.ts"
import { start } from "./calls.ts"
import { newError } from "./errors.ts"
import { Frame, FrameType, NO_FRAME, PUSHED } from "./frame.ts"
import { ClosureData, FunctionCode } from "./function.ts"
import { Halt, type HaltReason } from "./halt.ts"
import type { Host } from "./host.ts"
import { run, Status } from "./interpreter.ts"
import { JOB_STEPS, JobQueue, startJob } from "./jobs.ts"
import type { Builtins, MachineOptions } from "./options.ts"
import type { Job } from "./promise.ts"
import type { Place } from "./stack.ts"
import { fireTimer, type Timer } from "./timers.ts"
import { Trace } from "./trace.ts"

/** What a slice of work ended with. */
export type Progress =
  /** The slice is used up; there is more to do now. */
  | "running"
  /** Nothing to do until a tool call settles or a timer fires. */
  | "waiting"
  /** Nothing to do at all. */
  | "idle"

/** How deep natives may call back into the guest on the host's stack. */
const MAX_NESTING = 64

/** What the host says then. */
const HOST_STACK_USED_UP = "Maximum call stack size exceeded"

/** How deep built-ins may call each other: the host has room for more. Lists in lists take two calls each. */
const MAX_NATIVES = 800
/** How long built-ins, and what they call, may work beyond the end of a slice before they let the machine stop, in milliseconds. */
const OVERRUN_TIME = 100
/** Steps beyond the end of a slice between two looks at the clock. */
const OVERRUN_STEPS = 200_000
/** How much of texts may be put together, in units, between two looks at the clock, and for how long, in milliseconds. */
const MAX_STRAIN = 1 << 20
const STRAIN_TIME = 1
/** Steps beyond the end of a slice that a nested run takes between two looks at the clock. */
const NESTED_STEPS = 20_000
/** How many values are visited between two looks at the event loop when live memory is traced. */
const TRACE_STEP = 8192
/** How many values are visited in about the time of a step. */
const VISITS_PER_STEP = 4
/** Steps between two looks at what small things take that nothing accounts for. */
const TICK = 1 << 14

/** One run: a realm, a stack of frames, a queue of jobs, and the meters. */
export class Machine implements Agent {
  readonly realm: Realm
  readonly global: JSObject
  readonly host: Host
  readonly locale: string
  readonly timeZone: string
  readonly maxStringLength: number
  readonly maxBigIntBits: number
  readonly builtins: Builtins
  /** What the host's monotonic clock showed when the machine was made. */
  readonly startedAt: number
  /** Stands for the shape of strings in inline caches. */
  readonly stringShape: Shape

  /** The frame that runs. */
  frame: Frame
  readonly maxDepth: number
  completionThrew = false
  /** What a callback of a timer or of `queueMicrotask` threw first. */
  uncaught: { readonly reason: Value } | null = null
  completionValue: Value = undefined
  /** What to go on with after a slice that ended between two steps of a built-in. */
  pending: { readonly value: Value; readonly threw: boolean } | null = null
  throwIsPending = false
  private thrown: Value = undefined

  /** Steps left until the machine is to look up: at the end of the slice or of the fuel, or at the next tick. Below zero it is time. */
  budget = 0
  /** The budget at which a built-in is to be looked at: the fuel of the whole run is used up, or it goes on and on. */
  floor = 0
  /** The budget that it began with. */
  private slice = 0
  /** How many steps of the run are used when the slice is over. */
  private sliceEnd = 0
  private fuelLeft: number
  private readonly fuel: number
  /** How many steps were used at the last tick, and after the last trace. */
  private tickedAt = 0
  private tracedAt = 0
  private nesting = 0
  /** When what cannot stop has to; 0 if nothing has gone on beyond its slice. */
  private overrunEnd = 0

  /** Bytes taken since the last trace. */
  allocated = 0
  private memoryThreshold: number
  /** Live memory is to be traced once the machine stops; and the trace that is under way. */
  private traceWanted = false
  private trace: Trace | null = null
  private readonly memoryLimit: number
  peakMemory = 0

  private readonly jobs = new JobQueue()
  readonly timers = new Map<number, Timer>()
  /** How many timers there have been, and tool calls: their numbers. */
  timerCount = 0
  callCount = 0
  /** The promises of tool calls that have not settled, by the number of the call. */
  readonly calls = new Map<number, JSObject>()
  /** What the last value that was made the host's takes, in bytes. */
  converted = 0
  /** Whether arrays are iterated as the language has it. */
  readonly arrayIteration: ArrayIteration
  /** What host code keeps of the program's: nothing else may refer to it. */
  readonly handles = new Set<JSObject>()
  /** The last promise of which a property was read that promises do not have: it was probably meant to be awaited. */
  notAwaited: JSObject | null = null
  /** The last property that was read of a text and that texts do not have: the text was probably meant to be parsed. */
  missedOnText: PropertyKey | null = null
  /** The last value that was thrown and is no error, and where: such a value does not tell itself. */
  lastThrown: { readonly value: Value; readonly place: Place } | null = null
  /** The namespace `tools`, where there is one. */
  tools: JSObject | null = null
  /** Regular expressions that the run has made not long ago, by pattern; and how many units these are. */
  readonly patterns = new Map<string, unknown>()
  patternUnits = 0
  /** Rejected promises that nothing has noticed. */
  readonly rejections = new Set<JSObject>()

  constructor(options: MachineOptions) {
    this.host = options.host
    this.startedAt = options.host.monotonic()
    this.locale = options.locale ?? "en-US"
    this.timeZone = options.timeZone ?? "UTC"
    this.maxStringLength = options.stringLength ?? 1 << 24
    this.maxBigIntBits = options.bigintBits ?? 1 << 20
    this.maxDepth = options.callDepth ?? 10_000
    this.fuel = this.fuelLeft = options.fuel ?? Infinity
    this.floor = -this.fuelLeft
    this.memoryLimit = options.memory ?? Infinity
    this.memoryThreshold = thresholdOf(0, this.memoryLimit)
    this.builtins = options.builtins
    this.frame = new Frame(FrameType.Barrier, null, [], null, undefined, undefined)
    this.realm = new Realm(options.builtins.intrinsics)
    this.global = this.realm.intrinsic("Global")
    this.arrayIteration = new ArrayIteration(this.realm)
    this.stringShape = new Shape(this.realm.space, null, new PropertyTable(), 0, false)
  }

  // Frames

  push(frame: Frame): void {
    if (this.frame.depth >= this.maxDepth) throw this.rangeError("Maximum call stack size exceeded")
    frame.putAbove(this.frame)
    this.frame = frame
    this.budget -= frame.cost
  }

  /** Puts a frame on top that stands above the one on top already. */
  enter(frame: Frame): void {
    this.frame = frame
    this.budget -= frame.cost
  }

  pop(): void {
    const { frame } = this
    this.frame = frame.parent
    if (frame.code === null || !frame.code.template.reusable) frame.parent = NO_FRAME
    else frame.newTarget = undefined
  }

  /** Has the frame on top begin with a throw. */
  pendingThrow(value: Value): void {
    this.throwIsPending = true
    this.thrown = value
  }

  takePendingThrow(): Value {
    const value = this.thrown
    this.throwIsPending = false
    this.thrown = undefined
    return value
  }

  // Calls from host code

  private natives = 0

  call(fn: Value, thisValue: Value, args: Array<Value>): Value {
    if (isObject(fn) && fn.kind === Kind.Native) {
      const { definition } = fn.data as NativeData
      if (!definition.generator && definition.special === 0) {
        // A built-in that asks for a property can come to itself without code of the program above it on the host's stack.
        if (this.natives >= MAX_NATIVES) throw this.rangeError("Maximum call stack size exceeded")
        this.natives++
        let value: Value | typeof PUSHED
        try {
          value = (definition.impl as Native)(this, thisValue, args, undefined, fn)
        } finally {
          this.natives--
        }
        return value === PUSHED ? this.finishNested() : value
      }
    }
    return this.nested(fn, thisValue, args, undefined)
  }

  construct(fn: JSObject, args: Array<Value>, newTarget: JSObject = fn): JSObject {
    const value = this.nested(fn, undefined, args, newTarget)
    if (!isObject(value)) throw this.typeError("A constructor returned no object")
    return value
  }

  private nested(fn: Value, thisValue: Value, args: Array<Value>, newTarget: JSObject | undefined): Value {
    const below = this.frame
    this.enterNested()
    try {
      const value = start(this, fn, thisValue, args, newTarget, -1)
      if (value === PUSHED) return this.runNested()
      this.pop()
      return value
    } catch (error) {
      this.popTo(below, error)
      throw error
    } finally {
      this.leaveNested()
    }
  }

  /** Runs the frame on top, of a built-in that goes on in steps, to its end. */
  private finishNested(): Value {
    const steps = this.frame
    this.pop()
    const below = this.frame
    this.enterNested()
    try {
      this.push(steps)
      return this.runNested()
    } catch (error) {
      this.popTo(below, error)
      throw error
    } finally {
      this.leaveNested()
    }
  }

  private enterNested(): void {
    if (this.nesting >= MAX_NESTING) throw this.rangeError("Maximum call stack size exceeded")
    this.push(new Frame(FrameType.Barrier, null, [], null, undefined, undefined))
    this.nesting++
  }

  /** Leaves the frames of a nested run that an error has ended, wherever that was: the host's stack may be used up anywhere. */
  private popTo(below: Frame, error: unknown): void {
    // A halt tells where it was.
    if (error instanceof Halt) return
    while (this.frame !== below) this.pop()
  }

  private leaveNested(): void {
    if (--this.nesting > 0 || (this.overrunEnd === 0 && !this.traceWanted)) return
    // The slice is over, or memory is to be traced: what follows is to stop where it can.
    this.stopSoon()
  }

  private runNested(): Value {
    run(this)
    const { completionThrew, completionValue } = this
    this.completionValue = undefined
    this.pop()
    if (completionThrew) throw new Throw(completionValue)
    return completionValue
  }

  /** A guest error for what host code threw; what is none of the guest's passes on. */
  guestError(error: unknown): Value {
    if (error instanceof Throw) return error.value
    // The host's stack is used up: the guest sees what it would see of its own.
    if (error instanceof RangeError && error.message === HOST_STACK_USED_UP) {
      return this.rangeError("Maximum call stack size exceeded").value
    }
    throw error
  }

  // Meters

  charge(steps: number): void {
    this.budget -= steps
    if (this.budget < this.floor) this.overrun()
  }

  /** A built-in goes on beyond its slice: for a while, since it cannot stop. */
  private overrun(): void {
    if (this.slice - this.budget > this.fuelLeft) this.halt("fuel")
    this.checkOverrun()
    this.floor = Math.max(this.slice - this.fuelLeft, this.budget - OVERRUN_STEPS)
  }

  private checkOverrun(): void {
    const now = this.host.elapsed?.() ?? this.host.monotonic()
    if (this.overrunEnd === 0) this.overrunEnd = now + OVERRUN_TIME
    else if (now > this.overrunEnd) this.halt("nested")
  }

  allocate(bytes: number): void {
    this.allocated += bytes
    if (this.allocated > this.memoryThreshold) this.checkMemory(bytes)
  }

  /** The counter is beyond its threshold; so many bytes of it are about to be taken. */
  private checkMemory(bytes: number): void {
    // What is about to be taken at once may be far more than the host has.
    if (this.allocated > this.memoryThreshold + this.memoryLimit) this.halt("memory")
    // There is time for that until the machine can stop, if it can soon.
    if (this.allocated <= this.memoryThreshold + this.memoryLimit / 2) this.lookAtMemory()
    else this.lookAtOnce(bytes)
  }

  /** Has live memory traced once the machine stops, which it does when it is out of what built-ins have called. */
  private lookAtMemory(): void {
    if (this.traceWanted) return
    this.traceWanted = true
    this.stopSoon()
  }

  private lookAtOnce(bytes: number): void {
    const trace = this.traceAtOnce()
    this.payForTrace(trace)
    this.checkLive(trace.bytes + bytes)
  }

  private checkLive(live: number): void {
    this.traceWanted = false
    this.trace = null
    this.peakMemory = Math.max(this.peakMemory, live)
    if (live > this.memoryLimit) this.halt("memory")
    // The counter runs on from what is alive.
    this.allocated = live
    this.memoryThreshold = thresholdOf(live, this.memoryLimit)
  }

  /** How many long texts were joined of two, and not looked into since, by the logarithm of their lengths. */
  private readonly joined = new Int32Array(32)
  /** How many units of texts the host may have put together since the last look at the clock. */
  private strained = 0
  /** When the clock was first looked at in this slice; 0 if it was not. */
  private strainedAt = 0

  /** A text of this length, more than `LONG_TEXT`, is about to be joined of two. The host keeps it as the two, until it is looked into. */
  join(length: number): void {
    this.budget -= length >> 13
    this.joined[31 - Math.clz32(length)]!++
  }

  touch({ length }: string): void {
    const size = 31 - Math.clz32(length)
    if (this.joined[size] === 0) return
    // Which of the texts it is cannot be told. There are no more such looks than there were texts joined.
    this.joined[size]!--
    this.allocate(length)
    // What it takes cannot be told either, so that it is no matter of steps: they are to be the same in every run.
    this.strain(length)
  }

  /** Work that is no matter of steps, in units of texts that the host could put together meanwhile. */
  strain(units: number): void {
    if ((this.strained += units) > MAX_STRAIN) this.checkTime()
  }

  /** Has the machine stop soon if the slice has gone on for a while. */
  private checkTime(): void {
    this.strained = 0
    if (this.nesting > 0) return this.checkOverrun()
    const now = this.host.elapsed?.() ?? this.host.monotonic()
    if (this.strainedAt === 0) this.strainedAt = now
    else if (now - this.strainedAt > STRAIN_TIME) this.stopSoon()
  }

  /** Goes on with a trace of live memory. Answers whether it is complete. */
  private traceOn(): boolean {
    const trace = this.trace ??= new Trace(this.roots(), this.memoryLimit, false)
    if (!trace.step(TRACE_STEP)) return false
    // All that is alive was looked into.
    this.joined.fill(0)
    this.payForTrace(trace)
    this.checkLive(trace.bytes)
    return true
  }

  /** A trace is free after as much work of the program. One that holds much and makes little more pays for being looked at so often. */
  private payForTrace({ visits }: Trace): void {
    const used = this.fuelUsed
    const steps = Math.floor(visits / VISITS_PER_STEP) - (used - this.tracedAt)
    if (steps > 0) this.budget -= steps
    this.tracedAt = this.fuelUsed
  }

  /** The bytes of everything the run keeps alive. */
  liveBytes(): number {
    return this.traceAtOnce().bytes
  }

  private traceAtOnce(): Trace {
    const trace = new Trace(this.roots(), this.memoryLimit, this.nesting > 0)
    while (!trace.step(TRACE_STEP));
    return trace
  }

  private roots(): Array<unknown> {
    return [
      this.frame,
      this.global,
      this.jobs.list,
      this.timers,
      this.calls,
      this.rejections,
      this.handles,
      this.pending,
      this.thrown,
      this.completionValue,
      this.realm.symbols,
      ...[...this.realm.entries()].map(([, object]) => object),
    ]
  }

  /** Ends the slice: the machine stops where it can next. */
  private stopSoon(): void {
    this.endPart()
    this.sliceEnd = this.used - 1
    this.beginPart()
  }

  halt(reason: HaltReason): never {
    throw new Halt(reason)
  }

  /** Steps used so far. */
  get fuelUsed(): number {
    return this.fuel === Infinity
      ? this.used + (this.slice - this.budget)
      : this.fuel - this.fuelLeft + (this.slice - this.budget)
  }
  private used = 0

  /** Begins a slice of so many steps. */
  private beginSlice(steps: number): void {
    this.strainedAt = 0
    // What was charged between two slices counts.
    this.endPart()
    this.sliceEnd = this.used + steps
    this.beginPart()
  }

  // A slice is worked off in parts, so that ticks come after the same steps whatever the slices are.
  private beginPart(): void {
    const rest = this.sliceEnd - this.used
    this.slice = this.budget = Math.min(rest, this.fuelLeft, this.tickedAt + TICK - this.used)
    this.floor = this.slice - Math.min(this.fuelLeft, rest + OVERRUN_STEPS)
  }

  private endPart(): void {
    const used = this.slice - this.budget
    this.used += used
    this.fuelLeft -= used
    this.slice = this.budget = 0
    this.floor = -this.fuelLeft
  }

  /** Accounts for small things, of which no instruction makes more than a few bytes, and for layouts. */
  private tick(): void {
    const { space } = this.realm
    // What is more was charged for work in a built-in.
    this.allocated += Math.min(this.used - this.tickedAt, 2 * TICK) + space.taken
    space.taken = 0
    this.tickedAt = this.used
    if (this.allocated > this.memoryThreshold) this.lookAtMemory()
  }

  /** The budget is below zero. Whether the machine must stop here for the event loop; halts if the fuel is used up. */
  outOfBudget(): boolean {
    if (this.fuelLeft < this.slice - this.budget) {
      // The place of the halt is the instruction that would come next.
      if (this.frame.type === FrameType.Guest) this.frame.pc++
      this.halt("fuel")
    }
    this.endPart()
    if (this.used > this.tickedAt + TICK) this.tick()
    if (this.used > this.sliceEnd) {
      if (this.nesting === 0) return true
      // A nested run cannot stop: it goes on for a while.
      this.checkOverrun()
      this.sliceEnd = this.used + NESTED_STEPS
    }
    this.beginPart()
    return false
  }

  // Errors

  typeError(message: string): Throw {
    return new Throw(newError(this, "TypeError", message))
  }

  rangeError(message: string): Throw {
    return new Throw(newError(this, "RangeError", message))
  }

  syntaxError(message: string): Throw {
    return new Throw(newError(this, "SyntaxError", message))
  }

  referenceError(message: string): Throw {
    return new Throw(newError(this, "ReferenceError", message))
  }

  // Jobs

  enqueue(job: Job): void {
    this.jobs.add(job)
  }

  trackRejection(promise: JSObject): void {
    this.rejections.add(promise)
  }

  untrackRejection(promise: JSObject): void {
    this.rejections.delete(promise)
  }

  /** The host tells that a timer's time has come. */
  fireTimer(id: number): void {
    fireTimer(this, id)
  }

  /** A compiled program as a function of this realm. */
  link(template: Template): JSObject {
    return new JSObject(
      this.realm.functionShape,
      [0, template.name],
      Kind.Closure,
      new ClosureData(new FunctionCode(template), []),
    )
  }

  /** Runs for a slice of so many steps, or until there is nothing to do. Throws `Halt` when a meter ends the run. */
  advance(steps: number): Progress {
    this.beginSlice(steps)
    this.overrunEnd = 0
    try {
      if (this.traceWanted && !this.traceOn()) return "running"
      for (;;) {
        if (this.frame.parent !== NO_FRAME) {
          if (run(this) === Status.Slice) return "running"
          // Nobody is there to catch what a callback throws: the run is to end.
          if (this.completionThrew && this.uncaught === null) this.uncaught = { reason: this.completionValue }
          this.completionValue = undefined
        }
        if (this.budget < 0 && this.outOfBudget()) return "running"
        const job = this.jobs.take()
        if (job === undefined) return this.calls.size > 0 || this.timers.size > 0 ? "waiting" : "idle"
        this.budget -= JOB_STEPS
        startJob(this, job)
      }
    } finally {
      this.endPart()
    }
  }

  // Globals

  defineGlobal(name: string, value: Value, flags: number = Attribute.Hidden): void {
    ;(this.global.data as LazyGlobals).delete(name)
    const slot = this.global.shape.lookup(name)
    if (slot >= 0) this.global.slots[slot] = value
    else addProperty(this.global, name, value, flags)
  }
}

/**
 * How far the counter of bytes may go until what is alive is looked at again. The counter's estimates may be several times too
 * low, unlike those of a trace.
 */
const thresholdOf = (live: number, limit: number): number => live + Math.max(limit / 8, (limit - live) / 3)
