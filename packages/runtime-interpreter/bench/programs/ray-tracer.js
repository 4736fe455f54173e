// A ray tracer: spheres on a chequered floor, with shadows and reflections.
;(function() {
  class Vector {
    constructor(x, y, z) {
      this.x = x
      this.y = y
      this.z = z
    }
    plus({ x, y, z }) {
      return new Vector(this.x + x, this.y + y, this.z + z)
    }
    minus({ x, y, z }) {
      return new Vector(this.x - x, this.y - y, this.z - z)
    }
    times(factor) {
      return new Vector(this.x * factor, this.y * factor, this.z * factor)
    }
    dot({ x, y, z }) {
      return this.x * x + this.y * y + this.z * z
    }
    unit() {
      return this.times(1 / Math.sqrt(this.dot(this)))
    }
    mirroredAt(normal) {
      return this.minus(normal.times(2 * this.dot(normal)))
    }
  }

  class Sphere {
    constructor(center, radius, color, shine) {
      this.center = center
      this.radius = radius
      this.color = color
      this.shine = shine
    }
    // The distance at which a ray meets it, or infinity.
    meet(origin, direction) {
      const to = this.center.minus(origin)
      const along = to.dot(direction)
      const square = this.radius * this.radius - to.dot(to) + along * along
      if (square < 0) return Infinity
      const half = Math.sqrt(square)
      if (along - half > 1e-6) return along - half
      return along + half > 1e-6 ? along + half : Infinity
    }
    normalAt(point) {
      return point.minus(this.center).unit()
    }
    colorAt() {
      return this.color
    }
  }

  class Floor {
    constructor(height, shine) {
      this.height = height
      this.shine = shine
      this.normal = new Vector(0, 1, 0)
      this.light = new Vector(0.9, 0.9, 0.8)
      this.dark = new Vector(0.2, 0.2, 0.3)
    }
    meet(origin, direction) {
      if (direction.y > -1e-6 && direction.y < 1e-6) return Infinity
      const distance = (this.height - origin.y) / direction.y
      return distance > 1e-6 ? distance : Infinity
    }
    normalAt() {
      return this.normal
    }
    colorAt({ x, z }) {
      return (Math.floor(x) + Math.floor(z)) % 2 === 0 ? this.light : this.dark
    }
  }

  const things = [
    new Floor(-1, 0.25),
    new Sphere(new Vector(0, 0, 5), 1, new Vector(1, 0.3, 0.2), 0.4),
    new Sphere(new Vector(-1.8, -0.2, 4), 0.8, new Vector(0.2, 0.8, 0.3), 0.2),
    new Sphere(new Vector(1.7, -0.4, 3.6), 0.6, new Vector(0.3, 0.4, 1), 0.6),
  ]
  const lamps = [
    { at: new Vector(5, 6, 0), strength: 0.7 },
    { at: new Vector(-4, 3, 1), strength: 0.4 },
  ]
  const sky = new Vector(0.5, 0.7, 0.9)

  const nearest = (origin, direction) => {
    let distance = Infinity
    let thing = null
    for (const candidate of things) {
      const at = candidate.meet(origin, direction)
      if (at < distance) {
        distance = at
        thing = candidate
      }
    }
    return { distance, thing }
  }

  const isLit = (point, direction, limit) => things.every((thing) => thing.meet(point, direction) > limit)

  const trace = (origin, direction, depth) => {
    const { distance, thing } = nearest(origin, direction)
    if (thing === null) return sky
    const point = origin.plus(direction.times(distance))
    const normal = thing.normalAt(point)
    let brightness = 0.15
    for (const { at, strength } of lamps) {
      const way = at.minus(point)
      const toLamp = way.unit()
      const facing = toLamp.dot(normal)
      if (facing > 0 && isLit(point, toLamp, Math.sqrt(way.dot(way)))) brightness += facing * strength
    }
    const own = thing.colorAt(point).times(brightness * (1 - thing.shine))
    if (depth === 0) return own
    return own.plus(trace(point, direction.mirroredAt(normal), depth - 1).times(thing.shine))
  }

  const width = 48
  const height = 36
  const eye = new Vector(0, 0.4, -1)
  let sum = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const direction = new Vector((x - width / 2) / width, (height / 2 - y) / width, 1).unit()
      const color = trace(eye, direction, 3)
      for (const part of [color.x, color.y, color.z]) {
        sum = (sum * 31 + Math.min(255, Math.round(part * 255))) % 1_000_003
      }
    }
  }
  return sum
})()
