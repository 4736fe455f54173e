/** Of what is long, this many characters are gone through at once. */
export const PIECE = 2048

/** Whether something is gone through in steps. */
export const isLong = (node: { readonly start: number; readonly end: number }): boolean => node.end - node.start > PIECE

/** Says, between parts that follow each other, when it is time for a step. */
export class Pace {
  private from = -1

  isDue({ end, start }: { readonly start: number; readonly end: number }): boolean {
    if (this.from < 0) this.from = start
    if (end - this.from <= PIECE) return false
    this.from = end
    return true
  }
}
