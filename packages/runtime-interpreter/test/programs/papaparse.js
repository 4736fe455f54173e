import Papa from "papaparse"
import { table } from "./show.js"

const texts = {
  simple: "a,b,c\n1,2,3\n4,5,6",
  quoted: "a,\"b \"\"x\"\" c\",d\r\n\"multi\nline\",2,\"\"\r\n",
  tabs: "a\tb\n1\t2\n3\t4",
  semicolons: "name;price\n\"Müller; Söhne\";1,50\nx;2,75",
  pipes: "a|b|c\n1|2|3",
  ragged: "a,b,c\n1,2\n1,2,3,4\n\n5,6,7",
  malformed: "a,b\n\"open,2\n3,4",
  "bad quotes": "a,\"b\" x,c\n1,2,3",
  types:
    "n,f,b,d,s,e\n1,2.5,true,2024-01-01T00:00:00Z,text,\n-1,1e5,FALSE,2024-13-01,007,null\n9007199254740993,.5,True,,+3,-0",
  comments: "# head\na,b\n# mid\n1,2",
  empty: "",
  blank: "\n\n \n",
  "byte order mark": "\ufeffa,b\n1,2",
  duplicates: "a,a,b,a\n1,2,3,4",
  wide: `${Array.from({ length: 60 }, (_, i) => `c${i}`).join(",")}\n${
    Array.from({ length: 60 }, (_, i) => i * i).join(",")
  }`,
  returns: "a,b\r1,2\r3,4",
  long: `id,name,score\n${
    Array.from({ length: 400 }, (_, i) =>
      `${i},"name ${i}${i % 7 === 0 ? ", the \"\"great\"\"" : ""}",${(i * 37 % 101) / 4}`).join("\n")
  }`,
}
const configs = {
  plain: {},
  header: { header: true },
  typed: { header: true, dynamicTyping: true },
  "typed by field": { header: true, dynamicTyping: { n: true, b: true } },
  "no empty lines": { skipEmptyLines: true },
  greedy: { skipEmptyLines: "greedy", header: true },
  preview: { preview: 2 },
  comments: { comments: "#" },
  delimiter: { delimiter: ";" },
  guess: { delimitersToGuess: ["|", ";"] },
  transforms: {
    header: true,
    transformHeader: (h, i) => `${i}_${h.trim()}`,
    transform: (value, field) => `${field}=${value}`,
  },
  quotes: { quoteChar: "'" },
  escapes: { escapeChar: "\\" },
  fast: { fastMode: true },
  "long delimiter": { delimiter: ", " },
  newline: { newline: "\r\n" },
}

const cases = {}
for (const [name, text] of Object.entries(texts)) {
  for (const [kind, config] of Object.entries(configs)) cases[`${name}, ${kind}`] = () => Papa.parse(text, config)
}
Object.assign(cases, {
  step: () => {
    const rows = []
    Papa.parse(texts.long, {
      step: (row, parser) => {
        rows.push(row.data.length)
        if (rows.length === 10) parser.abort()
      },
    })
    return rows
  },
  chunk: () => {
    const sizes = []
    Papa.parse(texts.long, { chunkSize: 512, chunk: (r) => void sizes.push(r.data.length) })
    return sizes
  },
  complete: () => new Promise((resolve) => Papa.parse(texts.simple, { complete: resolve })),
  "step over rows with a pause": () =>
    new Promise((resolve) => {
      const seen = []
      Papa.parse(texts.simple, {
        step: (row, parser) => {
          seen.push(row.data)
          parser.pause()
          setTimeout(() => parser.resume(), 1)
        },
        complete: () => resolve(seen),
      })
    }),
  unparse: () => [
    Papa.unparse([["a", "b"], [1, "x,y"], ["q\"q", null], [undefined, "l\nl"]]),
    Papa.unparse([{ a: 1, b: 2 }, { b: 3, c: 4 }]),
    Papa.unparse({ fields: ["b", "a"], data: [[1, 2], { a: 3, b: 4 }] }),
    Papa.unparse([[]]),
    Papa.unparse("[{\"x\":1}]"),
  ],
  "unparse with options": () => [
    Papa.unparse([["a b", 1]], { quotes: true }),
    Papa.unparse([["a", 1]], { quotes: [false, true] }),
    Papa.unparse([["a", 1]], { delimiter: "\t", newline: "\n" }),
    Papa.unparse([{ a: 1 }], { header: false }),
    Papa.unparse([{ a: 1, b: 2 }], { columns: ["b"] }),
    Papa.unparse([["=1+1", "@x", "-2"]], { escapeFormulae: true }),
    Papa.unparse([{ a: 1 }, {}, { a: "" }], { skipEmptyLines: "greedy" }),
    Papa.unparse([["a", "b"]], { quoteChar: "'", quotes: (v) => v === "b" }),
  ],
  "unparse of dates": () => Papa.unparse([[new Date(0), true, 1.5, NaN, Infinity, [1, 2], { toString: () => "o" }]]),
  "there and back": () => {
    const { data } = Papa.parse(texts.long)
    const again = Papa.parse(Papa.unparse(data)).data
    return JSON.stringify(data) === JSON.stringify(again)
  },
  errors: () =>
    [
      () => Papa.unparse(5),
      () => Papa.unparse([], { columns: [] }),
      () => Papa.parse(texts.simple, { delimiter: "\n" }).meta,
    ].map((f) => {
      try {
        return f()
      } catch (e) {
        return e.message
      }
    }),
  constants: () => [Papa.BAD_DELIMITERS, Papa.RECORD_SEP, Papa.UNIT_SEP, Papa.DefaultDelimiter, Papa.WORKERS_SUPPORTED],
})

export const rows = table(cases)
