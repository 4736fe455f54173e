import { Lexer, marked, Parser, Renderer } from "marked"
import { documents } from "./documents.js"
import { show, table } from "./show.js"

const snippets = {
  paragraphs: "one\ntwo  \nthree\n\nfour\\\nfive",
  headings: "# One #\n## Two\nThree\n===\nFour\n---\n####### seven\n#no",
  emphasis: "*a* **b** ***c*** _d_ __e__ a*b*c snake_case_word **a*b*c** *a **b** c* \\*no\\* ~~gone~~ ~one~",
  code: "`a` ``b`c`` `` ` ``\n\n    indented\n\n```js\nconst a = `<b>` && 1\n```\n\n~~~\ntilde\n~~~\n\n```\nunclosed",
  links:
    "[a](http://b.c \"title\") [ref][id] [id] [id][] <http://auto.link> <me@x.org> https://bare.example/x?y=1&z=(2). www.example.com ![img](a.png 'i') [a](<b c>) [a](b(c)d)\n\n[id]: /url 'Title'\n[other]: <u v> \"w\"",
  lists: "- a\n- b\n  - c\n\n    para\n  - d\n* other\n1. one\n2. two\n   1. deep\n10) ten\n- [ ] todo\n- [x] done",
  quotes: "> a\n> > b\nlazy\n\n> - list\n>   more",
  tables: "| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** | `3` |\n| \\| | x\n\nnot | a\ntable",
  html:
    "<div class=\"x\">\n*not*\n</div>\n\ntext <b>bold</b> <!-- c --> &amp; &copy; &#35; & <script>alert(1)</script>",
  rules: "***\n---\n_ _ _\n- - -",
  mixed: "1. a\n\n   ```\n   code\n   ```\n\n2. > quote\n   > more\n\ntext\n***\n",
  nothing: "",
  tabs: "\tcode\n\n- a\n\n\tb\n\n-\tc",
  unicode: "# Ünïcödé\n\n**“quotes”**、*强调* 🎉 _ñ_",
  nested: `${"> ".repeat(30)}deep\n\n${"- ".repeat(30)}deep`,
  stars: `${"*a ".repeat(60)}${"**b ".repeat(60)}`,
  brackets: `${"[".repeat(40)}a${"](b)".repeat(40)}`,
}
const options = { default: {}, breaks: { breaks: true }, pedantic: { pedantic: true }, "not gfm": { gfm: false } }

const cases = {}
for (const [name, text] of Object.entries({ ...snippets, ...documents })) {
  for (const [kind, option] of Object.entries(options)) cases[`${name}, ${kind}`] = () => marked.parse(text, option)
  cases[`${name}, tokens`] = () => Lexer.lex(text)
  cases[`${name}, inline`] = () => marked.parseInline(text)
}
cases["a renderer"] = () => {
  const renderer = new Renderer()
  renderer.heading = (text, level, raw) =>
    `<h${level} id="${raw.toLowerCase().replace(/[^\w]+/g, "-")}">${text}</h${level}>`
  renderer.link = (href, title, text) => `[${text}|${href}|${title}]`
  return marked.parse(`${snippets.headings}\n\n${snippets.links}`, { renderer })
}
cases["walking the tokens"] = () => {
  const seen = []
  marked.walkTokens(Lexer.lex(Object.values(snippets).join("\n\n")), (token) => void seen.push(token.type))
  return seen.join(" ")
}
cases["parser of changed tokens"] = () =>
  Parser.parse(Lexer.lex("# a\n\nb *c*").map((t) => t.type === "heading" ? Object.assign(t, { depth: 3 }) : t))
cases["async parse"] = () =>
  marked.parse("*a*", {
    async: true,
    walkTokens: async (token) => {
      await Promise.resolve()
      if (token.type === "em") token.type = "strong"
    },
  })
cases["errors"] = () =>
  [undefined, null, 5, {}].map((value) => {
    try {
      return marked.parse(value)
    } catch (e) {
      return e.message
    }
  })
cases["length of everything"] = () => show(Lexer.lex(Object.values(documents).join("\n"))).length

export const rows = table(cases)
