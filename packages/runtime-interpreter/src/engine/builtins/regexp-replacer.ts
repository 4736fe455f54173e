// What replaces the matches of a regular expression.
import type { Machine } from "../machine/machine.ts"
import { call, type Calls, isCallable, toObject, toString, type Value } from "../object/index.ts"
import type { CompiledRegExp } from "../regexp/index.ts"
import { captureOf, groupsObject, type Positions } from "./regexp-exec.ts"
import { getSubstitution } from "./string-substitution.ts"
import { substring, TextBuilder } from "./text.ts"

/** What a replacement is made from. */
export interface Found {
  readonly matched: string
  readonly position: number
  readonly captures: ReadonlyArray<string | undefined>
  readonly groups: Value
}

/** Puts replacements into a text. */
export class Replacer {
  /** The result so far, as the meter sees it. */
  readonly held = new TextBuilder()
  private next = 0

  constructor(private readonly m: Machine, private readonly text: string, private readonly replacement: Value) {}

  /** The replacement of one match, from step 14 of https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.replace% on. */
  *add(found: Found): Calls<void> {
    const { m, replacement, text } = this
    if (!isCallable(replacement)) return this.addTemplate(found)
    const { captures, groups, matched, position } = found
    const args: Array<Value> = [matched, ...captures, position, text]
    if (groups !== undefined) args.push(groups)
    this.put(found, toString(m, yield call(replacement, undefined, args)))
  }

  /** The same where the replacement is a text. */
  addTemplate(found: Found): void {
    const { m, replacement, text } = this
    const { captures, groups, matched, position } = found
    const named = groups === undefined ? undefined : toObject(m, groups)
    this.put(found, getSubstitution(m, matched, text, position, captures, named, replacement as string))
  }

  private put({ matched, position }: Found, by: string): void {
    if (position < this.next) return
    this.append(this.next, position, by)
    this.next = position + matched.length
  }

  /** A match whose replacement is a text without placeholders. */
  addPlain(start: number, end: number): void {
    this.append(this.next, start, this.replacement as string)
    this.next = end
  }

  private append(from: number, to: number, by: string): void {
    const { m } = this
    const added = to - from + by.length
    if (this.held.length + added > m.maxStringLength) throw m.rangeError("Invalid string length")
    m.charge(2 + (added >> 3))
    m.allocate(32 + 2 * added)
    this.held.append(this.text.slice(from, to) + by)
  }

  finish(): string {
    const { m, next, text } = this
    const result = this.held.text
    if (next === 0 && result === "") return text
    if (next >= text.length) return result
    if (result.length + text.length - next > m.maxStringLength) throw m.rangeError("Invalid string length")
    return result + text.slice(next)
  }
}

/** What was found, by positions. */
export const foundAt = (m: Machine, compiled: CompiledRegExp, text: string, positions: Positions): Found => {
  const count = compiled.program.groups
  m.charge(count)
  m.allocate(32 + 40 * count)
  const captures: Array<string | undefined> = []
  for (let group = 1; group < count; group++) captures.push(captureOf(m, text, positions, group))
  return {
    matched: substring(m, text, positions[0]!, positions[1]!),
    position: positions[0]!,
    captures,
    groups: groupsObject(m, compiled, positions, (group) => captures[group - 1]),
  }
}
