import type { Machine } from "../machine/machine.ts"
import { type Calls, describe, type Intrinsics, newElements, Pause, toString, type Value } from "../object/index.ts"
import { generatorMethod, method } from "./define.ts"
import { boundFunction, defineService, requireOptions, toGuest } from "./intl-service.ts"
import { forEachOf, hold } from "./iteration.ts"
import { callHost, collate, collatorOptions, HostCache, hostCollator, known, readOptions } from "./locale.ts"

/** https://tc39.es/ecma402/#collator-objects */
const collator = defineService<Intl.Collator>({
  name: "Collator",
  callable: true,
  read: collatorOptions,
  host: hostCollator,
  constructor_: () => Intl.Collator,
  members: ({ data, host }) => [
    boundFunction("Intl.Collator", "compare", 2, data, (m, slots, args) => {
      const a = toString(m, args[0])
      const b = toString(m, args[1])
      return collate(m, host(m, slots), a, b)
    }),
  ],
})

// ---------------------------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------------------------

interface ListPart {
  readonly type: "element" | "literal"
  readonly value: string
}

/** How much of an element the host sees: what stands between two elements may depend on how they begin. */
const SEEN = 64

/** So many elements are joined between two pauses. */
const BLOCK = 4096

/** https://tc39.es/ecma402/#sec-createstringlistfromiterable */
function* textsOf(m: Machine, iterable: Value): Calls<Array<string>> {
  const texts: Array<string> = []
  if (iterable === undefined) return texts
  hold(m, texts)
  let length = 0
  yield* forEachOf(m, iterable, (value) => {
    if (typeof value !== "string") throw m.typeError(`Iterable yielded ${describe(value)} which is not a string`)
    m.allocate(8)
    length += value.length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    texts.push(value)
    return undefined
  })
  return texts
}

/**
 * https://tc39.es/ecma402/#sec-createpartsfromlist — the host joins the first and the last two elements. Between all others
 * stands what it puts between the second and the third of four.
 */
function* joinTexts(
  m: Machine,
  format: Intl.ListFormat,
  texts: ReadonlyArray<string>,
  put: (part: ListPart) => void,
): Calls<void> {
  const { length } = texts
  const sample = length <= 4 ? texts : [texts[0]!, texts[1]!, texts[length - 2]!, texts[length - 1]!]
  m.charge(100)
  let next = 0
  for (const { type, value } of format.formatToParts(sample.map((text) => text.slice(0, SEEN))) as Array<ListPart>) {
    if (type === "element") put({ type, value: texts[next++]! })
    else {
      if (next === 2 && length > 4) {
        for (; next < length - 2; next++) {
          if (next % BLOCK === 0) yield Pause
          m.charge(4)
          put({ type, value })
          put({ type: "element", value: texts[next]! })
        }
      }
      put({ type, value })
    }
  }
}

const lists = new HostCache<Intl.ListFormat>(16)

/** https://tc39.es/ecma402/#listformat-objects */
const listFormat = defineService<Intl.ListFormat>({
  name: "ListFormat",
  read: (m, options) =>
    readOptions(m, requireOptions(m, options), [["localeMatcher", "string"], ["type", "string"], ["style", "string"]]),
  host: (m, key, locales, options) =>
    lists.get(m, key, () => new Intl.ListFormat(known(m, Intl.ListFormat, locales), options as Intl.ListFormatOptions)),
  constructor_: () => Intl.ListFormat,
  members: ({ data, host }) => [
    generatorMethod("format", 1, function*(m, thisValue, args) {
      const slots = data(m, thisValue, "format")
      const texts = yield* textsOf(m, args[0])
      let text = ""
      yield* joinTexts(m, host(m, slots), texts, ({ value }) => {
        m.allocate(32)
        text += value
        if (text.length > m.maxStringLength) throw m.rangeError("Invalid string length")
      })
      return text
    }),
    generatorMethod("formatToParts", 1, function*(m, thisValue, args) {
      const slots = data(m, thisValue, "formatToParts")
      const texts = yield* textsOf(m, args[0])
      const parts: Array<Value> = newElements()
      hold(m, parts)
      yield* joinTexts(m, host(m, slots), texts, (part) => parts.push(toGuest(m, part)))
      return m.realm.newArray(parts)
    }),
  ],
})

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

const names = new HostCache<Intl.DisplayNames>(16)

/** https://tc39.es/ecma402/#intl-displaynames-objects */
const displayNames = defineService<Intl.DisplayNames>({
  name: "DisplayNames",
  length: 2,
  read: (m, options) => {
    if (options === undefined) throw m.typeError("invalid_argument")
    return readOptions(m, requireOptions(m, options), [
      ["localeMatcher", "string"],
      ["style", "string"],
      ["type", "string"],
      ["fallback", "string"],
      ["languageDisplay", "string"],
    ])
  },
  host: (m, key, locales, options) =>
    names.get(
      m,
      key,
      () => new Intl.DisplayNames(known(m, Intl.DisplayNames, locales), options as unknown as Intl.DisplayNamesOptions),
    ),
  constructor_: () => Intl.DisplayNames,
  members: ({ data, host }) => [
    method("of", 1, (m, thisValue, args) => {
      const slots = data(m, thisValue, "of")
      const code = toString(m, args[0])
      m.charge(200)
      if (code.length > 256) throw m.rangeError("Invalid argument to Intl.DisplayNames.prototype.of")
      return callHost(m, () => host(m, slots).of(code))
    }),
  ],
})

export const intlTextIntrinsics: Intrinsics = {
  ...collator.intrinsics,
  ...listFormat.intrinsics,
  ...displayNames.intrinsics,
}
