// Maps and sets: the shortest ways through a grid, sets that meet, a cache that forgets, an index of words.
;(function() {
  const width = 45
  const isWall = (x, y) => (x * 7 + y * 13) % 5 === 0 && (x + y) % 7 !== 0
  const distances = new Map([["0,0", 0]])
  let edge = [[0, 0]]
  while (edge.length > 0) {
    const next = []
    for (const [x, y] of edge) {
      const distance = distances.get(`${x},${y}`) + 1
      for (const [nx, ny] of [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]) {
        const key = `${nx},${ny}`
        if (nx < 0 || ny < 0 || nx >= width || ny >= width || isWall(nx, ny) || distances.has(key)) continue
        distances.set(key, distance)
        next.push([nx, ny])
      }
    }
    edge = next
  }

  class Cache {
    #entries = new Map()
    constructor(size) {
      this.size = size
      this.misses = 0
    }
    get(key, make) {
      const found = this.#entries.get(key)
      if (found !== undefined) {
        this.#entries.delete(key)
        this.#entries.set(key, found)
        return found
      }
      this.misses++
      const made = make(key)
      this.#entries.set(key, made)
      if (this.#entries.size > this.size) this.#entries.delete(this.#entries.keys().next().value)
      return made
    }
  }
  const cache = new Cache(64)
  let cached = 0
  for (let i = 0; i < 8000; i++) cached += cache.get((i * i) % 97, (key) => key * 2 + 1)

  const groups = Array.from({ length: 24 }, (_, i) => new Set(Array.from({ length: 60 }, (_, j) => (i * j * 3) % 101)))
  let shared = 0
  for (const a of groups) {
    for (const b of groups) {
      for (const value of a) if (b.has(value)) shared++
    }
  }

  const index = new Map()
  for (let document = 0; document < 300; document++) {
    for (let i = 0; i < 12; i++) {
      const term = `term ${(document * 31 + i * 17) % 211}`
      if (!index.has(term)) index.set(term, new Set())
      index.get(term).add(document)
    }
  }
  const largest = [...index].toSorted(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1)).slice(0, 3)
  const objects = new Map(groups.map((group, i) => [group, i]))
  return {
    reached: distances.size,
    farthest: Math.max(...distances.values()),
    cached,
    misses: cache.misses,
    shared,
    largest: largest.map(([term, { size }]) => [term, size]),
    objects: groups.reduce((sum, group) => sum + objects.get(group), 0),
  }
})()
