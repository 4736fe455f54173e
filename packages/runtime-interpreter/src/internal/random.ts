/** How many numbers of the host's make up the seed. */
const DRAWS = 8

/**
 * The random numbers of one run, in [0, 1). They depend on the host's source alone, so that a seeded one makes a run repeatable. But
 * the source is one for all runs, and the host's usual one can be computed from what it gave: so a run takes a seed of it when it
 * asks for the first number, mixed in a way that does not lead back, and has a generator of its own from there.
 */
export const ownRandom = (source: { nextDoubleUnsafe(): number }): () => number => {
  let a = 0x243f6a88
  let b = 0x85a308d3
  let c = 0x13198a2e
  let counter = 1
  let isSeeded = false

  /** The generator sfc32 of Chris Doty-Humphrey. */
  const word = (): number => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21 | c >>> 11) + sum) | 0
    return sum >>> 0
  }

  const seed = (): void => {
    isSeeded = true
    for (let i = 0; i < DRAWS; i++) {
      const drawn = Math.floor(source.nextDoubleUnsafe() * 0x100000000) | 0
      a = Math.imul(a ^ drawn, 0x9e3779b1)
      b = Math.imul(b + (a ^ (a >>> 15)), 0x85ebca6b)
      c = Math.imul(c ^ (b ^ (b >>> 13)), 0xc2b2ae35)
      a ^= c >>> 16
      word()
    }
    for (let i = 0; i < 16; i++) word()
  }

  return () => {
    if (!isSeeded) seed()
    return ((word() >>> 5) * 0x4000000 + (word() >>> 6)) / 0x20000000000000
  }
}
