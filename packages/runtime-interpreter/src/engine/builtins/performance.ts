import type { Machine } from "../machine/machine.ts"
import { addProperty, Attribute, type Intrinsics, SymbolToStringTag } from "../object/index.ts"
import { accessor, method, object, tag } from "./define.ts"

/** https://w3c.github.io/hr-time/#dom-performance-now — milliseconds since the run began, to the microsecond. */
const now = (m: Machine): number => Math.round((m.host.monotonic() - m.startedAt) * 1000) / 1000

/** The first answer stays: later ones would differ by what the clocks differ. */
interface PerformanceData {
  timeOrigin: number | undefined
}

/** https://w3c.github.io/hr-time/#dom-performance-timeorigin */
const timeOrigin = (m: Machine): number => {
  const data: PerformanceData = m.realm.intrinsic("performance").data
  return data.timeOrigin ??= m.host.now() - now(m)
}

export const performanceIntrinsics: Intrinsics = {
  performance: object({
    name: "performance",
    proto: "PerformancePrototype",
    data: (): PerformanceData => ({ timeOrigin: undefined }),
    members: [],
  }),
  PerformancePrototype: object({
    name: "Performance.prototype",
    members: [
      method("now", 0, now),
      accessor("timeOrigin", timeOrigin),
      method("toJSON", 0, (m) => {
        const json = m.realm.newObject()
        addProperty(json, "timeOrigin", timeOrigin(m), Attribute.All)
        return json
      }),
      tag(SymbolToStringTag, "Performance"),
    ],
  }),
}
