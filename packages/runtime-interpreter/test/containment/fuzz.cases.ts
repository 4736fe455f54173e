/** Programs on which something broke once: what random programs found, and what was found by hand on the way. Each may end in any way. */
export const found: ReadonlyArray<{ readonly name: string; readonly code: string }> = [
  {
    name: "texts in pieces whose live size is counted, each of which the host puts into one piece to look at it",
    code: `let s = "", all = []; for (;;) all.push(s = "<" + s + ">")`,
  },
  {
    name: "long texts that are compared, at one step each",
    code: `const half = "a".repeat(1 << 21), s = half + "b" + half, t = half + "b" + half; for (;;) { s === t }`,
  },
  {
    name: "functions that are bound to functions, each with a list of all arguments",
    code: `let f = () => 0; for (;;) f = f.bind(null, 1)`,
  },
  {
    name: "templates of long texts that are kept",
    code: "const big = \"t\".repeat(1 << 15), all = []; for (let i = 0;; i++) all.push(`${big}${i}${big}`)",
  },
  {
    name: "calls that end all at once, with results that wait to be taken in",
    code: `await Promise.all(Array.from({ length: 500 }, () => tools.echo({ list: new Array(1000).fill("result") })))`,
  },
  {
    name: "a result that is found to be too large where an object in it begins",
    code: "let o = {}; for (let i = 0; i < 60; i++) o = { a: o, b: o }; return o",
  },
  {
    name: "an input that is found to be too large where an array in it begins",
    code: "let o = []; for (let i = 0; i < 60; i++) o = [o, o]; return await tools.echo({ o })",
  },
]
