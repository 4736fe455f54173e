import type { Json } from "../boundary/index.ts"
import type { RunHost } from "./run-options.ts"

/** A call of a tool. */
export interface Call {
  readonly id: number
  readonly tool: string
  readonly input: { readonly [key: string]: Json }
}

/** Whose turn it is: so many calls of a run are under way at once, and others wait until one has ended or steps aside. */
export class Turns {
  private running = 0
  private readonly queue: Array<Call> = []
  private queueNext = 0
  /** Calls that wait for something of the host's and take no turn meanwhile. */
  private readonly aside = new Set<number>()
  /** Those of them that are to go on when there is a turn. */
  private readonly returning: Array<{ readonly id: number; readonly resume: () => void }> = []
  private isStarting = false
  private isOver = false

  constructor(private readonly concurrent: number, private readonly host: Pick<RunHost, "startCall">) {}

  /** Starts a call, at once or when there is a turn. */
  start(call: Call): void {
    if (this.running >= this.concurrent) this.queue.push(call)
    else this.begin(call)
  }

  /** A call waits for something that is not the program's. */
  stepAside(id: number): void {
    this.giveUp(id)
    this.aside.add(id)
  }

  /** A call that stepped aside is to go on: `resume` is called when there is a turn. */
  goOn(id: number, resume: () => void): void {
    this.returning.push({ id, resume })
    this.startNext()
  }

  /** A call has ended. */
  giveUp(id: number): void {
    if (this.aside.delete(id)) return
    this.running--
    this.startNext()
  }

  /** Starts nothing any more. */
  end(): void {
    this.isOver = true
  }

  private begin({ id, input, tool }: Call): void {
    this.running++
    this.host.startCall(id, tool, input)
  }

  private startNext(): void {
    if (this.isOver || this.isStarting) return
    // Calls that end at once start the next ones here, not one inside the other.
    this.isStarting = true
    while (this.running < this.concurrent) {
      const back = this.returning.shift()
      if (back !== undefined) {
        this.aside.delete(back.id)
        this.running++
        back.resume()
      } else if (this.queueNext < this.queue.length) this.begin(this.queue[this.queueNext++]!)
      else break
    }
    if (this.queueNext === this.queue.length) this.queue.length = this.queueNext = 0
    this.isStarting = false
  }
}
