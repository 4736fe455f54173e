/**
 * Bytes of which nobody knows beforehand how many come. They are kept in blocks and put together at the end, where each block is freed as
 * soon as it has been copied: what is there twice is one block.
 */
import { MessageChannel, type Port } from "./web.ts"

const smallest = 16 * 1024
const largest = 256 * 1024

export class ByteBlocks {
  /** How many bytes have come. */
  length = 0
  private blocks: Array<Uint8Array> = []
  private used = 0

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
    const joined = new Uint8Array(this.length)
    let to = 0
    for (const block of this.blocks) {
      const part = block.subarray(0, this.length - to)
      joined.set(part, to)
      to += part.length
      free(block)
    }
    this.blocks = []
    return joined
  }

  private grow(): Uint8Array {
    const block = new Uint8Array(Math.min(Math.max(this.length, smallest), largest))
    this.blocks.push(block)
    this.used = 0
    return block
  }
}

interface Transferable {
  /** Not in Node 20. */
  readonly transfer?: (length: number) => unknown
}

let nowhere: Port | undefined

// Frees a block. Until it is collected, for which nothing is urgent to V8 until there are many, it would lie beside the whole.
const free = (block: Uint8Array): void => {
  const buffer = block.buffer as ArrayBuffer & Transferable
  if (buffer.transfer !== undefined) buffer.transfer(0)
  else {
    // What is sent to a port that is closed is gone from here, and comes to nobody.
    nowhere ??= closedPort()
    nowhere.postMessage(undefined, [buffer])
  }
}

const closedPort = (): Port => {
  const { port1 } = new MessageChannel()
  port1.close()
  return port1
}
