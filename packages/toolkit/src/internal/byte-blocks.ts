/**
 * Bytes of which nobody knows beforehand how many come. They are kept in blocks and put together at the end, when they are there twice for
 * a moment. Where three quarters of the most that is taken have come, there is room made for that most, and the rest goes there at once: so
 * however many come, they never need twice the most that is taken.
 */
const smallest = 16 * 1024
const largest = 256 * 1024

export class ByteBlocks {
  /** How many bytes have come. */
  length = 0
  private readonly most: number
  private blocks: Array<Uint8Array> = []
  private used = 0

  /** `most`: how many bytes are taken of what comes, as far as that is known. More can be added. */
  constructor(most: number) {
    this.most = most
  }

  add(bytes: Uint8Array): void {
    let from = 0
    while (from < bytes.length) {
      let block = this.blocks.at(-1)
      if (block === undefined || this.used === block.length) block = this.grow()
      const part = bytes.subarray(from, from + block.length - this.used)
      block.set(part, this.used)
      this.used += part.length
      this.length += part.length
      from += part.length
    }
  }

  /** All in one. Nothing is added any more. */
  join(): Uint8Array {
    const [first] = this.blocks
    // What is left over of room for the most is no more than a quarter.
    const joined = this.blocks.length === 1 && this.used * 4 >= first!.length * 3
      ? first!.subarray(0, this.used)
      : this.copy(this.length)
    this.blocks = []
    return joined
  }

  private grow(): Uint8Array {
    const isMoved = this.length * 4 >= this.most * 3 && this.length < this.most && this.length > largest
    const block = isMoved ? this.copy(this.most) : new Uint8Array(Math.min(Math.max(this.length, smallest), largest))
    if (isMoved) this.blocks = [block]
    else this.blocks.push(block)
    this.used = isMoved ? this.length : 0
    return block
  }

  private copy(size: number): Uint8Array {
    const copy = new Uint8Array(size)
    let to = 0
    for (const block of this.blocks) {
      copy.set(block.length > this.length - to ? block.subarray(0, this.length - to) : block, to)
      to += block.length
    }
    return copy
  }
}
