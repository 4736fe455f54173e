// Where the parts of a text that TypeScript rewrote come from: the `mappings` of a source map, format 3.
import { Source } from "./source.ts"

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const values = new Map(Array.from(digits, (digit, value) => [digit, value]))

// The numbers of one segment: base 64, five bits a digit, least significant first, and the sign in the lowest bit.
const decode = (segment: string): Array<number> => {
  const numbers: Array<number> = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = values.get(digit) ?? 0
    value |= (bits & 31) << shift
    if ((bits & 32) !== 0) shift += 5
    else {
      numbers.push((value & 1) === 0 ? value >> 1 : -(value >> 1))
      value = shift = 0
    }
  }
  return numbers
}

/** From offsets in a generated text to offsets in the text it was made from. */
export const readMappings = (mappings: string, generated: string, original: string): (offset: number) => number => {
  const to = new Source(generated)
  const from = new Source(original)
  const offsets: Array<readonly [generated: number, original: number]> = []
  let line = 0
  let column = 0
  mappings.split(";").forEach((segments, index) => {
    let generatedColumn = 0
    for (const segment of segments.split(",")) {
      const [right, , down, across] = decode(segment)
      if (right === undefined) continue
      generatedColumn += right
      if (down === undefined || across === undefined) continue
      line += down
      column += across
      offsets.push([
        to.offsetOf({ line: index + 1, column: generatedColumn + 1 }),
        from.offsetOf({ line: line + 1, column: column + 1 }),
      ])
    }
  })
  return (offset) => {
    let low = 0
    let high = offsets.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (offsets[middle]![0] <= offset) low = middle
      else high = middle - 1
    }
    return offsets[low]?.[1] ?? 0
  }
}
