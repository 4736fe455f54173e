/** The binary16 format, for hosts that have no `Float16Array` yet. https://tc39.es/ecma262/#sec-rawbytestonumeric */

const scratch = new DataView(new ArrayBuffer(8))

/** The number that these 16 bits are. */
export const decodeFloat16 = (bits: number): number => {
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}

/** To the nearest integer, to the even one between two. `x` is not negative and below 2^52. */
const roundToEven = (x: number): number => {
  const floor = Math.floor(x)
  const rest = x - floor
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor
}

/** The 16 bits of the nearest number of the format. */
export const encodeFloat16 = (x: number): number => {
  if (x !== x) return 0x7e00
  scratch.setFloat64(0, x)
  const high = scratch.getUint16(0)
  const sign = high & 0x8000
  const size = Math.abs(x)
  if (size >= 65520) return sign | 0x7c00
  // Below 2^-14 there are only multiples of 2^-24. A carry leads to the least normal number, as it should.
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24)
  const exponent = ((high >> 4) & 0x7ff) - 1023
  return sign | (((exponent + 15) << 10) + roundToEven(size * 2 ** (10 - exponent)) - 1024)
}
