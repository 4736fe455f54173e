// The spectral norm of an infinite matrix, of which a corner is used, by the power method.
;(function() {
  const entry = (i, j) => 1 / ((i + j) * (i + j + 1) / 2 + i + 1)

  const multiply = (vector, result) => {
    for (let i = 0; i < vector.length; i++) {
      let sum = 0
      for (let j = 0; j < vector.length; j++) sum += entry(i, j) * vector[j]
      result[i] = sum
    }
  }

  const multiplyTransposed = (vector, result) => {
    for (let i = 0; i < vector.length; i++) {
      let sum = 0
      for (let j = 0; j < vector.length; j++) sum += entry(j, i) * vector[j]
      result[i] = sum
    }
  }

  const size = 80
  const u = new Float64Array(size).fill(1)
  const v = new Float64Array(size)
  const w = new Float64Array(size)
  for (let i = 0; i < 8; i++) {
    multiply(u, w)
    multiplyTransposed(w, v)
    multiply(v, w)
    multiplyTransposed(w, u)
  }
  let both = 0
  let square = 0
  for (let i = 0; i < size; i++) {
    both += u[i] * v[i]
    square += v[i] * v[i]
  }
  return Math.sqrt(both / square).toFixed(9)
})()
