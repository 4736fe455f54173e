import type { AST } from "@eslint-community/regexpp"
import { ANY, type CharSet, DIGIT, NOT_LINE_TERMINATOR, ofRanges, ofTest, SPACE, WORD } from "./charset.ts"
import { canonicalize, MAX_PROPERTY_STRING, type Property, stringProperty, unicodeProperty } from "./unicode.ts"

/** The flags that hold at a place in the pattern. */
export interface Context {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  /** Whether a character is a code point: `u` or `v`. */
  readonly unicode: boolean
  readonly unicodeSets: boolean
}

/** A class: its characters and, with `v`, strings of other lengths. */
export interface ClassContents {
  readonly characters: CharSet
  readonly strings: Strings | null
}

interface Strings {
  readonly has: (text: string) => boolean
  readonly maxLength: number
}

const SINGLE_CACHE = new Map<number, CharSet>()

const ofCharacter = (c: number): CharSet => {
  let set = SINGLE_CACHE.get(c)
  if (set === undefined) {
    set = ofRanges([c, c])
    if (c < 256) SINGLE_CACHE.set(c, set)
  }
  return set
}

/** https://tc39.es/ecma262/#sec-wordcharacters */
export const wordCharacters = (context: Context): CharSet =>
  context.ignoreCase && context.unicode ? WORD_FOLDED ??= WORD.closeOverCase(true) : WORD
let WORD_FOLDED: CharSet | undefined

/** A property of the host's that is no property there any more, or not yet. */
export class UnknownProperty extends Error {}

/** The sets of properties, kept as long as the properties are. */
const PROPERTY_SETS = new WeakMap<Property, CharSet>()

const escapeSet = (node: AST.CharacterSet, context: Context): CharSet => {
  switch (node.kind) {
    case "any":
      return context.dotAll ? ANY : NOT_LINE_TERMINATOR
    case "digit":
      return DIGIT
    case "space":
      return SPACE
    case "word":
      return wordCharacters(context)
    case "property": {
      const property = unicodeProperty(node.key, node.value)
      if (property === undefined) throw new UnknownProperty()
      let set = PROPERTY_SETS.get(property)
      if (set === undefined) PROPERTY_SETS.set(property, set = ofTest((c) => property.has(c)))
      return set
    }
  }
}

const closed = (set: CharSet, context: Context): CharSet =>
  context.ignoreCase ? set.closeOverCase(context.unicode) : set

/**
 * The characters that match a set. With `v` a complement is taken of what matches regardless of case; else of the set as it
 * is written, and case is disregarded after that.
 */
const characterSet = (node: AST.CharacterSet, context: Context): CharSet => {
  const set = escapeSet(node, context)
  if (node.kind === "any") return set
  if (context.unicodeSets) return node.negate ? closed(set, context).complement() : closed(set, context)
  return closed(node.negate ? set.complement() : set, context)
}

const foldText = (text: string, context: Context): string => {
  if (!context.ignoreCase) return text
  let folded = ""
  for (const c of text) folded += String.fromCodePoint(canonicalize(c.codePointAt(0)!, true))
  return folded
}

const NONE = ofRanges([])

type Operand =
  | AST.ClassSetOperand
  | AST.CharacterSet
  | AST.CharacterClass
  | AST.ClassIntersection
  | AST.ClassSubtraction
  | AST.CharacterClassElement

const operand = (node: Operand, context: Context): ClassContents => {
  switch (node.type) {
    case "Character":
      return { characters: closed(ofCharacter(node.value), context), strings: null }
    case "CharacterClassRange":
      return { characters: closed(ofRanges([node.min.value, node.max.value]), context), strings: null }
    case "CharacterSet": {
      if (node.kind !== "property" || !node.strings) return { characters: characterSet(node, context), strings: null }
      const pattern = stringProperty(node.key)
      if (pattern === undefined) throw new UnknownProperty()
      return {
        characters: closed(ofTest((c) => pattern.test(String.fromCodePoint(c))), context),
        strings: { has: (text) => pattern.test(text), maxLength: MAX_PROPERTY_STRING },
      }
    }
    case "ClassStringDisjunction": {
      const texts = new Set<string>()
      const pairs: Array<number> = []
      let maxLength = 0
      for (const alternative of node.alternatives) {
        const values = alternative.elements.map((element) => element.value)
        if (values.length === 1) pairs.push(values[0]!, values[0]!)
        else {
          const text = String.fromCodePoint(...values)
          texts.add(foldText(text, context))
          maxLength = Math.max(maxLength, values.length * 2)
        }
      }
      return {
        characters: closed(ofRanges(pairs), context),
        strings: texts.size === 0 ? null : { has: (text) => texts.has(foldText(text, context)), maxLength },
      }
    }
    case "CharacterClass":
    case "ExpressionCharacterClass":
      return classContents(node, context)
    case "ClassIntersection": {
      const left = operand(node.left, context)
      const right = operand(node.right, context)
      const a = left.strings
      const b = right.strings
      return {
        characters: left.characters.intersection(right.characters),
        strings: a === null || b === null
          ? null
          : { has: (text) => a.has(text) && b.has(text), maxLength: Math.min(a.maxLength, b.maxLength) },
      }
    }
    case "ClassSubtraction": {
      const left = operand(node.left, context)
      const right = operand(node.right, context)
      const a = left.strings
      const b = right.strings
      return {
        characters: left.characters.difference(right.characters),
        strings: a === null || b === null ? a : { has: (text) => a.has(text) && !b.has(text), maxLength: a.maxLength },
      }
    }
  }
}

const unite = (contents: ReadonlyArray<ClassContents>): ClassContents => {
  const pairs: Array<number> = []
  const tested: Array<CharSet> = []
  const strings: Array<Strings> = []
  for (const { characters, strings: more } of contents) {
    if (characters.ranges === null) tested.push(characters)
    else for (const bound of characters.ranges) pairs.push(bound)
    if (more !== null) strings.push(more)
  }
  let characters = pairs.length === 0 ? NONE : ofRanges(pairs)
  if (tested.length === 1 && pairs.length === 0) characters = tested[0]!
  else if (tested.length > 0) {
    const ranged = characters
    characters = ofTest((c) => ranged.has(c) || tested.some((set) => set.has(c)))
  }
  return {
    characters,
    strings: strings.length === 0
      ? null
      : { has: (text) => strings.some((s) => s.has(text)), maxLength: Math.max(...strings.map((s) => s.maxLength)) },
  }
}

/** https://tc39.es/ecma262/#sec-compilecharacterclass with case disregarded where the flags say so. */
const classContents = (
  node: AST.CharacterClass | AST.ExpressionCharacterClass,
  context: Context,
): ClassContents => {
  const contents = node.type === "ExpressionCharacterClass"
    ? operand(node.expression, context)
    : unite((node.elements as ReadonlyArray<AST.CharacterClassElement>).map((element) => operand(element, context)))
  return node.negate ? { characters: contents.characters.complement(), strings: null } : contents
}

const known = new WeakMap<AST.Node, ClassContents>()

/** The characters that an element of one character matches, and strings if it is a class with strings. */
export const elementContents = (
  node: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass,
  context: Context,
): ClassContents => {
  // The flags that hold at a node never change, so the answer is the node's.
  let contents = known.get(node)
  if (contents === undefined) {
    contents = operand(node, context)
    known.set(node, contents)
  }
  return contents
}
