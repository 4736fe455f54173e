/** The built-in objects of the standard: one file per intrinsic, joined into the table that a realm is made from. */
import type { Intrinsics } from "../object/index.ts"
import { arrayBufferIntrinsics } from "./array-buffer.ts"
import { arrayIteratorIntrinsics } from "./array-iterator.ts"
import { arrayIntrinsics } from "./array.ts"
import { bigintIntrinsics } from "./bigint.ts"
import { booleanIntrinsics } from "./boolean.ts"
import { dataViewIntrinsics } from "./data-view.ts"
import { disposableStackIntrinsics } from "./disposable-stack.ts"
import { errorIntrinsics } from "./error.ts"
import { functionIntrinsics } from "./function.ts"
import { globalIntrinsics } from "./global.ts"
import { mathIntrinsics } from "./math.ts"
import { numberIntrinsics } from "./number.ts"
import { objectIntrinsics } from "./object.ts"
import { promiseIntrinsics } from "./promise.ts"
import { proxyIntrinsics } from "./proxy.ts"
import { reflectIntrinsics } from "./reflect.ts"
import { stringIteratorIntrinsics } from "./string-iterator.ts"
import { stringIntrinsics } from "./string.ts"
import { symbolIntrinsics } from "./symbol.ts"
import { timersIntrinsics } from "./timers.ts"
import { uriIntrinsics } from "./uri.ts"

export { absent } from "./absent.ts"
export { globals } from "./global.ts"

/** Every intrinsic by its name. */
export const intrinsics: Intrinsics = {
  ...arrayBufferIntrinsics,
  ...arrayIntrinsics,
  ...arrayIteratorIntrinsics,
  ...bigintIntrinsics,
  ...booleanIntrinsics,
  ...dataViewIntrinsics,
  ...disposableStackIntrinsics,
  ...errorIntrinsics,
  ...functionIntrinsics,
  ...globalIntrinsics,
  ...mathIntrinsics,
  ...numberIntrinsics,
  ...objectIntrinsics,
  ...promiseIntrinsics,
  ...proxyIntrinsics,
  ...reflectIntrinsics,
  ...stringIntrinsics,
  ...stringIteratorIntrinsics,
  ...symbolIntrinsics,
  ...timersIntrinsics,
  ...uriIntrinsics,
}
