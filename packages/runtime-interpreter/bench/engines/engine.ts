/** What runs a program of the benchmark: each run in a realm of its own, with the benchmark's tools, from source text to value. */
export interface Engine {
  readonly name: string
  /** The value of a program, as JSON. */
  readonly run: (code: string) => Promise<unknown>
}

/** A value of another realm as one of ours, and what is no JSON made JSON. */
export const asJson = (value: unknown): unknown => value === undefined ? null : JSON.parse(JSON.stringify(value))
