import type { AST } from "@eslint-community/regexpp"
import { LINE_TERMINATOR, normalize, type Ranges } from "./charset.ts"
import { type Context, elementContents } from "./classes.ts"

/**
 * What must hold where a part of a pattern begins, if it is to match: the next character is in the ranges, or the text
 * ends there and `end` is set. Null where nothing is known.
 */
export type First = { readonly ranges: Ranges; readonly end: boolean } | null

/** Elements looked at for one answer; a longer way to it is not worth taking. */
const MAX_ELEMENTS = 16

/** A set of more ranges is worth no more than knowing nothing. */
const MAX_RANGES = 64

export const unionFirst = (a: First, b: First): First => {
  if (a === null || b === null) return null
  if (a.ranges === b.ranges) return a.end || !b.end ? a : b
  if (a.ranges.length === 0) return a.end && !b.end ? { ranges: b.ranges, end: true } : b
  if (b.ranges.length === 0) return b.end && !a.end ? { ranges: a.ranges, end: true } : a
  const ranges = normalize([...a.ranges, ...b.ranges])
  return ranges.length > 2 * MAX_RANGES ? null : { ranges, end: a.end || b.end }
}

export const withModifiers = (context: Context, modifiers: AST.Modifiers | null): Context => {
  if (modifiers === null) return context
  const { add, remove } = modifiers
  const flag = (name: "ignoreCase" | "multiline" | "dotAll"): boolean =>
    (context[name] || add[name]) && !(remove?.[name] ?? false)
  return { ...context, ignoreCase: flag("ignoreCase"), multiline: flag("multiline"), dotAll: flag("dotAll") }
}

/** Looks at patterns read forward. */
export class FirstSets {
  private left = 0

  ofAlternatives(alternatives: ReadonlyArray<AST.Alternative>, context: Context, follow: First): First {
    this.left = MAX_ELEMENTS
    return this.alternatives(alternatives, context, follow)
  }

  /** Of the elements from an index on. */
  ofElements(elements: ReadonlyArray<AST.Element>, from: number, context: Context, follow: First): First {
    this.left = MAX_ELEMENTS
    return this.sequence(elements, from, context, follow)
  }

  private alternatives(alternatives: ReadonlyArray<AST.Alternative>, context: Context, follow: First): First {
    let result: First = { ranges: [], end: false }
    for (const { elements } of alternatives) {
      result = unionFirst(result, this.sequence(elements, 0, context, follow))
      if (result === null) return null
    }
    return result
  }

  private sequence(elements: ReadonlyArray<AST.Element>, from: number, context: Context, follow: First): First {
    // An element that may match nothing lets the next one's characters come first.
    let result: First = { ranges: [], end: false }
    for (let i = from; i < elements.length; i++) {
      const element = elements[i]!
      if (element.type === "Assertion") {
        if (element.kind === "end") {
          return unionFirst(result, { ranges: context.multiline ? LINE_TERMINATOR.ranges! : [], end: true })
        }
        continue
      }
      result = unionFirst(result, this.element(element, context))
      if (result === null) return null
      if (!canBeEmpty(element)) return result
    }
    return unionFirst(result, follow)
  }

  /** The characters an element may begin with, those of what follows it left out. */
  private element(element: AST.Element, context: Context): First {
    if (--this.left < 0) return null
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass": {
        const { characters, strings } = elementContents(element, context)
        return characters.ranges === null || strings !== null ? null : { ranges: characters.ranges, end: false }
      }
      case "Quantifier":
        return element.max === 0 ? { ranges: [], end: false } : this.element(element.element, context)
      case "Group":
        return this.group(element.alternatives, withModifiers(context, element.modifiers))
      case "CapturingGroup":
        return this.group(element.alternatives, context)
      case "Assertion":
        return { ranges: [], end: false }
      case "Backreference":
        return null
    }
  }

  private group(alternatives: ReadonlyArray<AST.Alternative>, context: Context): First {
    return this.alternatives(alternatives, context, { ranges: [], end: false })
  }
}

const cannotBeEmpty = new WeakMap<AST.Node, boolean>()

/** Whether an element may match without consuming a character. */
export const canBeEmpty = (node: AST.Element): boolean => {
  switch (node.type) {
    case "Assertion":
    case "Backreference":
      return true
    case "Character":
    case "CharacterSet":
      return false
    case "CharacterClass":
    case "ExpressionCharacterClass":
      return node.type === "ExpressionCharacterClass" || node.unicodeSets
    case "Quantifier":
      return node.min === 0 || canBeEmpty(node.element)
    case "Group":
    case "CapturingGroup": {
      let known = cannotBeEmpty.get(node)
      if (known === undefined) {
        known = !node.alternatives.some(({ elements }) => elements.every(canBeEmpty))
        cannotBeEmpty.set(node, known)
      }
      return !known
    }
  }
}
