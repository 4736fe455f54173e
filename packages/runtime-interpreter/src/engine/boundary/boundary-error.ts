import type { JSObject } from "../object/index.ts"

/** What about a value keeps it from crossing. */
export type BoundaryProblem =
  | "promise"
  | "function"
  | "symbol"
  | "bigint"
  | "cycle"
  | "depth"
  | "size"
  /** An object of the host's that is no plain one: a `Date`, a `Map`, an instance of some class. */
  | "instance"
  /** An object of the host's that threw while it was read. */
  | "unreadable"

/**
 * A value cannot cross between host and program. It is thrown through host code only: whoever moves the value turns it
 * into the error that a program or the model sees.
 */
export class BoundaryError extends Error {
  override readonly name = "BoundaryError"

  constructor(
    readonly problem: BoundaryProblem,
    /** Where the value is: `result.items[3].load`. */
    readonly path: string,
    /** Why it cannot cross, to follow the path in a sentence: "is a function, which JSON cannot hold". */
    readonly reason: string,
    /** For a promise of the program: the promise. */
    readonly promise?: JSObject,
  ) {
    super(`${path} ${reason}`)
  }
}

/** What a conversion in either direction is held to. */
export interface BoundaryOptions {
  /** What paths in errors start with: "result", "input". */
  readonly root: string
  /** The deepest nesting of arrays and objects. A value without any has depth 0. */
  readonly maxDepth: number
  /**
   * The most the copy may take, in bytes as estimated. The machine's own meter cannot see a copy before it is complete, and
   * a small value whose parts are shared can have a huge one.
   */
  readonly maxSize: number
}

/** The limits that hold where the caller sets none. */
export const boundaryDefaults: BoundaryOptions = { root: "result", maxDepth: 64, maxSize: 64 * 1024 * 1024 }

/** An array or object that is being converted, for paths. */
export interface Place {
  /** The keys of an object, in order; null for an array. */
  readonly keys: ReadonlyArray<string | number> | null
  /** The next element or key; the one before it is being converted. */
  readonly index: number
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** A longer key is cut in a path. */
const MAX_KEY = 64

const step = (key: string | number): string => {
  if (typeof key === "number") return `[${key}]`
  if (key.length > MAX_KEY) return `[${JSON.stringify(`${key.slice(0, MAX_KEY)}…`)}]`
  return identifier.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** The path to the value being converted: `result.items[3].load`. */
export const pathTo = (root: string, places: ReadonlyArray<Place>, depth: number): string => {
  let path = root
  for (let i = 0; i < depth; i++) {
    const { index, keys } = places[i]!
    // It was entered, and nothing in it was come to yet: it is the value itself.
    if (index === 0) break
    path += step(keys === null ? index - 1 : keys[index - 1]!)
  }
  return path
}
