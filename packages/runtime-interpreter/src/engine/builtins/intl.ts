import type { Machine } from "../machine/machine.ts"
import { type Intrinsics, type Native, SymbolToStringTag, toString } from "../object/index.ts"
import { intrinsic, method, object, tag } from "./define.ts"
import { intlDateIntrinsics } from "./intl-date.ts"
import { intlLocaleIntrinsics } from "./intl-locale.ts"
import { intlNumberIntrinsics } from "./intl-number.ts"
import { intlSegmenterIntrinsics } from "./intl-segmenter.ts"
import { toGuest } from "./intl-service.ts"
import { intlTextIntrinsics } from "./intl-text.ts"
import { callHost, canonicalLocales } from "./locale.ts"

const constructors = [
  "DateTimeFormat",
  "NumberFormat",
  "Collator",
  "PluralRules",
  "RelativeTimeFormat",
  "ListFormat",
  "Locale",
  "DisplayNames",
  "Segmenter",
]

/** https://tc39.es/ecma402/#sec-intl.supportedvaluesof */
const supportedValuesOf: Native<Machine> = (m, _this, args) => {
  const key = toString(m, args[0])
  m.charge(5000)
  if (key.length > 64) throw m.rangeError(`Invalid key : ${key.slice(0, 64)}...`)
  return toGuest(m, callHost(m, () => Intl.supportedValuesOf(key as "calendar")))
}

export const intlIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma402/#intl-object */
  Intl: object({
    name: "Intl",
    members: [
      tag(SymbolToStringTag, "Intl"),
      method("getCanonicalLocales", 1, (m, _this, args) => toGuest(m, canonicalLocales(m, args[0]))),
      method("supportedValuesOf", 1, supportedValuesOf),
      ...constructors.map((name) => intrinsic(name, `Intl${name}`)),
    ],
  }),
  ...intlDateIntrinsics,
  ...intlLocaleIntrinsics,
  ...intlNumberIntrinsics,
  ...intlSegmenterIntrinsics,
  ...intlTextIntrinsics,
}
