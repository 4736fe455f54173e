// Binary trees made, walked and forgotten.
;(function() {
  class Tree {
    constructor(left, right) {
      this.left = left
      this.right = right
    }
    get size() {
      return this.left === null ? 1 : 1 + this.left.size + this.right.size
    }
  }

  const grow = (depth) => depth === 0 ? new Tree(null, null) : new Tree(grow(depth - 1), grow(depth - 1))

  const lowest = 4
  const highest = 10
  const kept = grow(highest)
  const lines = [`stretched: ${grow(highest + 1).size}`]
  for (let depth = lowest; depth <= highest; depth += 2) {
    const count = 1 << (highest - depth + lowest - 1)
    let size = 0
    for (let i = 0; i < count; i++) size += grow(depth).size
    lines.push(`${count} of ${depth}: ${size}`)
  }
  lines.push(`kept: ${kept.size}`)
  return lines
})()
