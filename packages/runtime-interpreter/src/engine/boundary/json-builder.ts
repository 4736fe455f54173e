/** JSON, as the host has it. */
export type Json = null | boolean | number | string | Array<Json> | { [key: string]: Json }

/**
 * Builds a JSON value from its parts in order. Text is best made by the host's `JSON.stringify` of the value: that is twice as
 * fast as writing it part by part.
 */
export class JsonBuilder {
  result: Json = null
  /** Estimated bytes taken so far. */
  size = 0
  private readonly stack: Array<Array<Json> | { [key: string]: Json }> = []
  private top: Array<Json> | { [key: string]: Json } | null = null
  private isArray = false
  private nextKey = ""

  private put(value: Json): void {
    if (this.top === null) this.result = value
    else if (this.isArray) (this.top as Array<Json>).push(value)
    else if (this.nextKey === "__proto__") {
      Object.defineProperty(this.top, "__proto__", { value, writable: true, enumerable: true, configurable: true })
    } else (this.top as { [key: string]: Json })[this.nextKey] = value
  }

  private open(container: Array<Json> | { [key: string]: Json }, isArray: boolean): void {
    this.size += 128
    this.put(container)
    this.stack.push(container)
    this.top = container
    this.isArray = isArray
  }

  openArray(): void {
    this.open([], true)
  }

  openObject(): void {
    this.open({}, false)
  }

  /** The key of the value that comes next. */
  key(key: string | number): void {
    this.size += 8
    this.nextKey = String(key)
  }

  primitive(value: null | boolean | number | string): void {
    this.size += typeof value === "string" ? 8 + value.length : 8
    this.put(value)
  }

  /** Ends the innermost array or object. */
  close(): void {
    this.stack.pop()
    this.top = this.stack[this.stack.length - 1] ?? null
    this.isArray = Array.isArray(this.top)
  }
}
