/** The built-in objects of the standard: one file per intrinsic, joined into the table that a realm is made from. */
import type { Intrinsics } from "../object/index.ts"
import { arrayBufferIntrinsics } from "./array-buffer.ts"
import { arrayIntrinsics } from "./array.ts"
import { bigintIntrinsics } from "./bigint.ts"
import { booleanIntrinsics } from "./boolean.ts"
import { consoleIntrinsics } from "./console.ts"
import { cryptoIntrinsics } from "./crypto.ts"
import { dataViewIntrinsics } from "./data-view.ts"
import { dateIntrinsics } from "./date.ts"
import { disposableStackIntrinsics } from "./disposable-stack.ts"
import { encodingIntrinsics } from "./encoding.ts"
import { errorIntrinsics } from "./error.ts"
import { functionIntrinsics } from "./function.ts"
import { generatorIntrinsics } from "./generator.ts"
import { globalIntrinsics } from "./global.ts"
import { intlIntrinsics } from "./intl.ts"
import { iteratorIntrinsics } from "./iterator.ts"
import { jsonIntrinsics } from "./json.ts"
import { mapIntrinsics } from "./map.ts"
import { mathIntrinsics } from "./math.ts"
import { numberIntrinsics } from "./number.ts"
import { objectPrototypeIntrinsics } from "./object-prototype.ts"
import { objectIntrinsics } from "./object.ts"
import { performanceIntrinsics } from "./performance.ts"
import { promiseIntrinsics } from "./promise.ts"
import { proxyIntrinsics } from "./proxy.ts"
import { reflectIntrinsics } from "./reflect.ts"
import { regexpIntrinsics } from "./regexp.ts"
import { setIntrinsics } from "./set.ts"
import { stringIntrinsics } from "./string.ts"
import { structuredCloneIntrinsics } from "./structured-clone.ts"
import { symbolIntrinsics } from "./symbol.ts"
import { timersIntrinsics } from "./timers.ts"
import { typedArrayIntrinsics } from "./typed-array.ts"
import { uriIntrinsics } from "./uri.ts"
import { urlIntrinsics } from "./url.ts"
import { weakIntrinsics } from "./weak.ts"

export { globals } from "../object/global-names.ts"
export { absent } from "./absent.ts"

/** Every intrinsic by its name. */
export const intrinsics: Intrinsics = {
  ...arrayBufferIntrinsics,
  ...arrayIntrinsics,
  ...bigintIntrinsics,
  ...booleanIntrinsics,
  ...consoleIntrinsics,
  ...cryptoIntrinsics,
  ...dataViewIntrinsics,
  ...dateIntrinsics,
  ...disposableStackIntrinsics,
  ...encodingIntrinsics,
  ...errorIntrinsics,
  ...functionIntrinsics,
  ...generatorIntrinsics,
  ...globalIntrinsics,
  ...intlIntrinsics,
  ...iteratorIntrinsics,
  ...jsonIntrinsics,
  ...mapIntrinsics,
  ...mathIntrinsics,
  ...numberIntrinsics,
  ...objectIntrinsics,
  ...objectPrototypeIntrinsics,
  ...performanceIntrinsics,
  ...promiseIntrinsics,
  ...proxyIntrinsics,
  ...reflectIntrinsics,
  ...regexpIntrinsics,
  ...setIntrinsics,
  ...stringIntrinsics,
  ...structuredCloneIntrinsics,
  ...symbolIntrinsics,
  ...timersIntrinsics,
  ...typedArrayIntrinsics,
  ...uriIntrinsics,
  ...urlIntrinsics,
  ...weakIntrinsics,
}
