/** Everything a machine can ask of the world outside it. */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds, with fractions, since an arbitrary start. */
  monotonic(): number
  /** The same of real time, whatever clock the run has: it shows how long the run holds the host. */
  readonly elapsed?: () => number
  /** A number in [0, 1), from the run's random source. */
  random(): number
  /** Takes a line of output. */
  log(level: LogLevel, text: string): void
  /** Asks to be told with `machine.fireTimer(id)` once `delay` milliseconds have passed. */
  setTimer(id: number, delay: number): void
  clearTimer(id: number): void
  /** Starts a tool call, whose promise is `machine.calls.get(id)` until it ends. */
  startCall(id: number, path: string, input: unknown): void
}

export type LogLevel = "log" | "info" | "debug" | "warn" | "error"
