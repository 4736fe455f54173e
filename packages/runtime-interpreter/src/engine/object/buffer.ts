import type { Agent } from "./agent.ts"
import { type JSObject, Kind } from "./value.ts"

/** The longest buffer, in bytes, whatever the memory limit. */
export const MAX_BUFFER_LENGTH = 0x7fffffff

const NO_BYTES = new Uint8Array(0)

/** The internal slots of an `ArrayBuffer`. */
export class BufferData {
  detached = false

  constructor(
    /** All of the buffer's bytes, and nothing else: replaced, never changed in length, when the buffer is resized. */
    public bytes: Uint8Array,
    /** For a resizable buffer. */
    readonly maxByteLength: number | undefined,
  ) {}
}

/** https://tc39.es/ecma262/#sec-createbytedatablock — bytes that are all zero. */
export const allocateBytes = (m: Agent, length: number): Uint8Array => {
  if (length > MAX_BUFFER_LENGTH) throw m.rangeError("Array buffer allocation failed")
  m.charge(1 + (length >>> 8))
  m.allocate(length)
  try {
    return new Uint8Array(length)
  } catch {
    throw m.rangeError("Array buffer allocation failed")
  }
}

/** Gives a resizable buffer another length, which must be allowed. */
export const resizeBuffer = (m: Agent, data: BufferData, length: number): void => {
  if (length === data.bytes.length) return
  const bytes = allocateBytes(m, length)
  m.charge(Math.min(length, data.bytes.length) >>> 6)
  bytes.set(length < data.bytes.length ? data.bytes.subarray(0, length) : data.bytes)
  data.bytes = bytes
}

/** https://tc39.es/ecma262/#sec-detacharraybuffer */
export const detachBuffer = (data: BufferData): void => {
  data.detached = true
  // A new array each time, for views tell by its identity that theirs is out of date.
  data.bytes = NO_BYTES.slice()
}

export const isArrayBuffer = (value: unknown): value is JSObject =>
  typeof value === "object" && value !== null && (value as JSObject).kind === Kind.ArrayBuffer

/** The internal slots of a `DataView`. */
export class DataViewData {
  private host: DataView | null = null
  private viewed: Uint8Array | null = null

  constructor(
    readonly buffer: JSObject,
    readonly byteOffset: number,
    /** Undefined for a view that goes to the end of a resizable buffer, wherever that is. */
    readonly fixedLength: number | undefined,
  ) {}

  /** The length in bytes now, or -1 where the buffer no longer reaches so far. https://tc39.es/ecma262/#sec-isviewoutofbounds */
  get byteLength(): number {
    const { bytes, detached }: BufferData = this.buffer.data
    if (detached) return -1
    if (this.fixedLength === undefined) return bytes.length >= this.byteOffset ? bytes.length - this.byteOffset : -1
    return bytes.length >= this.byteOffset + this.fixedLength ? this.fixedLength : -1
  }

  /** The host's view of the whole buffer. */
  get whole(): DataView {
    const { bytes }: BufferData = this.buffer.data
    if (this.host === null || this.viewed !== bytes) {
      this.host = new DataView(bytes.buffer)
      this.viewed = bytes
    }
    return this.host
  }
}
