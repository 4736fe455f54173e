// The operators on bigints whose cost or result can be large: each is paid for, and refused if its result would pass the
// limit, before the host computes it.
import type { Agent } from "./agent.ts"

const tooBig = (m: Agent) => m.rangeError("Maximum BigInt size exceeded")

/** 2^(64 * 2^k) and its negative, by k; kept, for making one takes longer than comparing with it. */
const upper: Array<bigint> = []
const lower: Array<bigint> = []

/** An upper bound of a bigint's size in 64-bit words, at most twice the size; found without looking at all digits. */
export const bigIntWords = (value: bigint): number => {
  for (let k = 0;; k++) {
    if (k === upper.length) {
      upper.push(1n << (64n << BigInt(k)))
      lower.push(-upper[k]!)
    }
    if (value < upper[k]! && value > lower[k]!) return 1 << k
  }
}

/** A lower bound of a bigint's size in bits, at least half of it. */
const fewestBits = (words: number): number => words === 1 ? 0 : words * 32

let limitBits = 0
let upperLimit = 0n
let lowerLimit = 0n

/** Refuses a bigint of more bits than the run allows. */
export const checkBigInt = (m: Agent, value: bigint): bigint => {
  if (limitBits !== m.maxBigIntBits) {
    limitBits = m.maxBigIntBits
    upperLimit = 1n << BigInt(limitBits)
    lowerLimit = -upperLimit
  }
  if (value >= upperLimit || value <= lowerLimit) throw tooBig(m)
  return value
}

/** Pays for an operation that is linear in the size of its operands. */
const chargeLinear = (m: Agent, words: number): void => {
  if (words <= 4) return
  m.charge(words >> 2)
  m.allocate(words * 8)
}

/** Pays for an operation that takes a product of sizes. */
const chargeProduct = (m: Agent, aWords: number, bWords: number): void => {
  if (aWords <= 4 && bWords <= 4) return
  m.charge(Math.ceil(aWords * bWords / 64))
  m.allocate((aWords + bWords) * 8)
}

/** Small enough that no operator on it needs a look at limits. */
const SMALL = 1n << 62n
const isSmall = (value: bigint): boolean => value < SMALL && value > -SMALL

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-add */
export const addBigInt = (m: Agent, a: bigint, b: bigint): bigint => {
  const sum = a + b
  if (isSmall(sum)) return sum
  chargeLinear(m, bigIntWords(sum))
  return checkBigInt(m, sum)
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-subtract */
export const subtractBigInt = (m: Agent, a: bigint, b: bigint): bigint => {
  const difference = a - b
  if (isSmall(difference)) return difference
  chargeLinear(m, bigIntWords(difference))
  return checkBigInt(m, difference)
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-multiply */
export const multiplyBigInt = (m: Agent, a: bigint, b: bigint): bigint => {
  if (isSmall(a) && isSmall(b)) return checkBigInt(m, a * b)
  const aWords = bigIntWords(a)
  const bWords = bigIntWords(b)
  if (a !== 0n && b !== 0n && fewestBits(aWords) + fewestBits(bWords) > m.maxBigIntBits + 1) throw tooBig(m)
  chargeProduct(m, aWords, bWords)
  return checkBigInt(m, a * b)
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-divide */
export const divideBigInt = (m: Agent, a: bigint, b: bigint): bigint => {
  if (b === 0n) throw m.rangeError("Division by zero")
  chargeQuotient(m, a, b)
  return a / b
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-remainder */
export const remainderBigInt = (m: Agent, a: bigint, b: bigint): bigint => {
  if (b === 0n) throw m.rangeError("Division by zero")
  chargeQuotient(m, a, b)
  return a % b
}

const chargeQuotient = (m: Agent, a: bigint, b: bigint): void => {
  if (isSmall(a)) return
  const aWords = bigIntWords(a)
  const bWords = bigIntWords(b)
  chargeProduct(m, Math.max(aWords - (bWords >> 1), 1), bWords)
  chargeLinear(m, aWords)
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-exponentiate */
export const exponentiateBigInt = (m: Agent, base: bigint, exponent: bigint): bigint => {
  if (exponent < 0n) throw m.rangeError("Exponent must be non-negative")
  if (exponent === 0n) return 1n
  if (base === 0n || base === 1n) return base
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  const bits = bitsOf(base)
  // |base| >= 2^(bits - 1), so that the result has more than (bits - 1) * exponent bits.
  if (exponent > BigInt(m.maxBigIntBits) || (bits - 1) * Number(exponent) >= m.maxBigIntBits) throw tooBig(m)
  const words = Math.ceil(bits * Number(exponent) / 64)
  chargeProduct(m, words, words)
  return checkBigInt(m, base ** exponent)
}

/** The exact size in bits. */
const bitsOf = (value: bigint): number => {
  const magnitude = value < 0n ? -value : value
  const digits = magnitude.toString(16)
  return digits.length * 4 - Math.clz32(parseInt(digits[0]!, 16)) + 28
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-leftShift */
export const leftShiftBigInt = (m: Agent, value: bigint, count: bigint): bigint => {
  if (count < 0n) return rightShiftBigInt(m, value, -count)
  if (value === 0n) return value
  if (count > BigInt(m.maxBigIntBits)) throw tooBig(m)
  chargeLinear(m, bigIntWords(value) + Number(count >> 6n))
  return checkBigInt(m, value << count)
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-signedRightShift */
export const rightShiftBigInt = (m: Agent, value: bigint, count: bigint): bigint => {
  if (count < 0n) return leftShiftBigInt(m, value, -count)
  if (!isSmall(value)) chargeLinear(m, bigIntWords(value))
  return value >> count
}

/** Pays for finding out whether two bigints are equal, which makes nothing. */
export const chargeSame = (m: Agent, a: bigint, b: bigint): void => {
  if (!isSmall(a) && !isSmall(b)) m.charge(Math.min(bigIntWords(a), bigIntWords(b)) >> 2)
}

/** Pays for `&`, `|`, `^`, `~` and comparisons of two bigints. */
export const chargeBitwise = (m: Agent, a: bigint, b: bigint): void => {
  if (isSmall(a) && isSmall(b)) return
  chargeLinear(m, Math.max(bigIntWords(a), bigIntWords(b)))
}

/** https://tc39.es/ecma262/#sec-numeric-types-bigint-tostring */
export const bigIntToString = (m: Agent, value: bigint, radix = 10): string => {
  if (!isSmall(value)) {
    const words = bigIntWords(value)
    // Digits of a radix that is no power of two take divisions.
    const power = (radix & (radix - 1)) === 0
    m.charge(words * 8 + (power ? 0 : Math.ceil(words * words / 64)))
    const length = Math.ceil(words * 64 / Math.log2(radix))
    m.allocate(length)
    const text = value.toString(radix)
    if (text.length > m.maxStringLength) throw m.rangeError("Invalid string length")
    return text
  }
  return value.toString(radix)
}
