/** `tools`: namespaces and functions that come into being when a program looks at them, and cannot be changed. */
import { BoundaryError, type Json, toJson } from "../boundary/index.ts"
import { currentPlace } from "../machine/errors.ts"
import type { Machine } from "../machine/machine.ts"
import type { Builtins } from "../machine/options.ts"
import { newPromise, rejectPromise } from "../machine/promise.ts"
import { startCall } from "../machine/tool-call.ts"
import {
  addProperty,
  type Agent,
  Attribute,
  type Calls,
  defineGeneratorNative,
  exoticGet,
  ExoticKind,
  exotics,
  type InternalMethods,
  isCompatible,
  isObject,
  JSObject,
  keyToValue,
  Kind,
  makeDictionary,
  NativeData,
  ordinary,
  type PropertyDescriptor,
  type PropertyKey,
  setIntegrityLevel,
  Throw,
  type Value,
} from "../object/index.ts"
import { failedCall } from "./failed-call.ts"
import { nodeAt, type ToolNode, treeOf } from "./tool-tree.ts"

/** How inputs cross. */
export interface InputLimits {
  readonly maxDepth: number
  readonly maxSize: number
}

/** What the namespaces of one run share. It is the host's, and not counted as memory of the program. */
class Shared {
  readonly #names: ReadonlyArray<string>
  readonly #limits: InputLimits

  constructor(names: ReadonlyArray<string>, limits: InputLimits) {
    this.#names = names
    this.#limits = limits
  }

  get root(): ToolNode {
    return treeOf(this.#names)
  }

  get limits(): InputLimits {
    return this.#limits
  }
}

/** The internal slots of a namespace. */
class NamespaceData {
  /** What was looked at so far. */
  readonly members = new Map<PropertyKey, JSObject>()
  /** The last name that was asked for and is not there. */
  missed: PropertyKey | null = null

  /** The root where it is absent. */
  readonly #node: ToolNode | null

  constructor(node: ToolNode | null, readonly shared: Shared) {
    this.#node = node
  }

  get node(): ToolNode {
    return this.#node ?? this.shared.root
  }
}

/** What a tool's function keeps. */
interface ToolState {
  readonly tool: string
  readonly shared: Shared
}

/** The namespace of what the runtime itself answers: there for programs that ask for it, but no tool of theirs to list. */
const OWN = "$codemode"

const isListed = (o: JSObject, key: PropertyKey): boolean => key !== OWN || (o.data as NamespaceData).node.name !== ""

const member = (m: Agent, o: JSObject, key: PropertyKey): JSObject | undefined => {
  const data: NamespaceData = o.data
  const known = data.members.get(key)
  if (known !== undefined) return known
  const child = data.node.children.get(key)
  if (child === undefined) {
    data.missed = key
    return undefined
  }
  const made = memberOf(m, child, data.shared)
  m.allocate(192)
  data.members.set(key, made)
  return made
}

const memberOf = (m: Agent, node: ToolNode, shared: Shared): JSObject => {
  if (!node.isTool) return newNamespace(m, node, shared)
  const fn = newTool(m, node.name, shared, String(keyToValue(lastSegment(node.name))))
  // A tool that is a namespace, too: a function has ordinary properties, made now.
  m.charge(node.children.size)
  for (const [key, child] of node.children) {
    m.allocate(192)
    const slot = fn.shape.lookup(key)
    if (slot < 0) addProperty(fn, key, memberOf(m, child, shared), Attribute.Enumerable)
    else fn.slots[slot] = memberOf(m, child, shared)
  }
  setIntegrityLevel(m, fn, "frozen")
  return fn
}

const lastSegment = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

/** The own properties of a namespace are those of a frozen object. */
const methods: InternalMethods = {
  ...ordinary,
  setPrototypeOf: (_m, o, proto) => proto === o.shape.proto,
  getOwnProperty: (m, o, key): PropertyDescriptor | undefined => {
    const value = member(m, o, key)
    return value === undefined
      ? undefined
      : { value, writable: false, enumerable: isListed(o, key), configurable: false }
  },
  defineOwnProperty: (m, o, key, desc) => {
    const value = member(m, o, key)
    const enumerable = isListed(o, key)
    return value !== undefined && isCompatible(false, desc, { value, writable: false, enumerable, configurable: false })
  },
  get: exoticGet,
  delete: (m, o, key) => member(m, o, key) === undefined,
  ownKeys: (_m, o) => {
    const keys = [...(o.data as NamespaceData).node.children.keys()].filter((key) => isListed(o, key))
    const indices = keys.filter((key) => typeof key === "number").sort((a, b) => a - b)
    return indices.length === 0 ? keys : [...indices, ...keys.filter((key) => typeof key !== "number")]
  },
}

exotics[Kind.Namespace - ExoticKind.First] = methods

const newNamespace = (m: Agent, node: ToolNode | null, shared: Shared): JSObject => {
  const o = new JSObject(m.realm.objectShape, [], Kind.Namespace, new NamespaceData(node, shared))
  // A shape of its own, which no inline cache knows from an ordinary object.
  makeDictionary(o).extensible = false
  return o
}

const callTool = defineGeneratorNative("tools", 1, function*(m: Machine, _this, args, _newTarget, callee) {
  const { shared, tool }: ToolState = callee.data.state
  m.charge(50)
  let input: Json
  try {
    input = yield* inputOf(m, args[0], shared.limits)
  } catch (error) {
    const promise = newPromise(m)
    rejectPromise(m, promise, reasonOf(m, tool, error))
    return promise
  }
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    return startCall(m, tool, input, m.converted)
  }
  const given = input === null ? "null" : Array.isArray(input) ? "an array" : `a ${typeof input}`
  const message = `The tool "${tool}" takes one object as its input, and was given ${given}.`
  const promise = newPromise(m)
  rejectPromise(
    m,
    promise,
    failedCall(m, { code: "INVALID_TOOL_INPUT", message, retryable: true, tool }, currentPlace(m)),
  )
  return promise
})

/** Why an input cannot be sent, as the program catches it. */
const reasonOf = (m: Machine, tool: string, error: unknown): Value => {
  if (error instanceof Throw) return error.value
  if (!(error instanceof BoundaryError)) throw error
  return failedCall(
    m,
    { code: "INVALID_DATA", message: error.message, retryable: true, tool },
    currentPlace(m),
    error.promise,
  )
}

function* inputOf(m: Machine, value: Value, limits: InputLimits): Calls<Json> {
  m.converted = 0
  if (value === undefined) return {}
  const plain = isObject(value) ? plainInput(value) : undefined
  if (plain !== undefined) return plain
  const json = yield* toJson(m, value, { root: "input", maxDepth: limits.maxDepth, maxSize: limits.maxSize })
  return json
}

/** The input of most calls, a small object of plain values, without a conversion; `undefined` for any other. */
const plainInput = (o: JSObject): Json | undefined => {
  const { shape } = o
  if (o.kind !== Kind.Ordinary || shape.dictionary || shape.count > 8) return undefined
  // Nothing that a program may have put on `Object.prototype` may be missed.
  const { proto } = shape
  if (proto === null || proto.shape.proto !== null || proto.shape.lookup("toJSON") >= 0) return undefined
  const { flags, keys } = shape.table
  const json: { [key: string]: Json } = {}
  for (let i = 0; i < shape.count; i++) {
    const key = keys[i]
    const value: unknown = o.slots[i]
    if (typeof key !== "string" || flags[i] !== Attribute.All || key === "__proto__" || key === "toJSON") {
      return undefined
    }
    switch (typeof value) {
      case "number":
        json[key] = Number.isFinite(value) ? value + 0 : null
        break
      case "string":
      case "boolean":
        json[key] = value
        break
      case "undefined":
        break
      default:
        if (value !== null) return undefined
        json[key] = null
    }
  }
  return json
}

const newTool = (m: Agent, tool: string, shared: Shared, name: string): JSObject => {
  const state: ToolState = { tool, shared }
  return new JSObject(m.realm.functionShape, [1, name], Kind.Native, new NativeData(callTool, state))
}

const identifier = /^tools((?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*|\["[^"\\]*"\]|\['[^'\\]*'\])+)$/u
const segment = /\.([^.[]+)|\[["']([^\]]*)["']\]/g

/** The segments of `tools.github["list-issues"]`; `undefined` for any other expression. */
const segmentsOf = (expression: string): Array<string> | undefined => {
  const path = identifier.exec(expression)?.[1]
  return path === undefined ? undefined : Array.from(path.matchAll(segment), (match) => match[1] ?? match[2]!)
}

/** The name that a namespace and a key make. */
const joined = (name: string, key: PropertyKey): string => {
  const text = String(keyToValue(key))
  return name === "" ? text : `${name}.${text}`
}

/**
 * Gives a machine its `tools`. Nothing is built before a program looks. What the runtime itself answers comes first among the names, and
 * is a global function, too: `search` for `$codemode.search`.
 */
export const defineTools = (m: Machine, names: ReadonlyArray<string>, limits: InputLimits): void => {
  m.tools = newNamespace(m, null, new Shared(names, limits))
  m.defineGlobal("tools", m.tools, 0)
  for (const name of names) {
    if (!name.startsWith(`${OWN}.`)) break
    const own = lastSegment(name)
    m.defineGlobal(own, newTool(m, name, m.tools.data.shared, own))
  }
}

/** What stands for a tool that is not there, so that calling it fails as a call; `undefined` where no tool was meant. */
export const missingTool: Builtins["missingTool"] = (m, thisValue, key, expression) =>
  key !== undefined
    ? inMissingNamespace(m, key, expression)
    : isObject(thisValue)
    ? missingMember(m, thisValue, expression)
    : undefined

/** `tools.githb.list_issues()`: the namespace is not there. */
const inMissingNamespace = (m: Machine, key: PropertyKey, expression: string | undefined): JSObject | undefined => {
  const path = expression === undefined ? undefined : segmentsOf(expression)
  if (path === undefined || typeof key === "symbol") return undefined
  const { shared }: NamespaceData = m.tools!.data
  if (nodeAt(shared.root, path) !== undefined) return undefined
  return newTool(m, joined(path.join("."), key), shared, String(keyToValue(key)))
}

/** `tools.github.nope()` */
const missingMember = (m: Machine, owner: JSObject, expression: string | undefined): JSObject | undefined => {
  const written = expression === undefined ? undefined : lastName.exec(expression)?.[1]
  if (owner.kind === Kind.Namespace) {
    const data: NamespaceData = owner.data
    const key = written ?? data.missed
    if (key === null || typeof key === "symbol" || data.node.children.has(key)) return undefined
    return newTool(m, joined(data.node.name, key), data.shared, String(keyToValue(key)))
  }
  if (owner.kind !== Kind.Native || written === undefined) return undefined
  const { definition, state } = owner.data as NativeData
  if (definition !== callTool) return undefined
  const { shared, tool }: ToolState = state
  return newTool(m, joined(tool, written), shared, written)
}

const lastName = /\.([\p{ID_Start}$_][\p{ID_Continue}$]*)$/u
