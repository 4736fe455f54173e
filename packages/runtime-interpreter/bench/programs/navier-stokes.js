// A fluid in a box: diffusion, advection and projection on a grid, by Gauss-Seidel iteration.
;(function() {
  const size = 24
  const row = size + 2
  const cells = row * row
  const grid = () => new Array(cells).fill(0)

  // What is at the walls. Of a flow, the component across the wall turns round.
  const FREE = 0
  const HORIZONTAL = 1
  const VERTICAL = 2

  const setWalls = (kind, x) => {
    for (let i = 1; i <= size; i++) {
      x[i * row] = kind === HORIZONTAL ? -x[i * row + 1] : x[i * row + 1]
      x[i * row + size + 1] = kind === HORIZONTAL ? -x[i * row + size] : x[i * row + size]
      x[i] = kind === VERTICAL ? -x[row + i] : x[row + i]
      x[(size + 1) * row + i] = kind === VERTICAL ? -x[size * row + i] : x[size * row + i]
    }
    const last = size + 1
    x[0] = 0.5 * (x[1] + x[row])
    x[last] = 0.5 * (x[size] + x[row + last])
    x[last * row] = 0.5 * (x[last * row + 1] + x[size * row])
    x[last * row + last] = 0.5 * (x[last * row + size] + x[size * row + last])
  }

  const solve = (kind, x, before, a, c) => {
    const inverse = 1 / c
    for (let iteration = 0; iteration < 10; iteration++) {
      for (let j = 1; j <= size; j++) {
        let at = j * row + 1
        for (let i = 1; i <= size; i++, at++) {
          x[at] = (before[at] + a * (x[at - 1] + x[at + 1] + x[at - row] + x[at + row])) * inverse
        }
      }
      setWalls(kind, x)
    }
  }

  const diffuse = (kind, x, before, rate, time) => {
    const a = time * rate * size * size
    solve(kind, x, before, a, 1 + 4 * a)
  }

  // Looks where the matter of each cell came from, and takes it from the four cells around that place.
  const advect = (kind, d, before, u, v, time) => {
    const scale = time * size
    const most = size + 0.5
    for (let j = 1; j <= size; j++) {
      for (let i = 1; i <= size; i++) {
        const at = j * row + i
        const x = Math.min(most, Math.max(0.5, i - scale * u[at]))
        const y = Math.min(most, Math.max(0.5, j - scale * v[at]))
        const left = Math.floor(x)
        const top = Math.floor(y)
        const right = x - left
        const bottom = y - top
        const corner = top * row + left
        d[at] = (1 - right) * ((1 - bottom) * before[corner] + bottom * before[corner + row])
          + right * ((1 - bottom) * before[corner + 1] + bottom * before[corner + row + 1])
      }
    }
    setWalls(kind, d)
  }

  // Takes the divergence out of a flow: as much has to leave a cell as enters it.
  const project = (u, v, pressure, divergence) => {
    const half = -0.5 / size
    for (let j = 1; j <= size; j++) {
      for (let i = 1; i <= size; i++) {
        const at = j * row + i
        divergence[at] = half * (u[at + 1] - u[at - 1] + v[at + row] - v[at - row])
        pressure[at] = 0
      }
    }
    setWalls(FREE, divergence)
    setWalls(FREE, pressure)
    solve(FREE, pressure, divergence, 1, 4)
    const scale = 0.5 * size
    for (let j = 1; j <= size; j++) {
      for (let i = 1; i <= size; i++) {
        const at = j * row + i
        u[at] -= scale * (pressure[at + 1] - pressure[at - 1])
        v[at] -= scale * (pressure[at + row] - pressure[at - row])
      }
    }
    setWalls(HORIZONTAL, u)
    setWalls(VERTICAL, v)
  }

  const add = (x, source, time) => {
    for (let at = 0; at < cells; at++) x[at] += time * source[at]
  }

  const viscosity = 0.0001
  const time = 0.1
  let density = grid()
  let u = grid()
  let v = grid()
  for (let frame = 0; frame < 4; frame++) {
    let density2 = grid()
    let u2 = grid()
    let v2 = grid()
    if (frame < 3) {
      for (let i = 1; i <= size; i++) {
        u2[i * row + i] = 2
        v2[i * row + i] = -1
        density2[i * row + (size >> 1)] = 5
      }
    }
    add(u, u2, time)
    add(v, v2, time)
    ;[u, u2] = [u2, u]
    ;[v, v2] = [v2, v]
    diffuse(HORIZONTAL, u, u2, viscosity, time)
    diffuse(VERTICAL, v, v2, viscosity, time)
    project(u, v, u2, v2)
    ;[u, u2] = [u2, u]
    ;[v, v2] = [v2, v]
    advect(HORIZONTAL, u, u2, u2, v2, time)
    advect(VERTICAL, v, v2, u2, v2, time)
    project(u, v, u2, v2)
    add(density, density2, time)
    ;[density, density2] = [density2, density]
    diffuse(FREE, density, density2, viscosity, time)
    ;[density, density2] = [density2, density]
    advect(FREE, density, density2, u, v, time)
  }
  let sum = 0
  for (let at = 0; at < cells; at++) sum += density[at] * (at % 17) + u[at] - v[at]
  return Math.round(sum * 1e9)
})()
