/**
 * How much of answers the calls of a run hold at once while these are read. A program needs no memory to ask for sixteen large answers
 * together, and the host would hold all of them.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** So many bytes are held of answers that have not ended. Beyond, only the first of them goes on, so that one always does. */
const most = 32 * 1024 * 1024

/** The answers that the calls of a run read. */
export class Reading {
  private readonly readers = new Set<Reader>()
  private bytes = 0

  /** Notes a piece of an answer. */
  add(reader: Reader, bytes: number): void {
    this.readers.add(reader)
    this.bytes += bytes
  }

  mayGoOn(reader: Reader): boolean {
    return this.bytes <= most || this.readers.values().next().value === reader
  }

  /** Notes that an answer of so many bytes is over. */
  end(reader: Reader, bytes: number): void {
    this.readers.delete(reader)
    this.bytes -= bytes
    // Those that go on may end at once.
    for (const other of Array.from(this.readers)) other.look()
  }
}

/** Those of the run that made the call that is running. */
export const RunReading = Context.Reference<Reading | undefined>(
  "@effect-codemode/toolkit/internal/reading/RunReading",
  { defaultValue: () => undefined },
)

/**
 * Makes a call that reads an answer. For each piece it runs `read` with how much memory is taken more, in bytes, and has the next one come when
 * that is done.
 */
export const inTurn = <A, E, R>(
  call: (read: (bytes: number) => Effect.Effect<void>) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(RunReading, (reading) => {
    if (reading === undefined) return call(pause)
    const reader = new Reader(reading)
    return Effect.onExitPrimitive(call(reader.read), () => {
      reader.end()
      return undefined
    })
  })

// Pieces that are there already come one after another within one turn of the event loop, and to read one takes milliseconds.
const long = 16 * 1024

const pause = (bytes: number): Effect.Effect<void> => bytes < long ? Effect.void : Effect.yieldNow

class Reader {
  private bytes = 0
  private goOn: (() => void) | undefined

  constructor(private readonly reading: Reading) {}

  readonly read = (bytes: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      this.bytes += bytes
      this.reading.add(this, bytes)
      return bytes < long ? this.turn : Effect.andThen(pause(bytes), this.turn)
    })

  private readonly turn: Effect.Effect<void> = Effect.suspend(() =>
    this.reading.mayGoOn(this) ? Effect.void : Effect.andThen(
      Effect.callback<void>((resume) => {
        this.goOn = () => resume(Effect.void)
      }),
      this.turn,
    )
  )

  /** Goes on, if it waits and may. */
  look(): void {
    if (this.goOn === undefined || !this.reading.mayGoOn(this)) return
    const { goOn } = this
    this.goOn = undefined
    goOn()
  }

  end(): void {
    this.goOn = undefined
    this.reading.end(this, this.bytes)
  }
}
