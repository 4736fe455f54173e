// Grouping and counting with Map and Set.
;(function() {
  const groups = new Map()
  const seen = new Set()
  for (let i = 0; i < 120_000; i++) {
    const key = `k${(i * 7919) % 1009}`
    groups.set(key, (groups.get(key) ?? 0) + i % 13)
    seen.add(i % 5003)
  }
  let sum = seen.size
  for (const [key, count] of groups) sum = (sum * 31 + count + key.length) % 1_000_003
  return sum
})()
