// Regular expressions: a tokenizer, templates, addresses, words counted, text cleaned up.
;(function() {
  let seed = 7
  const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho".split(" ")
  const word = () => words[random(words.length)]

  const source = Array.from(
    { length: 120 },
    (_, i) =>
      `const ${word()}${i} = ${word()}(${random(1000)} + 0x${
        random(65_536).toString(16)
      }, "${word()} \\"${word()}\\"") // ${word()}`,
  ).join("\n")
  const token =
    /\s+|(?<comment>\/\/.*)|(?<number>0x[\da-f]+|\d+(?:\.\d+)?)|(?<name>[A-Za-z_$][\w$]*)|(?<text>"(?:[^"\\]|\\.)*")|(?<sign>[^\s\w])/gy
  const kinds = {}
  for (const { groups } of source.matchAll(token)) {
    for (const [kind, value] of Object.entries(groups)) {
      if (value !== undefined) kinds[kind] = (kinds[kind] ?? 0) + value.length
    }
  }

  const addresses = Array.from(
    { length: 400 },
    (_, i) =>
      i % 5 === 0
        ? `${word()}@@${word()}`
        : `${word()}.${word()}+${i}@${word()}-${random(50)}.example.${i % 2 ? "org" : "co.uk"}`,
  )
  const address = /^([a-z\d.]+)(?:\+(\d+))?@((?:[a-z\d-]+\.)+[a-z]{2,})$/i
  let tags = 0
  const domains = new Set()
  for (const candidate of addresses) {
    const match = address.exec(candidate)
    if (match === null) continue
    tags += Number(match[2])
    domains.add(match[3])
  }

  const prose = Array.from(
    { length: 1500 },
    (_, i) => `${word()}${i % 9 === 0 ? "," : ""}${i % 14 === 0 ? ".  " : " "}`,
  ).join("")
  const counts = {}
  for (const [found] of prose.matchAll(/\b[a-z]{3,}\b/g)) counts[found] = (counts[found] ?? 0) + 1
  const clean = prose
    .replace(/\s{2,}/g, " ")
    .replace(/(^|\. )([a-z])/g, (_, before, letter) => before + letter.toUpperCase())
    .replace(/\b(\w+) \1\b/g, "$1")
  const filled = "{greeting}, {name}! You have {count} new {things}. ".repeat(60)
    .replace(/\{(\w+)\}/g, (_, key) => ({ greeting: "Hello", name: "Ada", count: 3 })[key] ?? `<${key}>`)
  const sentences = clean.split(/(?<=\.)\s+/)
  return {
    kinds,
    tags,
    domains: domains.size,
    counts,
    clean: clean.length,
    filled: filled.length,
    sentences: sentences.length,
  }
})()
