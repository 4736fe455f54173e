import { Option } from "effect"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Base64Data } from "../src/internal/base64-data.ts"
import { JsonInput } from "../src/internal/json-input.ts"
import { JsonReader } from "../src/internal/json-reader.ts"

const native = (text: string): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

// What tells values apart, the order of members and -0 included.
const told = (value: Option.Option<unknown>): unknown =>
  Option.isNone(value) ? "no JSON" : [
    value.value,
    JSON.stringify(value.value, (_, value) => Object.is(value, -0) ? "-0" : value),
  ]

/** Something in pieces, cut at some places. */
const pieces = <A extends { readonly length: number }>(
  whole: A,
  cuts: ReadonlyArray<number>,
  part: (whole: A, from: number, to: number) => A,
): ReadonlyArray<A> => {
  const at = Array.from(cuts, (cut) => cut % (whole.length + 1)).sort((a, b) => a - b)
  return [0, ...at].map((from, index) => part(whole, from, at[index] ?? whole.length))
}

const ofText = (whole: string, cuts: ReadonlyArray<number>) => pieces(whole, cuts, (whole, a, b) => whole.slice(a, b))
const ofBytes = (whole: Uint8Array, cuts: ReadonlyArray<number>) =>
  pieces(whole, cuts, (whole, a, b) => whole.subarray(a, b))

const readText = (text: string, cuts: ReadonlyArray<number>): Option.Option<unknown> => {
  const reader = new JsonReader()
  for (const piece of ofText(text, cuts)) reader.add(piece)
  return reader.end()
}

// Enough to have the rest read as it comes.
const blank = new Uint8Array(256 * 1024 + 1).fill(32)

const readBytes = (bytes: Uint8Array, cuts: ReadonlyArray<number>): Option.Option<unknown> => {
  const input = new JsonInput()
  input.addBytes(blank)
  expect(input.isLong).toBe(true)
  for (const piece of ofBytes(bytes, cuts)) input.addBytes(piece)
  return input.end()
}

const unit = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      "\"",
      "\\",
      "/",
      "\n",
      "\t",
      "\u0000",
      "\ud83d",
      "\ude00",
      "😀",
      "é",
      "a",
      "\u2028",
      "\ufeff",
    ),
  }),
)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    unit,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(true, false, null, -0, 0, 1e21, 1e-7),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(fc.oneof(unit, fc.constantFrom("__proto__", "1", "0", "data", "constructor")), tie("value")), {
      maxLength: 5,
    }).map((entries) => Object.fromEntries(entries)),
  ),
})).value
const cuts = fc.array(fc.nat(), { maxLength: 12 })
const space = fc.constantFrom(undefined, " ", "\t", "\r\n", 3)
const json = fc.tuple(value, space, fc.boolean()).map(([value, space, isEscaped]) => {
  const text = JSON.stringify(value, null, space as string)
  // Escapes in place of characters, which JSON.stringify makes few of.
  return isEscaped
    ? text.replace(/[^ -~]|\//g, (char) =>
      char === "/" ? "\\/" : Array.from(
        { length: char.length },
        (_, i) => char.charCodeAt(i) < 32 ? char[i] : `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`,
      ).join(""))
    : text
})
const char = fc.constantFrom(
  ..."\"\\/bfnrtu{}[]:,.-+0123456789eEtrufalsn \n\t\r\u0000\u001f\u007f\u00a0\ufeff\u2028_xé😀",
)

describe("JSON in pieces is what JSON.parse makes of the whole", () => {
  test("of what is JSON, wherever it is cut", () => {
    fc.assert(
      fc.property(json, cuts, (text, cuts) => {
        expect(told(readText(text, cuts))).toEqual(told(native(text)))
        expect(Option.isSome(native(text))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test("of bytes, wherever they are cut", () => {
    fc.assert(
      fc.property(json, cuts, (text, cuts) => {
        const bytes = new TextEncoder().encode(text)
        expect(told(readBytes(bytes, cuts))).toEqual(told(native(new TextDecoder().decode(bytes))))
      }),
      { numRuns: 100 },
    )
  })

  test("of bytes that are no UTF-8", () => {
    const byte = fc.oneof(
      fc.constantFrom(0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xc0, 0xf8, 0xed, 0xa0),
      fc.integer({ min: 35, max: 91 }),
    )
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 30 }), cuts, (bytes, cuts) => {
        const whole = Uint8Array.of(34, ...bytes, 34)
        expect(told(readBytes(whole, cuts))).toEqual(told(native(new TextDecoder().decode(whole))))
      }),
      { numRuns: 100 },
    )
  })

  test("of what is hardly JSON: some characters are others, some are missing, some are too many", () => {
    const change = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 1, 2, 5), fc.oneof(char, fc.constant("")))
    const changed = fc.tuple(json, fc.array(change, { minLength: 1, maxLength: 3 })).map(([text, changes]) => {
      for (const [at, length, char] of changes) {
        const from = at % (text.length + 1)
        text = text.slice(0, from) + char + text.slice(from + length)
      }
      return text
    })
    fc.assert(
      fc.property(changed, cuts, (text, cuts) => {
        expect(told(readText(text, cuts))).toEqual(told(native(text)))
      }),
      { numRuns: 3000 },
    )
  })

  test("of any characters that JSON is made of", () => {
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 12 }), cuts, (text, cuts) => {
        expect(told(readText(text, cuts))).toEqual(told(native(text)))
      }),
      { numRuns: 5000 },
    )
  })

  const cases: Record<string, string> = {
    "nothing": "",
    "white space": " \n",
    "an empty object": "{}",
    "an empty list": "[ ]",
    "a name twice": "{\"a\":1,\"b\":2,\"a\":{\"c\":3}}",
    "a name that is a prototype": "{\"__proto__\":{\"a\":1},\"b\":1}",
    "numbers": "[-0,0.10,1E+2,-1e-2,1e999,123456789012345678901234567890,0]",
    "a number that begins with a zero": "[01]",
    "a number that ends with a point": "[1.]",
    "a sign alone": "-",
    "a sign before": "+1",
    "a comma too many": "[1,]",
    "a comma in an object too many": "{\"a\":1,}",
    "a comma alone": "[,]",
    "two values": "1 2",
    "a bracket of another kind": "[1}",
    "no end": "{\"a\":[",
    "a name without a value": "{\"a\"}",
    "a name that is a number": "{1:2}",
    "a word that is none": "[nul]",
    "a word that goes on": "[nullx]",
    "a space that JSON does not know": "[\u00a0]",
    "an escape that is none": "\"\\x\"",
    "an escape that is too short": "\"\\u12\"",
    "an escaped quote at the end": "\"a\\\"",
    "escaped backslashes": "\"\\\\\\\\\"",
    "half a character, and the other half": "\"\\ud83d\\ude00 \\ud83d\"",
    "a line break in a text": "\"a\nb\"",
    "deep lists": `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  }
  for (const [name, text] of Object.entries(cases)) {
    test(`of ${name}`, () => {
      const expected = native(text)
      const shown = (value: Option.Option<unknown>) => name === "deep lists" ? value._tag : told(value)
      for (const size of [1, 2, 3, 7, text.length + 1]) {
        const cuts = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => i * size)
        expect(shown(readText(text, cuts))).toEqual(shown(expected))
      }
    })
  }

  test("of a long text, and of many short values", () => {
    const value = {
      text: `a"é😀\\${"x".repeat(600_000)}`,
      list: Array.from({ length: 30_000 }, (_, i) => ({ i, s: `${i}` })),
    }
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    const input = new JsonInput()
    for (let at = 0; at < bytes.length; at += 65_521) input.addBytes(bytes.subarray(at, at + 65_521))
    expect(input.isLong).toBe(true)
    expect(input.end()).toEqual(Option.some(value))
  })

  test("a byte order mark at the beginning is passed over, and another is not", () => {
    const read = (text: string) => {
      const input = new JsonInput()
      const bytes = new TextEncoder().encode(text)
      for (const byte of bytes) input.addBytes(Uint8Array.of(byte))
      return input.end()
    }
    expect(read("\ufeff1")).toEqual(Option.some(1))
    expect(read("\ufeff\ufeff1")).toEqual(Option.none())
    expect(read("\"\ufeff\"")).toEqual(Option.some("\ufeff"))
  })
})

describe("long texts in base64", () => {
  const read = (text: string, cuts: ReadonlyArray<number>): unknown => {
    const reader = new JsonReader({ base64: new Set(["data"]) })
    for (const piece of ofText(text, cuts)) reader.add(piece)
    return Option.getOrThrow(reader.end())
  }
  const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  const textOf = (value: unknown): unknown => value instanceof Base64Data ? value.text() : value
  const bytesOf = (value: unknown): Uint8Array | undefined => {
    if (value instanceof Base64Data) return value.bytes()
    return isBase64(value as string) ? Uint8Array.from(Buffer.from(value as string, "base64")) : undefined
  }
  const dataOf = (value: unknown): unknown => (value as { readonly data: unknown }).data

  test("become their bytes where they were cut, and can be had as texts again", () => {
    const bytes = fc.uint8Array({ maxLength: 2000 })
    fc.assert(
      fc.property(bytes, fc.boolean(), cuts, (bytes, isEscaped, cuts) => {
        const base64 = Buffer.from(bytes).toString("base64")
        const text = `{"data":"${isEscaped ? base64.replaceAll("/", "\\/") : base64}","other":"${base64}"}`
        const data = () => dataOf(read(text, cuts))
        expect((read(text, cuts) as { readonly other: unknown }).other).toBe(base64)
        const [seen, again] = [data(), data()]
        expect(textOf(seen)).toBe(base64)
        expect(bytesOf(again)).toEqual(bytes)
        expect(again instanceof Base64Data ? again.byteLength : bytes.length).toBe(bytes.length)
      }),
      { numRuns: 500 },
    )
  })

  test("that are none to their ends stay texts", () => {
    const piece = fc.string({ unit: fc.constantFrom("A", "z", "/", "+", "9", "=", "-", "é", "\n", " "), maxLength: 30 })
    fc.assert(
      fc.property(piece, cuts, (text, cuts) => {
        const [seen, again] = [1, 2].map(() => dataOf(read(JSON.stringify({ data: text }), cuts)))
        expect(textOf(seen)).toBe(text)
        expect(bytesOf(again) !== undefined).toBe(isBase64(text))
      }),
      { numRuns: 2000 },
    )
  })

  test("are read from bytes, in one piece of memory", () => {
    const bytes = Uint8Array.from({ length: 700_000 }, (_, i) => (i * 7919) >> 3)
    const json = new TextEncoder().encode(
      JSON.stringify({ type: "image", data: Buffer.from(bytes).toString("base64") }),
    )
    const input = new JsonInput({ base64: new Set(["data"]) })
    for (let at = 0; at < json.length; at += 65_521) input.addBytes(json.subarray(at, at + 65_521))
    const data = dataOf(Option.getOrThrow(input.end()))
    expect(data).toBeInstanceOf(Base64Data)
    const joined = (data as Base64Data).bytes()!
    expect(Buffer.from(joined).equals(bytes)).toBe(true)
    expect(joined.buffer.byteLength).toBe(bytes.length)
  })
})

describe("a value that would take too much memory", () => {
  // Each of these takes 8 to 200 bytes for a character or a few.
  const units = ["{},", "[],", "[1],", "[", "{\"a\":", "1,", "\"a\",", "[1.5,2.5],", "{\"a\":1,\"b\":[null]},"]
  const names = (count: number, write: (name: string) => string) =>
    Array.from({ length: count }, (_, i) => write(`"k${i}":1`)).join()

  test.each([
    ...units.map((unit) => [unit, `[${unit.repeat(2_000_000 / unit.length)}`] as const),
    ["objects of other names each", `[${names(150_000, (name) => `{${name}}`)}`] as const,
    ["an object of many names", `{${names(150_000, (name) => name)}`] as const,
  ])("is forgotten as soon as that is told: %s", (_unit, text) => {
    const reader = new JsonReader({ mostMemory: 1_000_000 })
    const sound = new JsonReader({ mostMemory: 1_000_000_000 })
    let taken = 0
    for (let at = 0; at < text.length && !reader.isTooLarge; at += 1000) {
      reader.add(text.slice(at, at + 1000))
      sound.add(text.slice(at, at + 1000))
      taken = at
    }
    expect(reader.isTooLarge).toBe(true)
    expect(sound.isTooLarge).toBe(false)
    expect(taken).toBeLessThan(150_000)
    expect(Object.keys(reader.members()).length).toBeLessThanOrEqual(1000)
    expect(reader.end()).toEqual(Option.none())
  })

  test("tells its short members all the same", () => {
    const reader = new JsonReader({ mostMemory: 1000 })
    reader.add(`{"id":1,"result":${JSON.stringify(Array.from({ length: 1000 }, () => [{ a: "]" }]))},"end":"{"}`)
    expect([reader.isTooLarge, reader.members()]).toEqual([true, { id: 1, result: undefined, end: "{" }])
  })

  test("is none that takes up four times its text, as rows of data do", () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `name ${id}`, isOpen: true, at: "2026-12-01" }))
    const text = JSON.stringify(rows)
    const reader = new JsonReader({ mostMemory: 4 * text.length })
    reader.add(text)
    expect(reader.end()).toEqual(Option.some(rows))
  })
})

describe("what is forgotten", () => {
  test("goes on to tell the short members of the whole, wherever it is forgotten", () => {
    const short = (value: unknown) =>
      typeof value === "object" && value !== null || typeof value === "string" && value.length > 256 ? undefined : value
    fc.assert(
      fc.property(json, cuts, fc.nat(), (text, cuts, when) => {
        const whole = `{"first":${text},"id":7,"then":${text}}`
        const reader = new JsonReader()
        const parts = ofText(whole, cuts)
        for (const [index, piece] of parts.entries()) {
          if (index === when % parts.length) reader.forget()
          reader.add(piece)
        }
        const value = short(JSON.parse(text))
        expect(reader.members()).toEqual({ first: value, id: 7, then: value })
        expect(reader.end()).toEqual(Option.none())
      }),
      { numRuns: 1000 },
    )
  })

  test.each(["[", "{\"a\":", "1", "{},", "\"a\":1,", "\\", "\"", "x", "é", "[\"", "[]]"])(
    "takes no more memory, however it goes on: %s",
    (unit) => {
      for (const beginning of ["{\"a\":", "{\"a\":[", "{\"a\":\"", "[", "{", ""]) {
        const reader = new JsonReader()
        reader.add(beginning)
        reader.forget()
        for (let i = 0; i < 20; i++) reader.add(unit.repeat(10_000))
        expect(JSON.stringify(reader).length).toBeLessThan(15_000)
      }
    },
  )

  test("keeps no more than the short members of the whole", () => {
    const text = JSON.stringify({
      jsonrpc: "2.0",
      result: { content: [{ type: "text", text: "x".repeat(1000), id: 3 }] },
      long: "y".repeat(1000),
      id: "mine",
      flag: true,
    })
    for (let at = 0; at <= text.length; at += 13) {
      const reader = new JsonReader()
      reader.add(text.slice(0, at))
      reader.forget()
      reader.add(text.slice(at))
      expect(reader.members()).toEqual({ jsonrpc: "2.0", result: undefined, long: undefined, id: "mine", flag: true })
      expect(reader.end()).toEqual(Option.none())
    }
  })

  test("is told as far as it was read, where it is no JSON", () => {
    const reader = new JsonReader()
    reader.add("{\"id\":7,\"result\":[oops")
    reader.add(",\"id\":8}")
    reader.forget()
    expect(reader.members()).toEqual({ id: 7, result: undefined })
  })
})
