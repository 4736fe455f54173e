/** A source of random choices that gives the same ones for the same seed, on every machine. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** A whole number from 0 to 2^32 - 1. */
  private next(): number {
    this.state = (this.state + 0x9e3779b9) | 0
    let x = this.state
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
    return (x ^ (x >>> 15)) >>> 0
  }

  /** A whole number from 0 to one less than `end`. */
  below(end: number): number {
    return this.next() % end
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  pick<A>(values: ReadonlyArray<A>): A {
    return values[this.below(values.length)]!
  }

  list<A>(least: number, most: number, make: () => A): Array<A> {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
}
