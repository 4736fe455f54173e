// Sorting, in five ways: quicksort, heapsort, merge sort and radix sort by hand, and the built-in one on several keys.
;(function() {
  let seed = 99
  const random = () => seed = (seed * 48_271) % 2_147_483_647
  const numbers = Array.from({ length: 2500 }, () => random() % 100_000)

  const quicksort = (a, low = 0, high = a.length - 1) => {
    while (low < high) {
      const pivot = a[(low + high) >> 1]
      let i = low
      let j = high
      while (i <= j) {
        while (a[i] < pivot) i++
        while (a[j] > pivot) j--
        if (i <= j) {
          const swapped = a[i]
          a[i++] = a[j]
          a[j--] = swapped
        }
      }
      if (j - low < high - i) {
        quicksort(a, low, j)
        low = i
      } else {
        quicksort(a, i, high)
        high = j
      }
    }
    return a
  }

  const heapsort = (a) => {
    const sink = (at, end) => {
      const value = a[at]
      for (let child = 2 * at + 1; child < end; child = 2 * at + 1) {
        if (child + 1 < end && a[child + 1] > a[child]) child++
        if (a[child] <= value) break
        a[at] = a[child]
        at = child
      }
      a[at] = value
    }
    for (let i = (a.length >> 1) - 1; i >= 0; i--) sink(i, a.length)
    for (let end = a.length - 1; end > 0; end--) {
      const greatest = a[0]
      a[0] = a[end]
      a[end] = greatest
      sink(0, end)
    }
    return a
  }

  const mergeSort = (a) => {
    if (a.length < 2) return a
    const middle = a.length >> 1
    const left = mergeSort(a.slice(0, middle))
    const right = mergeSort(a.slice(middle))
    const merged = []
    let i = 0
    let j = 0
    while (i < left.length && j < right.length) merged.push(left[i] <= right[j] ? left[i++] : right[j++])
    return merged.concat(left.slice(i), right.slice(j))
  }

  const radixSort = (a) => {
    let from = Int32Array.from(a)
    let to = new Int32Array(a.length)
    for (let shift = 0; shift < 24; shift += 8) {
      const starts = new Int32Array(257)
      for (const value of from) starts[((value >> shift) & 255) + 1]++
      for (let i = 0; i < 256; i++) starts[i + 1] += starts[i]
      for (const value of from) to[starts[(value >> shift) & 255]++] = value
      ;[from, to] = [to, from]
    }
    return Array.from(from)
  }

  const ways = [quicksort, heapsort, mergeSort, radixSort].map((sort) => sort([...numbers]))
  const [first] = ways
  const same = ways.every((way) => way.every((value, i) => value === first[i]))
  const people = numbers.slice(0, 1200).map((number, i) => ({ name: `p${number % 50}`, age: number % 80, i }))
  const sorted = people.toSorted((a, b) => a.age - b.age || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  let sum = 0
  for (const { i } of sorted) sum = (sum * 31 + i) % 1_000_003
  for (const value of first) sum = (sum * 31 + value) % 1_000_003
  return { same, sum }
})()
