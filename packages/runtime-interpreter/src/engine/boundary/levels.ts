import { type JSObject, newElements, PartialData, partialShape, type Shape, type Tape } from "../object/index.ts"
import type { Place } from "./boundary-error.ts"
import { sameKeys } from "./host-data.ts"

/** Only the first properties of an object can be left on the tape: there is a bit for each. */
const LEAVABLE = 30

/** How many kinds of objects are told apart at one place of the data, besides that of the last one. */
const MAX_LAYOUTS = 7

/** What objects with the same keys share. */
export class Layout {
  /** What stands for the values that the last one had on the tape; and for these and those of others. */
  private last: PartialData | null = null
  private lastBits = 0
  private partials: Map<number, PartialData | null> | null = null
  private sites: Array<Site> | null = null

  constructor(readonly keys: Array<string>, readonly shape: Shape) {}

  /** What is in a property of theirs. */
  site(index: number): Site {
    const sites = this.sites ??= []
    return sites[index] ??= new Site()
  }

  /** What partial objects share that have these values on the tape; null if there is no room for another shape. */
  partial(bits: number, tape: Tape): PartialData | null {
    if (bits === this.lastBits) return this.last
    const partials = this.partials ??= new Map()
    let partial: PartialData | null | undefined = partials.get(bits)
    if (partial === undefined) {
      const shape = partialShape(this.shape, bits)
      partial = shape === null ? null : new PartialData(tape, shape, this.shape, bitsOf(bits))
      partials.set(bits, partial)
    }
    this.lastBits = bits
    return this.last = partial
  }
}

/** A place in the data, where all objects mostly are alike: a property of the rows of a table. */
export class Site {
  last: Layout | null = null
  private others: Array<Layout> | null = null
  private inner: Site | null = null

  /** What is in the elements of arrays, and in objects that are like no others. */
  get elements(): Site {
    return this.inner ??= new Site()
  }

  find(keys: ReadonlyArray<string>): Layout | null {
    const { last, others } = this
    if (last === null) return null
    if (sameKeys(last.keys, keys)) return last
    if (others === null) return null
    for (let i = 0; i < others.length; i++) {
      const layout = others[i]!
      if (!sameKeys(layout.keys, keys)) continue
      others[i] = last
      return this.last = layout
    }
    return null
  }

  add(layout: Layout): void {
    if (this.last !== null) {
      const others = this.others ??= []
      if (others.length === MAX_LAYOUTS) others.shift()
      others.push(this.last)
    }
    this.last = layout
  }
}

/** The numbers of the bits that are set. */
export const bitsOf = (bits: number): Array<number> => {
  const list: Array<number> = []
  for (let i = 0; i < LEAVABLE; i++) if ((bits & 1 << i) !== 0) list.push(i)
  return list
}

/** Stands for values where there are none yet. */
export const NOTHING: Array<any> = []

/** One level of nesting; reused by every container at that depth. */
export class Level implements Place {
  source: any = undefined
  keys: Array<string> | null = null
  count = 0
  index = 0
  /** An array's elements so far; an object's values in order of the keys, converted as far as `index`. Used again if it goes to the tape. */
  out: Array<any> = NOTHING
  private scratch: Array<any> | null = null
  site!: Site
  /** Of an object like one before. */
  layout: Layout | null = null
  /** Whether the object has very many keys. */
  isLarge = false
  /** Whether the values of an object are read one by one: `out` has those so far. */
  readsEach = false
  /** The guest's object of so many keys, once all values are there. */
  object: JSObject | null = null
  /** How many of its properties are paid for. */
  paid = 0
  /** Whether `out` has a property that is left out. */
  hasAbsent = false
  /** Whether it is in a long array. */
  isOneOfMany = false
  /** Whether it goes to the tape. */
  isLeft = false
  /** Of an object: which of its values are places on the tape, as bits. */
  left = 0
  /** Of an array that goes to the tape: whether all elements so far are places there; and whether only some would be. */
  holdsPlaces = false
  isMixed = false

  /** Has it put its values into an array that is used again and again. */
  toTape(): void {
    this.out = this.scratch ??= newElements()
  }

  /** Gives it an array of its own, since it does not go to the tape. */
  keep(): void {
    this.out = this.out.slice(0, this.count)
  }

  /** Whether what is in it may go to the tape, as far as it is concerned: then its value is a place. */
  get canHoldPlace(): boolean {
    return this.keys === null
      ? this.isLeft && !this.isMixed && (this.holdsPlaces || this.index === 1)
      : this.layout !== null && (this.isLeft || this.isOneOfMany) && this.index <= LEAVABLE
  }

  get siteOfValue(): Site {
    return this.layout === null ? this.site.elements : this.layout.site(this.index - 1)
  }
}
