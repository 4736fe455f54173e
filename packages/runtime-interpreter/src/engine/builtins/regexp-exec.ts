// Matching, as the built-in methods of regular expressions share it.
import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  addProperty,
  Attribute,
  call,
  type Calls,
  describe,
  get,
  isCallable,
  isObject,
  JSObject,
  Kind,
  LONG_TEXT,
  type NativeData,
  newElements,
  newElementsFor,
  NOT_QUICK,
  Pause,
  rootShape,
  set,
  toLength,
  type Value,
} from "../object/index.ts"
import {
  BacktrackOverflow,
  compile,
  type CompiledRegExp,
  compileInSteps,
  Matcher,
  MAX_PATTERN_LENGTH,
  Outcome,
  RegExpSyntaxError,
} from "../regexp/index.ts"
import { substring } from "./text.ts"

/** https://tc39.es/ecma262/#sec-properties-of-regexp-instances — the payload of `Kind.RegExp`. */
export class RegExpData {
  constructor(
    /** The pattern as it was given. */
    readonly source: string,
    readonly flags: string,
    /** Made from the two. */
    readonly compiled: CompiledRegExp,
  ) {}
}

/** What compiling takes, in steps, for each unit of a pattern. */
const COMPILE_STEPS = 100

/** How many patterns, and units of them, a run keeps at hand. Others have their own: what is kept can be told by the clock. */
const MAX_PATTERNS = 200
const MAX_PATTERN_UNITS = 1 << 16
/** What a pattern counts for beyond its length: it may be kept with many flags. */
const PATTERN_UNITS = 64

/** Longer patterns are parsed and compiled in steps, in UTF-16 code units. */
const LONG_PATTERN = 1000

/** Makes the state of a regular expression, and of that what `use` makes of it: at once, or in steps if the pattern is long. */
export const compileRegExp = (
  m: Machine,
  source: string,
  flags: string,
  use: (m: Machine, data: RegExpData) => Value,
): Value => {
  const known = m.patterns.get(source) as Array<RegExpData> | undefined
  if (known !== undefined) {
    for (let i = 0; i < known.length; i++) if (known[i]!.flags === flags) return use(m, known[i]!)
  }
  const units = PATTERN_UNITS + source.length
  if (m.patterns.size >= MAX_PATTERNS || (m.patternUnits += units) > MAX_PATTERN_UNITS) {
    m.patterns.clear()
    m.patternUnits = units
  }
  // Whether another run compiled the same before makes no difference to what it costs.
  if (source.length > LONG_PATTERN) return inSteps(m, [source], compileSteps(m, source, flags, use))
  m.charge(100 + source.length * COMPILE_STEPS)
  let compiled: CompiledRegExp
  try {
    compiled = compile(source, flags)
  } catch (error) {
    throw refusal(m, error)
  }
  return keep(m, source, flags, compiled, use)
}

function* compileSteps(
  m: Machine,
  source: string,
  flags: string,
  use: (m: Machine, data: RegExpData) => Value,
): Calls {
  const steps = compileInSteps(source, flags)
  for (;;) {
    // The two steps take about the same time.
    m.charge(Math.min(source.length, MAX_PATTERN_LENGTH) * (COMPILE_STEPS / 2))
    yield Pause
    let step: IteratorResult<undefined, CompiledRegExp>
    try {
      step = steps.next()
    } catch (error) {
      throw refusal(m, error)
    }
    if (step.done === true) return keep(m, source, flags, step.value, use)
  }
}

const refusal = (m: Machine, error: unknown): unknown =>
  error instanceof RegExpSyntaxError ? m.syntaxError(error.message) : error

const keep = (
  m: Machine,
  source: string,
  flags: string,
  compiled: CompiledRegExp,
  use: (m: Machine, data: RegExpData) => Value,
): Value => {
  const data = new RegExpData(source, flags, compiled)
  const known = m.patterns.get(source) as Array<RegExpData> | undefined
  if (known === undefined) m.patterns.set(source, [data])
  else known.push(data)
  return use(m, data)
}

/** https://tc39.es/ecma262/#sec-regexpalloc — `lastIndex` is in slot 0. */
export const newRegExp = (m: Machine, proto: JSObject, data: RegExpData): JSObject => {
  m.allocate(96)
  return new JSObject(
    rootShape(m.realm.space, proto).add("lastIndex", Attribute.Writable),
    newElements(0),
    Kind.RegExp,
    data,
  )
}

/** https://tc39.es/ecma262/#sec-regexpcreate for a literal. */
export const createRegExp = (m: Machine, pattern: string, flags: string): Value => {
  m.charge(4)
  return compileRegExp(m, pattern, flags, newStandardRegExp)
}

/** A regular expression as a literal makes it. */
export const newStandardRegExp = (m: Machine, data: RegExpData): JSObject =>
  newRegExp(m, m.realm.intrinsic("RegExpPrototype"), data)

// ---------------------------------------------------------------------------------------------------------------------
// lastIndex
// ---------------------------------------------------------------------------------------------------------------------

export const getLastIndex = (m: Machine, r: JSObject): number => {
  const value = r.kind === Kind.RegExp ? r.slots[0] : get(m, r, "lastIndex")
  return typeof value === "number" && value >= 0 && Number.isInteger(value)
    ? Math.min(value, Number.MAX_SAFE_INTEGER)
    : toLength(m, value)
}

export const setLastIndex = (m: Machine, r: JSObject, index: number): void => {
  if (r.kind !== Kind.RegExp) set(m, r, "lastIndex", index)
  else if ((r.shape.table.flags[0]! & Attribute.Writable) !== 0) r.slots[0] = index
  else throw m.typeError("Cannot assign to read only property 'lastIndex' of object '[object RegExp]'")
}

/** https://tc39.es/ecma262/#sec-advancestringindex */
export const advanceStringIndex = (text: string, index: number, unicode: boolean): number =>
  unicode && index + 1 < text.length && text.codePointAt(index)! > 0xFFFF ? index + 2 : index + 1

// ---------------------------------------------------------------------------------------------------------------------
// Matching
// ---------------------------------------------------------------------------------------------------------------------

/** Steps between two looks at the event loop: well under a millisecond. */
const BLOCK = 8192

/** What setting up and taking in one of several matches costs, in steps. */
export const MATCH_STEPS = 8

/** Positions: two for each group, -1 where it took no part. They hold until the next match. */
export type Positions = ReadonlyArray<number>

const block = (m: Machine, matcher: Matcher): number => {
  try {
    const outcome = matcher.run(BLOCK)
    m.charge(matcher.cost)
    return outcome
  } catch (error) {
    if (error instanceof BacktrackOverflow) throw m.rangeError("Maximum call stack size exceeded")
    throw error
  }
}

/** The first match from `start` on, or null; the matcher, for `finishMatch`, if that takes longer than a block. */
export const tryMatch = (
  m: Machine,
  compiled: CompiledRegExp,
  text: string,
  start: number,
  sticky: boolean,
): Positions | null | Matcher => {
  const matcher = Matcher.acquire(compiled.program, text, start, sticky, m)
  const outcome = block(m, matcher)
  if (outcome === Outcome.More) return matcher
  Matcher.release(matcher)
  return outcome === Outcome.Match ? matcher.registers : null
}

/** Finishes a match block by block, with a pause after each. */
export function* finishMatch(m: Machine, matcher: Matcher): Calls<Positions | null> {
  for (;;) {
    yield Pause
    const outcome = block(m, matcher)
    if (outcome === Outcome.More) continue
    Matcher.release(matcher)
    return outcome === Outcome.Match ? matcher.registers : null
  }
}

/** The text of a group, or undefined where it took no part. */
export const captureOf = (m: Machine, text: string, positions: Positions, group: number): string | undefined => {
  const start = positions[2 * group]!
  const end = positions[2 * group + 1]!
  return start < 0 || end < 0 ? undefined : substring(m, text, start, end)
}

/** The `groups` object: a value for each name, that of the group which took part. */
export const groupsObject = (
  m: Machine,
  { program }: CompiledRegExp,
  positions: Positions,
  valueOf: (group: number) => Value,
): JSObject | undefined => {
  const { names } = program
  if (names.length === 0) return undefined
  m.allocate(64 + 16 * names.length)
  const groups = m.realm.newObjectWith(null)
  for (let i = 0; i < names.length; i++) {
    const [name, numbers] = names[i]!
    let value: Value = undefined
    for (let k = 0; k < numbers.length; k++) {
      const group = numbers[k]!
      if (positions[2 * group]! < 0 || positions[2 * group + 1]! < 0) continue
      value = valueOf(group)
      break
    }
    if (i === 0) groups.slots = newElementsFor(names.length)
    addProperty(groups, name, value, Attribute.All)
  }
  return groups
}

/** What `exec` answers, from step 24 of https://tc39.es/ecma262/#sec-regexpbuiltinexec on. */
export const matchResult = (m: Machine, compiled: CompiledRegExp, text: string, positions: Positions): JSObject => {
  const count = compiled.program.groups
  m.charge(count)
  m.allocate(128 + 40 * count)
  const captures: Array<Value> = newElementsFor(count)
  for (let group = 0; group < count; group++) captures[group] = captureOf(m, text, positions, group)
  const groups = groupsObject(m, compiled, positions, (group) => captures[group])
  const shape = m.realm.arrayShape.add("index", Attribute.All).add("input", Attribute.All).add("groups", Attribute.All)
  const result = new JSObject(shape, newElements(positions[0]!, text, groups), Kind.Array, captures)
  if (compiled.flags.hasIndices) {
    m.allocate(64 + 96 * count)
    const pairs: Array<Value> = newElements()
    for (let group = 0; group < count; group++) {
      const start = positions[2 * group]!
      const end = positions[2 * group + 1]!
      pairs.push(start < 0 || end < 0 ? undefined : m.realm.newArray(newElements(start, end)))
    }
    const indices = m.realm.newArray(pairs)
    addProperty(indices, "groups", groupsObject(m, compiled, positions, (group) => pairs[group]), Attribute.All)
    addProperty(result, "indices", indices, Attribute.All)
  }
  return result
}

/** https://tc39.es/ecma262/#sec-regexpbuiltinexec up to the result: the positions, or null. */
export function* builtinExec(m: Machine, r: JSObject, text: string): Calls<Positions | null> {
  const lastIndex = getLastIndex(m, r)
  // Only now: reading `lastIndex` may have run the program, and that `compile`d something else into the object.
  const { compiled } = r.data as RegExpData
  const { flags } = compiled
  const stateful = flags.global || flags.sticky
  const start = stateful ? lastIndex : 0
  if (start > text.length) {
    if (stateful) setLastIndex(m, r, 0)
    return null
  }
  const attempt = tryMatch(m, compiled, text, start, flags.sticky)
  const positions = attempt instanceof Matcher ? yield* finishMatch(m, attempt) : attempt
  if (stateful) setLastIndex(m, r, positions === null ? 0 : positions[1]!)
  return positions
}

/** `builtinExec` where nothing but the match is to be done and a block of steps is enough for it. */
export const quickExec = (m: Machine, r: JSObject, text: string): Positions | null | typeof NOT_QUICK => {
  const { compiled } = r.data as RegExpData
  const { flags } = compiled
  const stateful = flags.global || flags.sticky
  const lastIndex: unknown = r.slots[0]
  if (typeof lastIndex !== "number" || lastIndex < 0 || !Number.isInteger(lastIndex)) return NOT_QUICK
  if (stateful && ((r.shape.table.flags[0]! & Attribute.Writable) === 0 || lastIndex > text.length)) return NOT_QUICK
  if (text.length > LONG_TEXT) m.touch(text)
  const attempt = tryMatch(m, compiled, text, stateful ? lastIndex : 0, flags.sticky)
  if (attempt instanceof Matcher) {
    Matcher.release(attempt)
    return NOT_QUICK
  }
  if (stateful) r.slots[0] = attempt === null ? 0 : attempt[1]!
  return attempt
}

/** Whether `exec` is the one of the standard, so that its result can be told from the positions alone. */
const isBuiltinExec = (r: JSObject, exec: Value): boolean =>
  r.kind === Kind.RegExp && isObject(exec) && exec.kind === Kind.Native &&
  (exec.data as NativeData).definition.id === "RegExp.prototype.exec"

/** https://tc39.es/ecma262/#sec-regexpexec */
export function* regExpExec(m: Machine, r: JSObject, text: string): Calls<JSObject | null> {
  const exec = get(m, r, "exec")
  if (isBuiltinExec(r, exec)) {
    const positions = yield* builtinExec(m, r, text)
    return positions === null ? null : matchResult(m, (r.data as RegExpData).compiled, text, positions)
  }
  if (isCallable(exec)) {
    const result = yield call(exec, r, [text])
    if (result === null || isObject(result)) return result
    throw m.typeError(`${describe(result)} is not an object or null`)
  }
  const positions = yield* builtinExec(m, requireRegExp(m, r, "RegExp.prototype.exec"), text)
  return positions === null ? null : matchResult(m, (r.data as RegExpData).compiled, text, positions)
}

export const requireRegExp = (m: Machine, value: Value, name: string): JSObject => {
  if (isObject(value) && value.kind === Kind.RegExp) return value
  throw m.typeError(`Method ${name} called on incompatible receiver ${describe(value)}`)
}

export const requireObject = (m: Machine, value: Value, name: string): JSObject => {
  if (isObject(value)) return value
  throw m.typeError(`Method ${name} called on incompatible receiver ${describe(value)}`)
}

// ---------------------------------------------------------------------------------------------------------------------
// Whether anything was patched
// ---------------------------------------------------------------------------------------------------------------------

/** The payload of `RegExp.prototype`: when its flag getters were last seen to be the standard's, and where its `exec` is. */
export class PristineCheck {
  epoch = -1
  pristine = false
  exec = -1
}

const FLAG_GETTERS = [
  "flags",
  "hasIndices",
  "global",
  "ignoreCase",
  "multiline",
  "dotAll",
  "unicode",
  "unicodeSets",
  "sticky",
]

const isBuiltinGetter = (proto: JSObject, name: string): boolean => {
  const slot = proto.shape.lookup(name)
  const value = slot < 0 ? undefined : proto.slots[slot]
  return value instanceof Accessor && value.get !== undefined && value.get.kind === Kind.Native &&
    (value.get.data as NativeData).definition.id === `get RegExp.prototype.${name}`
}

/**
 * Whether the standard's algorithm on this object can be done without the look-ups it prescribes, because none of them
 * could be seen: the object has no properties but `lastIndex`, and its prototype is `RegExp.prototype` with `exec` and the
 * getters of flags as they were.
 */
export const isPristine = (m: Machine, r: JSObject): boolean => {
  if (r.kind !== Kind.RegExp || r.shape.count !== 1) return false
  const proto = m.realm.peek("RegExpPrototype")
  if (proto === undefined || r.shape.proto !== proto) return false
  const check: PristineCheck = proto.data
  const { epoch } = m.realm.space
  if (check.epoch !== epoch) {
    check.pristine = FLAG_GETTERS.every((name) => isBuiltinGetter(proto, name))
    check.exec = proto.shape.lookup("exec")
    check.epoch = epoch
  }
  return check.pristine && check.exec >= 0 && isBuiltinExec(r, proto.slots[check.exec])
}
