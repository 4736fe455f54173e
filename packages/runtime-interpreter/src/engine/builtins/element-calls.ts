import { keepsArguments } from "../machine/function.ts"
import type { Machine } from "../machine/machine.ts"
import {
  arrayCreate,
  arraySpeciesCreate,
  Call,
  createAt,
  elementAt,
  getAt,
  hasDefaultSpecies,
  HOLE,
  isArray,
  isCallable,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  newElementsFor,
  Pause,
  RepeatedCalls,
  requireCallable,
  toBoolean,
  type Value,
} from "../object/index.ts"
import { appendElements } from "./array-concat.ts"
import { arrayLike } from "./array-like.ts"

/** What is done with the answers of a function that is called for each element. */
export const enum Loop {
  ForEach = 0,
  Map = 1,
  /** Into an array of a constructor of the program's. */
  MapInto = 2,
  Filter = 3,
  Some = 4,
  Every = 5,
  Find = 6,
  FindIndex = 7,
  Reduce = 8,
  FlatMap = 9,
}

/** The argument that must be a function. */
const callback = (m: Machine, fn: Value): JSObject => {
  requireCallable(m, fn)
  return fn
}

/** So many missing elements are passed over between two pauses. */
const BLOCK = 4096

const NONE: Array<Value> = []

/**
 * The methods of arrays that call a function for each element. They are what programs spend their time in, so they are not
 * generators but one class, whose steps make nothing but the arguments of the next call.
 */
export class ElementCalls extends RepeatedCalls {
  /** Private to the host too: the meter walks what is in the fields, and must not come to the machine. */
  readonly #m: Machine
  /** The array-like; null before the first step. */
  private o: JSObject | null = null
  private length = 0
  private fresh = true
  private readonly step: IteratorResult<Call | typeof Pause, Value> = { done: false, value: Pause }
  /** Whether the next answer is that of the function. */
  private called = false
  /** How many elements were looked at, the place of the last one, and the element. */
  private count = 0
  private k = 0
  private element: Value = undefined
  private accumulator: Value = undefined
  private result: JSObject | null = null
  private elements: Array<Value> = NONE
  private to = 0

  constructor(
    m: Machine,
    private readonly self: Value,
    private readonly args: Array<Value>,
    private readonly name: string,
    private loop: number,
    private readonly ascending: boolean,
  ) {
    super()
    this.#m = m
  }

  override again(answer: Value): boolean {
    // The same as `advance` does where the next element is there and the array of arguments can be used again.
    if (this.fresh || !this.ascending) return super.again(answer)
    if (this.take(answer)) return this.keep(this.step)
    const { count } = this
    const { data, kind } = this.o!
    if (kind !== Kind.Array || count >= this.length || count >= data.length) return this.keep(this.proceed())
    const value = data[count]
    if (value === HOLE) return this.keep(this.proceed())
    this.#m.charge(1)
    this.count = count + 1
    this.k = count
    const { args } = this.request!
    if (this.loop === Loop.Reduce) {
      args[0] = answer
      args[1] = value
      args[2] = count
    } else {
      this.element = value
      args[0] = value
      args[1] = count
    }
    return true
  }

  protected advance(answer: Value): IteratorResult<Call | typeof Pause, Value> {
    if (this.called) {
      if (this.take(answer)) return this.step
    } else if (this.o === null) this.begin()
    return this.proceed()
  }

  /** Takes what the function gave for an element. Says whether that was the end. */
  private take(answer: Value): boolean {
    switch (this.loop) {
      case Loop.Map:
        this.elements[this.count - 1] = answer
        return false
      case Loop.Filter:
        if (toBoolean(answer)) createAt(this.#m, this.result!, this.to++, this.element)
        return false
      case Loop.Some:
        return toBoolean(answer) && this.end(true).done!
      case Loop.Every:
        return !toBoolean(answer) && this.end(false).done!
      case Loop.Find:
        return toBoolean(answer) && this.end(this.element).done!
      case Loop.FindIndex:
        return toBoolean(answer) && this.end(this.k).done!
      case Loop.Reduce:
        this.accumulator = answer
        return false
      case Loop.MapInto:
        createAt(this.#m, this.result!, this.k, answer)
        return false
      case Loop.FlatMap:
        this.flatten(answer)
        return false
      default:
        return false
    }
  }

  private begin(): void {
    const { args, loop } = this
    const m = this.#m
    const o = arrayLike(m, this.self, this.name)
    const length = lengthOfArrayLike(m, o)
    const fn = loop === Loop.FlatMap && !isCallable(args[0]) ? refuseMapper(m) : callback(m, args[0])
    this.length = length
    this.request = new Call(
      fn,
      loop === Loop.Reduce ? undefined : args[1],
      loop === Loop.Reduce ? [undefined, undefined, 0, o] : [undefined, 0, o],
    )
    this.fresh = keepsArguments(fn)
    if (loop === Loop.Map) {
      if (o.kind === Kind.Array && hasDefaultSpecies(m, o)) {
        m.allocate(64 + length * 8)
        this.elements = newElementsFor(length)
      } else {
        this.loop = Loop.MapInto
        this.result = arraySpeciesCreate(m, o, length)
      }
    } else if (loop === Loop.Filter || loop === Loop.FlatMap) {
      this.result = hasDefaultSpecies(m, o) ? arrayCreate(m, 0) : arraySpeciesCreate(m, o, 0)
    } else if (loop === Loop.Reduce) this.accumulator = args.length >= 2 ? args[1] : HOLE
    this.o = o
  }

  /** The array of the next call's arguments, to write to. */
  private arguments(): Array<Value> {
    const request = this.request!
    return this.fresh ? request.args = request.args.slice() : request.args
  }

  /** The call for the next element that there is. */
  private proceed(): IteratorResult<Call | typeof Pause, Value> {
    const { length, loop, request, step } = this
    const m = this.#m
    const o = this.o!
    // `find` and its kin look at missing elements too.
    const reads = loop === Loop.Find || loop === Loop.FindIndex
    for (let skipped = 0; this.count < length;) {
      m.charge(1)
      const k = this.ascending ? this.count : length - 1 - this.count
      this.count++
      const value = reads ? getAt(m, o, k) : elementAt(m, o, k)
      if (value !== HOLE) {
        this.k = k
        if (loop === Loop.Reduce) {
          if (this.accumulator === HOLE) {
            this.accumulator = value
            continue
          }
          const args = this.arguments()
          args[0] = this.accumulator
          args[1] = value
          args[2] = k
        } else {
          this.element = value
          const args = this.arguments()
          args[0] = value
          args[1] = k
        }
        this.called = true
        step.value = request!
        return step
      }
      if (loop === Loop.Map) this.elements[k] = HOLE
      if (++skipped === BLOCK) {
        this.called = false
        step.value = Pause
        return step
      }
    }
    return this.end(this.outcome())
  }

  /** What the method returns once there are no more elements. */
  private outcome(): Value {
    switch (this.loop) {
      case Loop.Map:
        return this.#m.realm.newArray(this.elements)
      case Loop.MapInto:
      case Loop.Filter:
      case Loop.FlatMap:
        return this.result!
      case Loop.Some:
        return false
      case Loop.Every:
        return true
      case Loop.FindIndex:
        return -1
      case Loop.Reduce:
        if (this.accumulator === HOLE) throw this.#m.typeError("Reduce of empty array with no initial value")
        return this.accumulator
      default:
        return undefined
    }
  }

  private end(value: Value): IteratorResult<Call | typeof Pause, Value> {
    this.step.done = true
    this.step.value = value as never
    return this.step
  }

  private flatten(mapped: Value): void {
    const m = this.#m
    const result = this.result!
    if (isArray(m, mapped)) this.to = appendElements(m, result, mapped, lengthOfArrayLike(m, mapped), this.to)
    else createAt(m, result, this.to++, mapped)
  }
}

const refuseMapper = (m: Machine): never => {
  throw m.typeError("flatMap mapper function is not callable")
}
