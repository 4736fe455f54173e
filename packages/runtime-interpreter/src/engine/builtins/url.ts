import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  createFromConstructor,
  type Intrinsics,
  isObject,
  type JSObject,
  Kind,
  type Native,
  SymbolToStringTag,
  toString,
  type Value,
} from "../object/index.ts"
import { accessor, constructor, type Member, method, object, tag } from "./define.ts"
import { changeUrl, parseUrl, type UrlPart, type UrlParts } from "./url-host.ts"
import {
  paramsOfUrl,
  refreshParams,
  requireArguments,
  type UrlData,
  urlSearchParamsIntrinsics,
} from "./url-search-params.ts"
import { codedError } from "./web-error.ts"

const BRAND = "URL"

const dataOf = (m: Machine, value: Value): UrlData => {
  if (isObject(value) && value.kind === Kind.Internal && value.data.brand === BRAND) return value.data
  throw m.typeError("Receiver must be an instance of class URL")
}

const invalidUrl = (m: Machine, input: string) => {
  const error = codedError(m, "TypeError", "ERR_INVALID_URL", "Invalid URL")
  addProperty(error.value as JSObject, "input", input, Attribute.All)
  return error
}

/** The arguments of a parser: a text, and what it is relative to. */
const textsOf = (m: Machine, args: ReadonlyArray<Value>): [url: string, base?: string] => {
  requireArguments(m, args, "url")
  const url = toString(m, args[0])
  return args[1] === undefined ? [url] : [url, toString(m, args[1])]
}

const newData = (m: Machine, parts: UrlParts): UrlData => {
  m.allocate(128)
  return { brand: BRAND, parts, params: null }
}

/** https://url.spec.whatwg.org/#dom-url-url */
const construct: Native<Machine> = (m, _this, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Class constructor URL cannot be invoked without 'new'")
  const [text, base] = textsOf(m, args)
  const parts = parseUrl(m, text, base)
  if (parts === null) throw invalidUrl(m, text)
  return createFromConstructor(m, newTarget, "URLPrototype", Kind.Internal, newData(m, parts))
}

/** https://url.spec.whatwg.org/#dom-url-parse */
const parse: Native<Machine> = (m, _this, args) => {
  const parts = parseUrl(m, ...textsOf(m, args))
  return parts === null ? null : m.realm.newObjectOf(Kind.Internal, "URLPrototype", newData(m, parts))
}

/** https://url.spec.whatwg.org/#dom-url-canparse */
const canParse: Native<Machine> = (m, _this, args) => parseUrl(m, ...textsOf(m, args)) !== null

const flags = Attribute.Enumerable | Attribute.Configurable

const part = (name: UrlPart): Member =>
  accessor(name, (m, thisValue) => dataOf(m, thisValue).parts[name], (m, thisValue, args) => {
    const data = dataOf(m, thisValue)
    data.parts = changeUrl(m, data.parts, name, toString(m, args[0]))
    if (name === "search") refreshParams(m, data)
    return undefined
  }, flags)

/** https://url.spec.whatwg.org/#dom-url-href */
const setHref: Native<Machine> = (m, thisValue, args) => {
  const data = dataOf(m, thisValue)
  const text = toString(m, args[0])
  const parts = parseUrl(m, text)
  if (parts === null) throw invalidUrl(m, text)
  data.parts = parts
  refreshParams(m, data)
  return undefined
}

const href: Native<Machine> = (m, thisValue) => dataOf(m, thisValue).parts.href

export const urlIntrinsics: Intrinsics = {
  /** https://url.spec.whatwg.org/#url-class */
  URL: constructor({
    name: BRAND,
    length: 1,
    prototype: "URLPrototype",
    impl: construct,
    members: [
      method("canParse", 1, canParse, { flags: Attribute.All }),
      method("parse", 1, parse, { flags: Attribute.All }),
    ],
  }),
  URLPrototype: object({
    name: "URL.prototype",
    constructor_: BRAND,
    members: [
      method("toString", 0, href, { flags: Attribute.All }),
      accessor("href", href, setHref, flags),
      accessor("origin", (m, thisValue) => dataOf(m, thisValue).parts.origin, undefined, flags),
      part("protocol"),
      part("username"),
      part("password"),
      part("host"),
      part("hostname"),
      part("port"),
      part("pathname"),
      part("search"),
      accessor("searchParams", (m, thisValue) => paramsOfUrl(m, dataOf(m, thisValue)), undefined, flags),
      part("hash"),
      method("toJSON", 0, href, { flags: Attribute.All }),
      tag(SymbolToStringTag, BRAND),
    ],
  }),
  ...urlSearchParamsIntrinsics,
}
