import { detach } from "../builtins/text.ts"
import { count } from "./count.ts"

/** What a program logs, within limits: the first lines are kept, and the last one says how many were not. */
export class Logs {
  readonly lines: Array<string> = []
  private length = 0
  private dropped = 0
  private full = false

  constructor(
    private readonly maxLines: number,
    /** UTF-16 code units, of all lines together. */
    private readonly maxLength: number,
    private readonly hear: ((line: string) => void) | undefined,
  ) {}

  add(line: string): void {
    if (this.full || this.lines.length >= this.maxLines) {
      this.full = true
      this.dropped++
      return
    }
    const room = this.maxLength - this.length
    if (line.length > room) {
      // The beginning of it still tells something.
      this.full = true
      if (room < CUT.length * 2) {
        this.dropped++
        return
      }
      line = line.slice(0, room - CUT.length) + CUT
    }
    this.length += line.length
    // It may be a part of a text of millions of characters, which the host would keep with it.
    this.keep(detach(line))
  }

  /** Adds the last line, if there is something to say. */
  close(): void {
    if (this.dropped === 0) return
    const lines = this.dropped === 1 ? "line was" : "lines were"
    const limits = [
      ...this.maxLines === Infinity ? [] : [`${count(this.maxLines)} lines`],
      ...this.maxLength === Infinity ? [] : [`${count(this.maxLength)} characters`],
    ]
    this.keep(`[${count(this.dropped)} more ${lines} dropped: a run keeps ${limits.join(" and ")}]`)
    this.dropped = 0
  }

  private keep(line: string): void {
    this.lines.push(line)
    this.hear?.(line)
  }
}

const CUT = "… [cut]"
