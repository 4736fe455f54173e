// A listing read page by page, with the details of some entries fetched a few at a time.
;(async function() {
  const entries = []
  let cursor = null
  let pages = 0
  do {
    const page = await tools.list({ cursor, limit: 50 })
    entries.push(...page.items)
    cursor = page.next
    pages++
  } while (cursor !== null && pages < 100)

  const wanted = entries.filter(({ labels, state }) => state === "open" && labels.includes("bug"))
  const details = []
  for (let i = 0; i < wanted.length; i += 10) {
    const batch = await Promise.all(wanted.slice(i, i + 10).map(({ number }) => tools.detail({ number })))
    details.push(...batch)
  }
  const comments = details.flatMap(({ comments }) => comments)
  const authors = new Map()
  for (const { author, body } of comments) {
    const known = authors.get(author) ?? { comments: 0, words: 0 }
    authors.set(author, { comments: known.comments + 1, words: known.words + body.split(/\s+/).length })
  }
  return {
    pages,
    entries: entries.length,
    wanted: wanted.length,
    busiest: [...authors].sort(([a, x], [b, y]) => y.words - x.words || (a < b ? -1 : 1)).slice(0, 5),
  }
})()
