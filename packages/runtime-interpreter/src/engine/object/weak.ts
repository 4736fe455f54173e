import type { JSObject, Value } from "./value.ts"

/**
 * The entries of a weak map, or the members of a weak set. A table of ours rather than the host's weak one, so that it can
 * be listed: what an entry holds counts as live only if its key is, and entries whose keys are not can be dropped when the
 * live values are traced.
 */
export class WeakTable {
  readonly entries = new Map<JSObject | symbol, Value>()
}
