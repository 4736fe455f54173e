// N-body: the sun and its large planets, moved by gravity in small steps.
;(function() {
  const DAYS = 365.24
  const SUN = 4 * Math.PI * Math.PI

  class Body {
    constructor(x, y, z, vx, vy, vz, mass) {
      this.x = x
      this.y = y
      this.z = z
      this.vx = vx * DAYS
      this.vy = vy * DAYS
      this.vz = vz * DAYS
      this.mass = mass * SUN
    }
  }

  // Astronomical units, and the same a day; masses as shares of the sun's.
  const sun = new Body(0, 0, 0, 0, 0, 0, 1)
  const bodies = [
    sun,
    new Body(
      4.84143144246472090,
      -1.16032004402742839,
      -0.103622044471123109,
      0.00166007664274403694,
      0.00769901118419740425,
      -0.0000690460016972063023,
      0.000954791938424326609,
    ),
    new Body(
      8.34336671824457987,
      4.12479856412430479,
      -0.403523417114321381,
      -0.00276742510726411,
      0.00499852801234917238,
      0.0000230417297573763929,
      0.000285885980666130812,
    ),
    new Body(
      12.8943695621391310,
      -15.1111514016986312,
      -0.223307578892655734,
      0.00296460137564761618,
      0.00237847173959480950,
      -0.0000296589568540237556,
      0.0000436624404335156298,
    ),
    new Body(
      15.3796971148509165,
      -25.9193146099879641,
      0.179258772950371181,
      0.00268067772490389322,
      0.00162824170038242295,
      -0.0000951592254519715870,
      0.0000515138902046611451,
    ),
  ]

  // The sun moves against the planets, so that the whole stays where it is.
  for (const { mass, vx, vy, vz } of bodies.slice(1)) {
    sun.vx -= vx * mass / SUN
    sun.vy -= vy * mass / SUN
    sun.vz -= vz * mass / SUN
  }

  const advance = (time) => {
    for (let i = 0; i < bodies.length; i++) {
      const a = bodies[i]
      for (let j = i + 1; j < bodies.length; j++) {
        const b = bodies[j]
        const dx = a.x - b.x
        const dy = a.y - b.y
        const dz = a.z - b.z
        const square = dx * dx + dy * dy + dz * dz
        const magnitude = time / (square * Math.sqrt(square))
        a.vx -= dx * b.mass * magnitude
        a.vy -= dy * b.mass * magnitude
        a.vz -= dz * b.mass * magnitude
        b.vx += dx * a.mass * magnitude
        b.vy += dy * a.mass * magnitude
        b.vz += dz * a.mass * magnitude
      }
    }
    for (const body of bodies) {
      body.x += time * body.vx
      body.y += time * body.vy
      body.z += time * body.vz
    }
  }

  const energy = () => {
    let sum = 0
    for (let i = 0; i < bodies.length; i++) {
      const a = bodies[i]
      sum += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
      for (let j = i + 1; j < bodies.length; j++) {
        const b = bodies[j]
        sum -= a.mass * b.mass / Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2)
      }
    }
    return sum
  }

  const before = energy()
  for (let i = 0; i < 1000; i++) advance(0.01)
  return [before, energy()].map((value) => value.toFixed(9))
})()
