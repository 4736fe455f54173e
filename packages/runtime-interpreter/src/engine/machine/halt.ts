/** Which meter ended a run. */
export type HaltReason = "fuel" | "memory" | "nested"

/** The end of a run by a meter. It passes through host code as an exception; no guest code sees it. */
export class Halt {
  constructor(readonly reason: HaltReason) {}
}
