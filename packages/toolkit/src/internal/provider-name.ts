import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { BETWEEN } from "./provider-prefix.ts"

/** The longest name that every provider takes, in characters. */
const MAX_LENGTH = 64

/** Before a hash. No spelling without one has it. */
const BEFORE_HASH = "___"

const HASH_LENGTH = 13

const plain = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/

/**
 * Spells a callable name as every provider takes it: at most 64 letters, digits, `_` and `-`, a letter first. `github.list_issues` is
 * `github__list_issues`. A name that cannot be spelled so, because of its characters or its length, is told by what is left of it and
 * a hash: `files__a_b___` and 13 characters. The spelling depends on the name alone, and no two names share one: spellings without a hash can
 * be read back, and the others hold 65 bits of a cryptographic hash, so that nobody can make a name that is spelled like another.
 */
export const providerName = (path: string): string => {
  const segments = path.split(".")
  if (segments.every((segment) => plain.test(segment)) && /^[A-Za-z]/.test(path)) {
    const spelled = segments.join(BETWEEN)
    if (spelled.length <= MAX_LENGTH) return spelled
  }
  const room = MAX_LENGTH - BEFORE_HASH.length - HASH_LENGTH
  const left = segments
    .slice(0, room)
    .map((segment) => segment.slice(0, room * 4).replace(/[^A-Za-z0-9-]+/g, "_").replace(/^_|_$/g, ""))
    .filter((segment) => segment !== "")
    .join(BETWEEN)
  const start = (/^[A-Za-z]/.test(left) ? left : `tool_${left}`).slice(0, room).replace(/_+$/, "")
  return `${start}${BEFORE_HASH}${hash(path)}`
}

const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

const hash = (text: string): string => {
  // As JSON, because UTF-8 has one form for all halves of a character.
  const bytes = sha256(utf8ToBytes(JSON.stringify(text)))
  let spelled = ""
  for (let bit = 0; spelled.length < HASH_LENGTH; bit += 5) {
    const at = bit >> 3
    const two = (bytes[at]! << 8) | bytes[at + 1]!
    spelled += alphabet[(two >> (11 - (bit & 7))) & 31]
  }
  return spelled
}
