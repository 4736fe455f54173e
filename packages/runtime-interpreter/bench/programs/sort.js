// A sort with a comparator.
;(function() {
  let seed = 42
  const random = () => seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  const rows = Array.from({ length: 15_000 }, (_, id) => ({ id, score: random() % 1000 }))
  rows.sort((a, b) => b.score - a.score || a.id - b.id)
  let sum = 0
  for (let i = 0; i < rows.length; i++) sum = (sum * 31 + rows[i].id) % 1_000_003
  return sum
})()
