// Async functions that wait for each other.
;(async function() {
  const double = async (n) => n * 2
  const total = async (from, to) => {
    let sum = 0
    for (let i = from; i < to; i++) sum = (sum + await double(i)) % 1_000_003
    return sum
  }
  const parts = await Promise.all([total(0, 10_000), total(10_000, 20_000), total(20_000, 30_000)])
  return parts.reduce((a, b) => (a + b) % 1_000_003)
})()
