// Closures made, kept and called.
;(function() {
  const counter = (step) => {
    let count = 0
    return () => count += step
  }
  const compose = (f, g) => (x) => g(f(x))
  let sum = 0
  for (let i = 0; i < 20_000; i++) {
    const next = counter(i % 3)
    const both = compose((x) => x + next(), (x) => x * 2)
    for (let j = 0; j < 5; j++) sum = (sum + both(j)) % 1_000_003
  }
  return sum
})()
