import { Limits } from "@effect-codemode/runtime-interpreter"

/** What a measurement must stay below: milliseconds, and bytes of host heap for each byte that a run may have, and beside them. */
export const bounds = { p99: 20, max: 150, heapRatio: 2, heapRest: 32 << 20 } as const

/** Bytes by which so many runs at once may have the host's heap grow. */
export const heapBound = (runs: number): number => runs * bounds.heapRatio * Limits.defaults.memory + bounds.heapRest
