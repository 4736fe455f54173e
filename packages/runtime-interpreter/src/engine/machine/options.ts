import type { Intrinsics, JSObject, PropertyKey, Value } from "../object/index.ts"
import type { PUSHED } from "./frame.ts"
import type { Host } from "./host.ts"
import type { Machine } from "./machine.ts"

/** What the machine needs of the builtins, which are built on it. */
export interface Builtins {
  readonly intrinsics: Intrinsics
  /** What to write instead of a global that programs do not have, by its name. */
  readonly absent: Readonly<Record<string, string>>
  readonly createAsyncFromSyncIterator: (
    m: Machine,
    record: { iterator: JSObject; next: Value; done: boolean },
  ) => JSObject
  /** Answers `PUSHED` where a frame makes it. */
  readonly createRegExp: (m: Machine, pattern: string, flags: string) => Value | typeof PUSHED
  /**
   * The function that stands for a tool that is not there, where a program calls something that is `undefined`: a property of
   * `thisValue`, or the property `key` of what `expression` says.
   */
  readonly missingTool: (
    m: Machine,
    thisValue: Value,
    key: PropertyKey | undefined,
    expression: string | undefined,
  ) => JSObject | undefined
}

export interface MachineOptions {
  readonly host: Host
  readonly builtins: Builtins
  /** Steps the run may take in all. */
  readonly fuel?: number
  /** Bytes of live guest data. */
  readonly memory?: number
  /** Frames. */
  readonly callDepth?: number
  /** UTF-16 code units. */
  readonly stringLength?: number
  readonly bigintBits?: number
  readonly locale?: string
  readonly timeZone?: string
}
