/**
 * Bytes of which nobody knows beforehand how many come. They are kept in blocks, and put together once. Where more than half of the most
 * that is taken has come, the rest goes to its final place at once, so that all of them need no more than one and a half times that most.
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
    const joined = this.blocks.length === 1 && this.used >= first!.length * 3 / 4
      ? first!.subarray(0, this.used)
      : this.copy(this.length)
    this.blocks = []
    return joined
  }

  private grow(): Uint8Array {
    const isMoved = this.length * 2 >= this.most && this.length < this.most && this.length > largest
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
