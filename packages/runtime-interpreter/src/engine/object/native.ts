import type { Agent } from "./agent.ts"
import { type JSObject, Kind, type Value } from "./value.ts"

/**
 * A built-in that runs to its end at once. `newTarget` is undefined for a call and the constructor for a construction;
 * `callee` is the function object itself, whose `data.state` holds what a stateful built-in needs.
 */
export type Native<A extends Agent = any> = (
  m: A,
  thisValue: Value,
  args: Array<Value>,
  newTarget: JSObject | undefined,
  callee: JSObject,
) => Value

/**
 * A built-in that calls back into the guest: it yields each call it wants made and receives what it returned, or has what
 * was thrown thrown into it. The machine runs it as a frame, so its callbacks are interrupted and metered like other code.
 */
export type GeneratorNative<A extends Agent = any> = (
  m: A,
  thisValue: Value,
  args: Array<Value>,
  newTarget: JSObject | undefined,
  callee: JSObject,
) => Steps

/**
 * What the machine needs of the generator that a `GeneratorNative` is. Where each call counts, a class of ours stands for
 * one, without the cost of a host generator and of new objects for each step: `next` gives the next call, whose object it
 * may use again, and `throw` is told what the last one threw.
 */
export interface Steps {
  /** `any`, since generators declare what they know of the answers to their calls. */
  next(value: any): IteratorResult<Call | typeof Pause, Value>
  throw(error: unknown): IteratorResult<Call | typeof Pause, Value>
}

/** A part of a `GeneratorNative`, for `yield*`. */
export type Calls<A = Value> = Generator<Call | typeof Pause, A, Value>

/**
 * `yield Pause` between two blocks of long work gives the machine its chance to suspend the run for the event loop; it goes
 * on with undefined. The work of a block is charged before it is done, as always.
 */
export const Pause: unique symbol = Symbol("pause")

/** A guest call, as a generator native yields it; a construction if it has a new target. */
export class Call {
  constructor(
    readonly fn: Value,
    readonly thisValue: Value,
    public args: Array<Value>,
    readonly newTarget: JSObject | undefined = undefined,
  ) {}
}

/** `yield call(fn, thisValue, args)` inside a generator native. Calling what is no function throws a `TypeError`. */
export const call = (fn: Value, thisValue: Value, args: Array<Value>): Call => new Call(fn, thisValue, args)

/** `yield construct(fn, args)` inside a generator native; `fn` must be a constructor. */
export const construct = (fn: JSObject, args: Array<Value>, newTarget: JSObject = fn): Call =>
  new Call(fn, undefined, args, newTarget)

/** Built-ins that work on the machine's frames themselves; the machine's table of them is keyed by these numbers. */
export const enum Special {
  None = 0,
  FunctionCall = 1,
  FunctionApply = 2,
  ReflectApply = 3,
  ReflectConstruct = 4,
  GeneratorNext = 5,
  GeneratorReturn = 6,
  GeneratorThrow = 7,
  AsyncGeneratorNext = 8,
  AsyncGeneratorReturn = 9,
  AsyncGeneratorThrow = 10,
}

/** The answer of a quick attempt that leaves the work to steps. Never a guest value. */
export const NOT_QUICK: unique symbol = Symbol("not quick")

/** What all function objects of one built-in share. Immutable and the same in every realm. */
export interface NativeDefinition {
  /** Where the built-in stands, for example `Array.prototype.map`: its name in a stored state. */
  readonly id: string
  readonly name: string
  readonly length: number
  readonly impl: Native | GeneratorNative
  readonly generator: boolean
  readonly constructor_: boolean
  readonly special: number
  /** For the `next` of a built-in iterator: the brand of the iterators it steps, see `BuiltinIterator`. */
  readonly stepper: string | null
}

/** The internal slots of a built-in function. */
export class NativeData {
  constructor(readonly definition: NativeDefinition, public state: any) {}
}

/** Whether a function is the built-in of this id. */
export const isBuiltin = (fn: JSObject, id: string): boolean =>
  fn.kind === Kind.Native && (fn.data as NativeData).definition.id === id

export const defineNative = (
  id: string,
  length: number,
  impl: Native,
  options?: {
    readonly name?: string
    readonly constructor_?: boolean
    readonly special?: number
    readonly stepper?: string | null
  },
): NativeDefinition => ({
  id,
  name: options?.name ?? nameOf(id),
  length,
  impl,
  generator: false,
  constructor_: options?.constructor_ ?? false,
  special: options?.special ?? Special.None,
  stepper: options?.stepper ?? null,
})

export const defineGeneratorNative = (
  id: string,
  length: number,
  impl: GeneratorNative,
  options?: { readonly name?: string; readonly constructor_?: boolean },
): NativeDefinition => ({
  id,
  name: options?.name ?? nameOf(id),
  length,
  impl,
  generator: true,
  constructor_: options?.constructor_ ?? false,
  special: Special.None,
  stepper: null,
})

const nameOf = (id: string): string => id.slice(id.lastIndexOf(".") + 1)

/**
 * Steps that call one function again and again, with no receiver of another kind and no new target, until they are done. Where the
 * function is a plain one of the program, the machine enters it anew as soon as it has returned, without going through `next`.
 */
export abstract class RepeatedCalls implements Steps {
  /** The call that the steps make each time; null until they begin. Its arguments change. */
  request: Call | null = null
  /** What `again` came to, if it was another thing than the call. */
  private kept: IteratorResult<Call | typeof Pause, Value> | null = null

  /** Takes what the last call gave, and says what comes next. */
  protected abstract advance(answer: Value): IteratorResult<Call | typeof Pause, Value>

  next(answer: Value): IteratorResult<Call | typeof Pause, Value> {
    const { kept } = this
    if (kept === null) return this.advance(answer)
    this.kept = null
    return kept
  }

  /** Takes what the call gave. Says whether the same is to be called again; otherwise `next` has what comes instead. */
  again(answer: Value): boolean {
    return this.keep(this.advance(answer))
  }

  /** What `again` answers if this step comes next. */
  protected keep(step: IteratorResult<Call | typeof Pause, Value>): boolean {
    if (step.value === this.request) return true
    this.kept = step
    return false
  }

  throw(error: unknown): never {
    throw error
  }
}
