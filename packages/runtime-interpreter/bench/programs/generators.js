// Generators that feed each other.
;(function() {
  function* numbers(end) {
    for (let i = 0; i < end; i++) yield i
  }
  function* filter(source, test) {
    for (const value of source) if (test(value)) yield value
  }
  function* pairs(source) {
    let last = 0
    for (const value of source) {
      yield [last, value]
      last = value
    }
  }
  let sum = 0
  for (const [a, b] of pairs(filter(numbers(60_000), (n) => n % 3 !== 0))) sum = (sum + a * b) % 1_000_003
  return sum
})()
