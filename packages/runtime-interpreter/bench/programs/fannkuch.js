// Fannkuch: all orders of a stack of pancakes, and how often each has to be flipped until the first is on top.
;(function() {
  const count = 8
  const order = Array.from({ length: count }, (_, i) => i)
  const turns = new Array(count).fill(0)
  const stack = new Array(count)
  let checksum = 0
  let most = 0
  let isEven = true

  const flips = () => {
    for (let i = 0; i < count; i++) stack[i] = order[i]
    let flips = 0
    for (let first = stack[0]; first !== 0; first = stack[0]) {
      for (let low = 0, high = first; low < high; low++, high--) {
        const pancake = stack[low]
        stack[low] = stack[high]
        stack[high] = pancake
      }
      flips++
    }
    return flips
  }

  // The next order: the first few pancakes move round by one, a few more of them each time that they are all the way round.
  const next = () => {
    for (let i = 1; i < count; i++) {
      const first = order[0]
      for (let j = 0; j < i; j++) order[j] = order[j + 1]
      order[i] = first
      if (turns[i] < i) {
        turns[i]++
        return true
      }
      turns[i] = 0
    }
    return false
  }

  do {
    const done = flips()
    if (done > most) most = done
    checksum += isEven ? done : -done
    isEven = !isEven
  } while (next())
  return { checksum, most }
})()
