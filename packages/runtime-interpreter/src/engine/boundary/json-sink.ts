/** JSON, as the host has it. */
export type Json = null | boolean | number | string | Array<Json> | { [key: string]: Json }

/** Takes the parts of a JSON value in order. */
export interface Sink {
  /** Estimated bytes taken so far. */
  readonly size: number
  openArray(): void
  openObject(): void
  /** The key of the value that comes next. */
  key(key: string | number): void
  primitive(value: null | boolean | number | string): void
  /** Ends the innermost array or object. */
  close(): void
}

/** Builds the value. */
export class JsonBuilder implements Sink {
  result: Json = null
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
    this.size += 64
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

  key(key: string | number): void {
    this.size += 8
    this.nextKey = String(key)
  }

  primitive(value: null | boolean | number | string): void {
    this.size += typeof value === "string" ? 8 + value.length : 8
    this.put(value)
  }

  close(): void {
    this.stack.pop()
    this.top = this.stack[this.stack.length - 1] ?? null
    this.isArray = Array.isArray(this.top)
  }
}

/** What a text has to be escaped for. */
// oxlint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f\ud800-\udfff]/

const quote = (text: string): string => special.test(text) ? JSON.stringify(text) : `"${text}"`

/** Writes the text, without white space. */
export class JsonText implements Sink {
  size = 0
  /** The beginning of the text. */
  private text = ""
  /** What follows it. Joined now and then, so that the host has no rope of single tokens. */
  private tokens: Array<string> = []
  private readonly closers: Array<"]" | "}"> = []
  /** Whether a comma must stand before the next value or its key. */
  private comma = false
  /** Whether the key of the next value was written. */
  private keyed = false

  get result(): string {
    this.flush()
    return this.text
  }

  private flush(): void {
    this.text += this.tokens.join("")
    this.tokens = []
  }

  private write(token: string): void {
    if (this.comma && !this.keyed) this.tokens.push(",")
    this.keyed = false
    this.push(token)
  }

  private push(token: string): void {
    this.size += token.length * 2 + 2
    if (this.tokens.push(token) > 4096) this.flush()
  }

  private open(opener: string, closer: "]" | "}"): void {
    this.write(opener)
    this.closers.push(closer)
    this.comma = false
  }

  openArray(): void {
    this.open("[", "]")
  }

  openObject(): void {
    this.open("{", "}")
  }

  key(key: string | number): void {
    this.write(`${quote(String(key))}:`)
    this.keyed = true
  }

  primitive(value: null | boolean | number | string): void {
    this.write(typeof value === "string" ? quote(value) : String(value))
    this.comma = true
  }

  close(): void {
    this.push(this.closers.pop()!)
    this.comma = true
  }
}
