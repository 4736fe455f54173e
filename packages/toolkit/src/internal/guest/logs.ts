const MAX_LINES = 1_000
const MAX_LENGTH = 64 << 10

/** What a program logged: the first lines, and how many more there were. */
export class Logs {
  private readonly kept: Array<string> = []
  private length = 0
  private dropped = 0

  /** `hear` is told of the lines that are kept. */
  constructor(private readonly hear: ((line: string) => void) | undefined) {}

  add(line: string): void {
    if (this.dropped > 0 || this.kept.length === MAX_LINES || this.length + line.length > MAX_LENGTH) {
      this.dropped++
      return
    }
    this.kept.push(line)
    this.length += line.length
    this.hear?.(line)
  }

  get lines(): ReadonlyArray<string> {
    return this.dropped === 0 ? this.kept : [...this.kept, `[${this.dropped} more lines were logged and are left out]`]
  }
}
