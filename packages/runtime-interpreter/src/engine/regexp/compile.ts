import type { AST } from "@eslint-community/regexpp"
import { beginWork, CharSet, intersectRanges, ofRanges, type Ranges, spend } from "./charset.ts"
import { type Context, elementContents, wordCharacters } from "./classes.ts"
import { canBeEmpty, type First, FirstSets, unionFirst, withModifiers } from "./first.ts"
import type { Flags } from "./parse.ts"
import { Op, type Program, type StringClass } from "./program.ts"

const MAX_COUNT = 0x7FFFFFFF

/** What an alternative, or an element that is more than a character, takes, as characters looked at. */
const PART = 200

const NOTHING: First = { ranges: [], end: false }

/** An element that matches one character, whatever it is. */
type Single = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

const isSingle = (node: AST.Element): node is Single =>
  node.type === "Character" || node.type === "CharacterSet" || node.type === "CharacterClass" ||
  node.type === "ExpressionCharacterClass"

const isSurrogate = (c: number): boolean => c >= 0xD800 && c <= 0xDFFF

/** Turns a syntax tree into a program: https://tc39.es/ecma262/#sec-compilepattern */
class Compiler {
  private readonly code: Array<number> = []
  private readonly sets: Array<CharSet> = []
  private readonly setNumbers = new Map<CharSet | string, number>()
  private readonly strings: Array<StringClass> = []
  private readonly firsts = new FirstSets()
  private readonly groupNumbers = new Map<AST.CapturingGroup, number>()
  /** Where each group begins in the source, in order. */
  private readonly groupStarts: Array<number> = []
  private readonly names = new Map<string, Array<number>>()
  private registers = 2
  private hasBackReference = false

  compile(pattern: AST.Pattern, flags: Flags): Program {
    this.number(pattern.alternatives)
    this.registers = 2 * (this.groupStarts.length + 1)
    const context: Context = {
      ignoreCase: flags.ignoreCase,
      multiline: flags.multiline,
      dotAll: flags.dotAll,
      unicode: flags.unicode || flags.unicodeSets,
      unicodeSets: flags.unicodeSets,
    }
    this.emit(Op.Save, 0)
    this.disjunction(pattern.alternatives, context, false, null)
    this.emit(Op.Save, 1, Op.Match)
    return {
      code: Int32Array.from(this.code),
      sets: this.sets,
      strings: this.strings,
      groups: this.groupStarts.length + 1,
      registers: this.registers,
      names: [...this.names],
      unicode: context.unicode,
      prefix: this.prefix(pattern.alternatives, context),
      first: this.first(pattern.alternatives, context)?.prepared() ?? null,
      leading: this.leading(pattern.alternatives, context)?.prepared() ?? null,
      anchored: pattern.alternatives.every(({ elements: [head] }) =>
        head !== undefined && head.type === "Assertion" && head.kind === "start" && !context.multiline
      ),
    }
  }

  private emit(...words: Array<number>): void {
    for (const word of words) this.code.push(word)
  }

  /** Emits an instruction that ends in a target not known yet; `this.land(at)` fills it in. */
  private branch(...words: Array<number>): number {
    this.emit(...words, -1)
    return this.code.length - 1
  }

  private land(at: number): void {
    this.code[at] = this.code.length
  }

  private set(set: CharSet): number {
    const key = set.ranges === null || set.ranges.length > 64 ? set : set.ranges.join()
    let number = this.setNumbers.get(key)
    if (number === undefined) {
      number = this.sets.push(set.prepared()) - 1
      this.setNumbers.set(key, number)
    }
    return number
  }

  private setOf(ranges: Ranges): number {
    const number = ranges.length > 64 ? undefined : this.setNumbers.get(ranges.join())
    return number ?? this.set(new CharSet(ranges, null))
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Groups
  // -------------------------------------------------------------------------------------------------------------------

  private number(alternatives: ReadonlyArray<AST.Alternative>): void {
    for (const { elements } of alternatives) {
      spend(PART)
      for (let element of elements) {
        if (element.type !== "Character") spend(PART)
        if (element.type === "Quantifier") element = element.element
        if (element.type === "CapturingGroup") {
          const group = this.groupStarts.push(element.start)
          this.groupNumbers.set(element, group)
          if (element.name !== null) {
            const same = this.names.get(element.name)
            if (same === undefined) this.names.set(element.name, [group])
            else same.push(group)
          }
        }
        if ("alternatives" in element) this.number(element.alternatives as ReadonlyArray<AST.Alternative>)
      }
    }
  }

  /** The registers of the captures inside a node: from, to. */
  private captures(node: AST.Node): readonly [from: number, to: number] {
    return [2 * (this.groupsBefore(node.start) + 1), 2 * (this.groupsBefore(node.end) + 1)]
  }

  private groupsBefore(position: number): number {
    const starts = this.groupStarts
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! < position) low = middle + 1
      else high = middle
    }
    return low
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Sequences and choices
  // -------------------------------------------------------------------------------------------------------------------

  /** `follow` tells what comes after, where the direction is forward. */
  private disjunction(
    alternatives: ReadonlyArray<AST.Alternative>,
    context: Context,
    back: boolean,
    follow: First,
  ): void {
    const ends: Array<number> = []
    const firsts = back || alternatives.length === 1
      ? []
      : alternatives.map(({ elements }) => this.firsts.ofElements(elements, 0, context, follow))
    // What the alternatives from each one on may begin with.
    const rests: Array<First> = []
    for (let i = firsts.length - 1; i > 0; i--) {
      rests[i] = unionFirst(firsts[i]!, i + 1 < firsts.length ? rests[i + 1]! : NOTHING)
    }
    for (let i = 0; i < alternatives.length; i++) {
      const elements = alternatives[i]!.elements
      if (i === alternatives.length - 1) {
        this.alternative(elements, context, back, follow)
        break
      }
      let next: number
      const mine = firsts[i] ?? null
      if (mine === null || mine.end) next = this.branch(Op.Split)
      else {
        const rest = rests[i + 1]!
        next = this.code.length + 1
        this.emit(
          Op.SplitOn,
          -1,
          this.setOf(mine.ranges),
          rest !== null && !rest.end ? this.setOf(rest.ranges) : -1,
        )
      }
      this.alternative(elements, context, back, follow)
      ends.push(this.branch(Op.Jump))
      this.land(next)
    }
    for (const end of ends) this.land(end)
  }

  private alternative(elements: ReadonlyArray<AST.Element>, context: Context, back: boolean, follow: First): void {
    if (back) {
      for (let i = elements.length - 1; i >= 0; i--) this.element(elements[i]!, context, true, null)
      return
    }
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i]!
      const units: Array<number> = []
      while (i < elements.length) {
        const unit = this.units(elements[i]!, context)
        if (unit === null) break
        units.push(...unit)
        i++
      }
      if (units.length > 0) {
        this.emit(Op.Chars, units.length, ...units)
        i--
        continue
      }
      const needsFollow = element.type === "Quantifier" || element.type === "Group" || element.type === "CapturingGroup"
      this.element(
        element,
        context,
        false,
        needsFollow ? this.firsts.ofElements(elements, i + 1, context, follow) : null,
      )
    }
  }

  /** The code units of a character that matches itself alone. */
  private units(element: AST.Element, context: Context): ReadonlyArray<number> | null {
    if (element.type !== "Character") return null
    const c = element.value
    if (context.unicode && isSurrogate(c)) return null
    if (context.ignoreCase && elementContents(element, context).characters.ranges!.join() !== `${c},${c}`) return null
    return c > 0xFFFF ? [0xD800 + ((c - 0x10000) >> 10), 0xDC00 + ((c - 0x10000) & 0x3FF)] : [c]
  }

  private element(element: AST.Element, context: Context, back: boolean, follow: First): void {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return this.single(element, context, back)
      case "Assertion":
        return this.assertion(element, context)
      case "Backreference":
        return this.backReference(element, context, back)
      case "CapturingGroup": {
        const register = 2 * this.groupNumbers.get(element)!
        this.emit(Op.Save, back ? register + 1 : register)
        this.disjunction(element.alternatives, context, back, follow)
        this.emit(Op.Save, back ? register : register + 1)
        return
      }
      case "Group":
        return this.disjunction(element.alternatives, withModifiers(context, element.modifiers), back, follow)
      case "Quantifier":
        return this.quantifier(element, context, back, follow)
    }
  }

  private single(element: Single, context: Context, back: boolean): void {
    const units = this.units(element, context)
    if (units !== null) {
      if (back) { for (const unit of [...units].reverse()) this.emit(Op.CharBack, unit) }
      else this.emit(Op.Chars, units.length, ...units)
      return
    }
    const { characters, strings } = elementContents(element, context)
    if (strings !== null) {
      this.strings.push({ characters, hasString: strings.has, maxLength: strings.maxLength })
      this.emit(Op.Strings, this.strings.length - 1, back ? 1 : 0)
      return
    }
    const { ranges } = characters
    if (!back && ranges !== null && ranges.length === 4 && ranges[0] === ranges[1] && ranges[2] === ranges[3]) {
      const [a, , b] = ranges as [number, number, number, number]
      if (b <= 0xFFFF && !(context.unicode && (isSurrogate(a) || isSurrogate(b)))) {
        this.emit(Op.Either, a, b)
        return
      }
    }
    this.emit(back ? Op.SetBack : Op.Set, this.set(characters))
  }

  private backReference(element: AST.Backreference, context: Context, back: boolean): void {
    this.hasBackReference = true
    const groups = element.ambiguous ? element.resolved : [element.resolved]
    this.emit(
      back ? Op.BackReferenceBack : Op.BackReference,
      context.ignoreCase ? 1 : 0,
      groups.length,
      ...groups.map((group) => this.groupNumbers.get(group)!),
    )
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Assertions
  // -------------------------------------------------------------------------------------------------------------------

  private assertion(element: AST.Assertion, context: Context): void {
    switch (element.kind) {
      case "start":
        return this.emit(context.multiline ? Op.StartOfLine : Op.Start)
      case "end":
        return this.emit(context.multiline ? Op.EndOfLine : Op.End)
      case "word":
        return this.emit(Op.WordBoundary, this.set(wordCharacters(context)), element.negate ? 0 : 1)
      case "lookahead":
      case "lookbehind": {
        const back = element.kind === "lookbehind"
        const height = this.registers++
        if (element.negate) {
          const target = this.branch(Op.LookNot, height)
          this.disjunction(element.alternatives, context, back, null)
          this.emit(Op.LookNotEnd, height)
          this.land(target)
        } else {
          const position = this.registers++
          this.emit(Op.Look, height, position, ...this.captures(element))
          this.disjunction(element.alternatives, context, back, null)
          this.emit(Op.LookEnd, height, position)
        }
      }
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Quantifiers
  // -------------------------------------------------------------------------------------------------------------------

  private quantifier(node: AST.Quantifier, context: Context, back: boolean, follow: First): void {
    const { element, greedy } = node
    const min = Math.min(node.min, MAX_COUNT)
    const max = Math.min(node.max, MAX_COUNT)
    if (max === 0) return
    if (min === 1 && max === 1) return this.element(element, context, back, follow)
    if (isSingle(element) && !back) {
      const { characters, strings } = elementContents(element, context)
      if (strings === null) return this.run(characters, min, max, greedy, context, follow)
    }
    const empty = canBeEmpty(element)
    const inner = back ? null : this.firsts.ofElements([element], 0, context, follow)
    const again = unionFirst(inner, follow)
    if (min === 0 && max === 1) return this.optional(element, greedy, empty, context, back, follow)
    if (max === MAX_COUNT && (min === 0 || (min === 1 && !empty))) {
      return this.star(node, min, empty, context, back, inner, follow, again)
    }
    this.counted(node, min, max, empty, context, back, again)
  }

  /** A loop over one set. */
  private run(set: CharSet, min: number, max: number, greedy: boolean, context: Context, follow: First): void {
    const number = this.set(set)
    // Giving back a character cannot help if what follows begins with none of the set.
    const disjoint = follow !== null && set.ranges !== null && intersectRanges(set.ranges, follow.ranges).length === 0
    if (min === max || (greedy && disjoint)) return this.emit(Op.Possessive, number, min, max)
    let next = -1
    if (follow !== null && !follow.end && follow.ranges.length === 2 && follow.ranges[0] === follow.ranges[1]) {
      const c = follow.ranges[0]!
      if (c <= 0xFFFF && !(context.unicode && isSurrogate(c))) next = c
    }
    if (greedy) this.emit(Op.Greedy, number, min, max, next, Op.GreedyRetry, number, min, max, next)
    else this.emit(Op.Lazy, number, min, max, next, Op.LazyRetry, number, min, max, next)
  }

  private optional(
    element: AST.Element,
    greedy: boolean,
    empty: boolean,
    context: Context,
    back: boolean,
    follow: First,
  ): void {
    const exit = greedy
      ? this.enter(this.firstOf(element, empty, context, back, follow), follow)
      : this.branch(Op.SplitLazy)
    let start = -1
    if (empty) {
      start = this.registers++
      this.emit(Op.Save, start)
    }
    this.element(element, context, back, follow)
    if (empty) this.emit(Op.CheckProgress, start)
    this.land(exit)
  }

  private firstOf(element: AST.Element, empty: boolean, context: Context, back: boolean, follow: First): First {
    return back || empty ? null : this.firsts.ofElements([element], 0, context, follow)
  }

  /** Goes on into a body, and at the returned target when that fails or cannot succeed. */
  private enter(body: First, follow: First): number {
    if (body === null || body.end) return this.branch(Op.Split)
    const known = follow !== null && !follow.end
    this.emit(Op.SplitOn, -1, this.setOf(body.ranges), known ? this.setOf(follow.ranges) : -1)
    return this.code.length - 3
  }

  /** `*`, and `+` of a body that is never empty. */
  private star(
    node: AST.Quantifier,
    min: number,
    empty: boolean,
    context: Context,
    back: boolean,
    inner: First,
    follow: First,
    again: First,
  ): void {
    const { element, greedy } = node
    const start = empty ? this.registers++ : -1
    const [from, to] = this.captures(element)
    const body = empty ? null : inner
    let exit = -1
    const loop = this.code.length
    if (min === 0) exit = greedy ? this.enter(body, follow) : this.branch(Op.SplitLazy)
    if (from < to) this.emit(Op.Unset, from, to)
    if (empty) this.emit(Op.Save, start)
    this.element(element, context, back, again)
    if (empty) this.emit(Op.CheckProgress, start)
    if (min === 0) this.emit(Op.Jump, loop)
    else {
      // The body has run once at least: leave, or go around.
      exit = greedy ? this.enter(body, follow) : this.branch(Op.SplitLazy)
      this.emit(Op.Jump, loop)
    }
    this.land(exit)
  }

  private counted(
    node: AST.Quantifier,
    min: number,
    max: number,
    empty: boolean,
    context: Context,
    back: boolean,
    again: First,
  ): void {
    const counter = this.registers++
    const start = empty ? this.registers++ : -1
    const [from, to] = this.captures(node.element)
    this.emit(Op.Put, counter, 0)
    const loop = this.code.length
    const exit = this.branch(Op.Loop, counter, min, max, node.greedy ? 0 : 1)
    this.emit(Op.LoopEnter, counter, start, from, to)
    this.element(node.element, context, back, again)
    this.emit(Op.LoopEnd, counter, start, min, loop)
    this.land(exit)
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Where a match can begin
  // -------------------------------------------------------------------------------------------------------------------

  private first(alternatives: ReadonlyArray<AST.Alternative>, context: Context): CharSet | null {
    const first = this.firsts.ofAlternatives(alternatives, context, null)
    if (first !== null) return first.end ? null : ofRanges(first.ranges)
    // A set without ranges, because of a property in it, serves as well where it stands alone.
    let head = alternatives.length === 1 ? alternatives[0]!.elements[0] : undefined
    if (head?.type === "Quantifier" && head.min > 0) head = head.element
    if (head === undefined || !isSingle(head)) return null
    const { characters, strings } = elementContents(head, context)
    return strings === null ? characters : null
  }

  private leading(alternatives: ReadonlyArray<AST.Alternative>, context: Context): CharSet | null {
    // With a back reference to the loop, where it began makes a difference.
    if (this.hasBackReference || alternatives.length !== 1) return null
    const head = alternatives[0]!.elements[0]
    if (head === undefined) return null
    if (head.type === "CapturingGroup" || (head.type === "Group" && head.modifiers === null)) {
      return this.leading(head.alternatives, context)
    }
    if (head.type !== "Quantifier" || head.max !== Infinity || !isSingle(head.element)) return null
    const { characters, strings } = elementContents(head.element, context)
    return strings === null ? characters : null
  }

  private prefix(alternatives: ReadonlyArray<AST.Alternative>, context: Context): string {
    if (alternatives.length !== 1) return ""
    let prefix = ""
    for (const element of alternatives[0]!.elements) {
      const units = this.units(element, context)
      if (units === null || prefix.length >= 32) break
      prefix += String.fromCharCode(...units)
    }
    return prefix
  }
}

/** Throws `TooMuchWork` for a pattern whose sets would take too long to make. */
export const compileProgram = (pattern: AST.Pattern, flags: Flags): Program => {
  beginWork()
  return new Compiler().compile(pattern, flags)
}
