import type { Json } from "../boundary/index.ts"

/** Bounds of a run; `Infinity` for none. */
export interface RunLimits {
  readonly fuel: number
  readonly memory: number
  readonly callDepth: number
  readonly stringLength: number
  readonly bigintBits: number
  readonly dataDepth: number
  readonly toolCalls: number
  readonly concurrentCalls: number
  readonly logLines: number
  readonly logLength: number
}

/** What a run needs of the world. */
export interface RunHost {
  readonly now: () => number
  readonly monotonic: () => number
  /** The same of real time, whatever clock the run has. */
  readonly elapsed?: () => number
  readonly random: () => number
  /** Asks for `alarm` to be called once so many milliseconds have passed, and not for what was asked before. */
  readonly setAlarm: (delay: number) => void
  /** Starts a call. Its end is told with `settleCall` or `failCall`, at once or later. */
  readonly startCall: (id: number, tool: string, input: { readonly [key: string]: Json }) => void
  /** Hears each line as it is logged. */
  readonly log?: ((line: string) => void) | undefined
}

export interface RunOptions {
  readonly limits: RunLimits
  readonly host: RunHost
  /** The callable names, dotted. */
  readonly tools: ReadonlyArray<string>
  /** Read-only values by name. */
  readonly globals?: Readonly<Record<string, Json>> | undefined
  readonly locale?: string | undefined
  readonly timeZone?: string | undefined
}
