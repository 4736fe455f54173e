// Texts searched and scored against questions: terms, frequencies, BM25, excerpts around the best matches.
;(async function() {
  const documents = await tools.texts({ count: 220 })
  const ignored = new Set(["the", "a", "of", "and", "to", "in", "is"])
  const stem = (word) => word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, "") : word
  const terms = (text) =>
    text.toLowerCase().split(/[^a-z\d]+/).filter((word) => word !== "" && !ignored.has(word)).map(stem)

  const index = documents.map(({ body, title }) => {
    const words = [...terms(title), ...terms(title), ...terms(body)]
    const counts = new Map()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { counts, length: words.length }
  })
  const average = index.reduce((sum, { length }) => sum + length, 0) / index.length
  const having = new Map()
  for (const { counts } of index) {
    for (const word of counts.keys()) having.set(word, (having.get(word) ?? 0) + 1)
  }

  const score = (query, { counts, length }) => {
    let total = 0
    for (const word of query) {
      const count = counts.get(word)
      if (count === undefined) continue
      const rarity = Math.log(1 + (documents.length - having.get(word) + 0.5) / (having.get(word) + 0.5))
      total += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
    }
    return total
  }

  const excerpt = (text, query) => {
    const words = text.split(" ")
    const hits = words.map((word) => query.includes(terms(word)[0]) ? 1 : 0)
    let best = 0
    let most = -1
    for (let from = 0; from + 12 <= words.length; from++) {
      const here = hits.slice(from, from + 12).reduce((a, b) => a + b, 0)
      if (here > most) {
        most = here
        best = from
      }
    }
    return words.slice(best, best + 12).map((word, i) => hits[best + i] === 1 ? `**${word}**` : word).join(" ")
  }

  const questions = [
    "restoring deleted backups",
    "billing limits of teams",
    "slow search in large projects",
    "rotating keys",
  ]
  return questions.map((question) => {
    const query = terms(question)
    const ranked = index
      .map((entry, i) => ({ i, score: score(query, entry) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.i - b.i)
    return {
      question,
      hits: ranked.length,
      best: ranked.slice(0, 3).map(({ i, score }) => ({
        title: documents[i].title,
        score: score.toFixed(6),
        excerpt: excerpt(documents[i].body, query),
      })),
    }
  })
})()
