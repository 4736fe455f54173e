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

/** Of the code of a function. */
interface Stretchable {
  readonly enterStretch: () => number
  readonly leaveStretch: (at: number) => void
}

/** The code of parts that follow each other: a run pays for a stretch of it when it comes there, and can be interrupted between two. */
export class Stretches {
  private readonly pace = new Pace()
  private at = -1

  constructor(private readonly f: Stretchable) {}

  /** Says after a part whether it is time for a step. */
  isDue(part: { readonly start: number; readonly end: number }): boolean {
    if (!this.pace.isDue(part)) return false
    this.end()
    this.at = this.f.enterStretch()
    return true
  }

  /** After the last part. */
  end(): void {
    if (this.at >= 0) this.f.leaveStretch(this.at)
    this.at = -1
  }
}
