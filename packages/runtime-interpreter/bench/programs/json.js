// A JSON round trip.
;(function() {
  const rows = Array.from({ length: 4000 }, (_, id) => ({
    id,
    name: `row ${id}`,
    tags: ["a", "b", `c${id % 10}`],
    nested: { ok: id % 2 === 0, ratio: id / 8, missing: null },
  }))
  let length = 0
  let sum = 0
  for (let i = 0; i < 3; i++) {
    const text = JSON.stringify(rows)
    length += text.length
    for (const row of JSON.parse(text)) sum = (sum + row.id * row.tags.length + row.nested.ratio) % 1_000_003
  }
  return length + sum
})()
