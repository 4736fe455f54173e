import {
  JSObject,
  Kind,
  newElements,
  PropertyTable,
  type RepeatedCalls,
  Shape,
  ShapeSpace,
  type Steps,
  type Value,
} from "../object/index.ts"
import type { Cell, ClosureData, FunctionCode } from "./function.ts"
import { type Instruction, NO_INSTRUCTION } from "./instruction.ts"

/** How a frame takes the value of a call it made, and how it ends. */
export const enum FrameType {
  Guest = 0,
  Native = 1,
  Barrier = 2,
}

const NO_INSTRUCTIONS: Array<Instruction> = []
const NO_CAPTURES: Array<Cell> = []

/** Stands for the function of a frame that has none, so that the host finds nothing but functions there. */
const NO_FUNCTION = new JSObject(
  new Shape(new ShapeSpace(), null, new PropertyTable(), 0, false),
  newElements(),
  Kind.Ordinary,
  undefined,
)

let none: Frame | undefined

/**
 * One activation: of a compiled function, of a generator native, or the bottom of a loop of the machine. All heap data. What the machine's
 * loop reads at a call or a return is never null and of one class, so that the host's compiler need not look what it is.
 */
export class Frame {
  /** The instruction after the one that runs, while it calls something. */
  pc = 0
  /** The register of the caller that takes the result, or -1. */
  dst = -1
  /** So many frames are below this one. */
  depth = 0
  fn: JSObject
  /** Those of `fn`. */
  captures: ReadonlyArray<Cell>
  /** What `code` has, here again. */
  readonly instructions: Array<Instruction>
  /** The first of them. */
  readonly first: Instruction
  /** With so many arguments, a call of `fn` can use this frame as it is; -1 if that is never so. */
  readonly arity: number
  /** Fuel for entering it. */
  readonly cost: number
  parent: Frame
  /**
   * The frame of a function that this one called and that can be used again: on the stack above this one, or finished. Its parent is this
   * frame.
   */
  child: Frame
  /** The one before it. */
  other: Frame
  /** A resumable function's state; null for the others. */
  coroutine: Coroutine | null = null
  /** All arguments, where the function looks at more than its parameters. */
  args: Array<Value> | null = null
  native: Steps | null = null
  /** The same, if they call one function again and again. */
  repeated: RepeatedCalls | null = null
  /** What the host generator of a native keeps from one call to the next, which the meter cannot see in it. */
  held: Array<unknown> | null = null
  /** Suspended: the register that takes what the frame is resumed with, and where it goes on with a value. */
  resumeRegister = -1
  resumeTarget = -1
  /** Suspended in a `yield*`, which handles every way of being resumed itself. */
  delegating = false

  constructor(
    readonly type: number,
    readonly code: FunctionCode | null,
    readonly regs: Array<any>,
    fn: JSObject | null,
    public thisValue: Value,
    /** The constructor, for a construction. */
    public newTarget: JSObject | undefined,
  ) {
    this.fn = fn ?? NO_FUNCTION
    this.captures = code === null ? NO_CAPTURES : (fn!.data as ClosureData).captures
    this.instructions = code === null ? NO_INSTRUCTIONS : code.instructions
    this.first = code === null ? NO_INSTRUCTION : this.instructions[0]!
    this.arity = code === null ? -1 : code.arity
    this.cost = code === null ? 0 : code.template.cost
    this.parent = this.child = this.other = none ?? this
  }

  /** Has it be for a call of another closure of its function. */
  changeTo(fn: JSObject): void {
    this.fn = fn
    this.captures = (fn.data as ClosureData).captures
  }

  /** What it has called is one frame deeper, always. */
  putAbove(parent: Frame): void {
    this.parent = parent
    if (this.depth === parent.depth + 1) return
    this.depth = parent.depth + 1
    this.child.free()
    this.other.free()
    this.child = this.other = none!
  }

  /** The frame `child` is for the call that comes next. */
  keep(child: Frame): void {
    this.other.free()
    this.other = this.child
    this.child = child
    child.putAbove(this)
  }

  /** Has any call of its function use it. */
  private free(): void {
    const { code } = this
    if (code === null) return
    this.parent = code.free ?? none!
    code.free = this
  }
}

/** Stands for no frame. */
export const NO_FRAME: Frame = none = new Frame(FrameType.Barrier, null, [], null, undefined, undefined)

export const enum CoroutineState {
  Start = 0,
  Suspended = 1,
  Running = 2,
  AwaitingReturn = 3,
  Completed = 4,
}

/** A generator, an async function or an async generator. */
export class Coroutine {
  state: number = CoroutineState.Start
  /** The suspended frame. */
  frame: Frame | null = null
  /** The promise of an async function. */
  promise: JSObject | null = null
  /** The generator object. */
  object: JSObject | null = null
  /** In a loop over the generator: where the loop goes on when it is over, so that its values need no result objects; else -1. */
  loopEnd = -1
  /** An async generator's requests, in order. */
  queue: Array<AsyncRequest> = []
  /** What the caller of the first activation gets when the frame leaves the stack; null once it has it. */
  caller: JSObject | null = null

  constructor(readonly kind: number) {}
}

export const enum CoroutineKind {
  Async = 1,
  Generator = 2,
  AsyncGenerator = 3,
}

/** How a coroutine is resumed. */
export const enum Resume {
  Next = 0,
  Throw = 1,
  Return = 2,
}

/** https://tc39.es/ecma262/#sec-asyncgeneratorrequest-records */
export interface AsyncRequest {
  readonly mode: number
  readonly value: Value
  readonly promise: JSObject
}

/** What starting a call answers when a frame now stands for it; otherwise the answer is the call's value. Never a guest value. */
export const PUSHED: unique symbol = Symbol("pushed")
