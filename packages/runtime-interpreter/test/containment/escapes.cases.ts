import { failures, outputs, results } from "./escapes/boundary.cases.ts"
import type { Escape } from "./escapes/case.ts"
import { constructors, modules } from "./escapes/constructors.cases.ts"
import { stacks, thrown } from "./escapes/errors.cases.ts"
import { intrinsics } from "./escapes/intrinsics.cases.ts"
import { names } from "./escapes/names.cases.ts"
import { promises } from "./escapes/promises.cases.ts"
import { proxies } from "./escapes/proxies.cases.ts"
import { tools } from "./escapes/tools.cases.ts"

/** Programs that try to escape: one for each technique in the published histories of sandboxes and interpreters. */
export const escapes: ReadonlyArray<Escape> = [
  ...constructors,
  ...modules,
  ...names,
  ...thrown,
  ...stacks,
  ...proxies,
  ...intrinsics,
  ...promises,
  ...tools,
  ...results,
  ...failures,
  ...outputs,
]
