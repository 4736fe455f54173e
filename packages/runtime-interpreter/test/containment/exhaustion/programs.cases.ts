import { type Exhaustion, group } from "./case.ts"

const name = (i: number): string => `v_${i.toString(36)}`

const ok = `; return "ok"`
const lists = `const a = 1; const list = [`
const end = `]; return list.length > 1000 ? "ok" : "no"`

/** Programs of so many characters, as many as a program may have. */
export const programsOf = (length: number): ReadonlyArray<Exhaustion> => {
  /** A program as long as a program may be: parts one after another, which `part` makes of their numbers. */
  const long = (before: string, part: (i: number) => string, after: string): string => {
    const parts = [before]
    let left = length - before.length - after.length
    for (let i = 0;; i++) {
      const next = part(i)
      left -= next.length
      if (left < 0) break
      parts.push(next)
    }
    return parts.join("") + after
  }

  const repeated = (before: string, part: string, after: string): string => long(before, () => part, after)

  /** Parts inside of statements in statements. */
  const inside = (open: string, close: string, depth: number, part: (i: number) => string, after = ""): string =>
    long(`const a = 0;${open.repeat(depth)}`, part, close.repeat(depth) + after)

  return group("Time by reading the program", "ok", [
    ["a list of numbers", repeated(`const list = [`, "1,", end)],
    ["a list of names", repeated(lists, "a,", end)],
    ["a list of lists", repeated(`const list = [`, "[],", end)],
    ["a list of functions", repeated(`const list = [`, "a=>a,", end)],
    ["a list of classes", repeated(`const list = [`, "class{a=1},", end)],
    ["a list of patterns", long(`const list = [`, (i) => `/${i.toString(36)}/,`, end)],
    ["a list of sums", repeated(lists, `a${"+a".repeat(4000)},`, "1,".repeat(1000) + end)],
    ["a list of templates", repeated(`const a = () => 1; const list = [`, "a`${a}`,", end)],
    ["an object", long(`const o = {`, (i) => `${name(i)}:1,`, `}${ok}`)],
    ["an object of methods", long(`const o = {`, (i) => `${name(i)}(){},`, `}${ok}`)],
    ["a template", repeated("const a = 1; const t = `", "${a}", `\`${ok}`)],
    ["a number", `const n = ${"1".repeat(length - 40)}${ok}`],
    ["a large integer", `const n = ${"1".repeat(length - 40)}n${ok}`],
    ["a comment", `/*${"\n".repeat(length - 40)}*/ return "ok"`],
    ["statements of one block", repeated(`const a = 1; {`, "a;", `}${ok}`)],
    ["variables of one block", long(`{`, (i) => `let ${name(i)};`, `}${ok}`)],
    ["variables of blocks in blocks", inside("{", "}", 230, (i) => `var ${name(i)};`, ok)],
    ["names in blocks in blocks", inside("{let b;", "}", 200, () => "a;", ok)],
    ["names of functions in functions", inside("(()=>{let b;", "})", 70, () => "a;", ok)],
    ["fields of a class", long(`class A {`, (i) => `#${name(i)};`, `}${ok}`)],
    ["private methods of a class", long(`class A {`, (i) => `#${name(i)}(){}`, `}${ok}`)],
    [
      "private names of classes in classes",
      inside("class A{#a;f(){", "}}", 90, (i) => `this.#${name(i)};`),
      "SYNTAX_ERROR",
    ],
    ["ways out of loops", inside("for(const b of []){", "}", 100, () => "if(a)return;", ok)],
    ["ways out of blocks with an end", inside("try{", "}finally{}", 100, () => "if(a)return 1;", ok)],
    ["ways out of blocks with a catch", inside("try{", "}catch{}", 100, () => "if(a)return 1;", ok)],
    ["cases of a switch", long(`switch (-1) {`, (i) => `case ${i}:`, `}${ok}`)],
    ["parameters", long(`function f(`, (i) => `${name(i)}=1,`, `last){}${ok}`)],
    ["patterns", repeated(`let a; const list = [`, "[a]=[1],", end)],
    ["a list with a type", repeated(`const list: number[] = [`, "1,", end)],
    ["types", long(``, (i) => `interface ${name(i)} { a: string }\n`, `return "ok"`)],
    ["a long enum", long(`enum E {`, (i) => `${name(i)},`, `}${ok}`)],
    ["many enums", long(``, (i) => `enum ${name(i)} { A, B }\n`, `return "ok"`)],
    [
      "classes of parameter properties",
      long(``, (i) => `class ${name(i)} { constructor(private a: number) {} }\n`, `return "ok"`),
    ],
    [
      "a long namespace",
      long(`namespace N {`, (i) => `export const ${name(i)} = 1;`, `}${ok}`),
      "UNSUPPORTED_SYNTAX",
    ],
    ["a mistake at the end", repeated(`const list = [`, "1,", `)`), "SYNTAX_ERROR"],
    ["an end that is missing", repeated(`function f() {`, "a();", ``), "SYNTAX_ERROR"],
    ["lines of backquotes", repeated("", "```\n", ""), "SYNTAX_ERROR"],
  ], { fuel: 20_000_000 })
}
