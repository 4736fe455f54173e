// An arithmetic loop.
;(function() {
  let sum = 0
  for (let i = 0; i < 2_000_000; i++) sum = (sum + i * 2) % 1_000_003
  return sum
})()
