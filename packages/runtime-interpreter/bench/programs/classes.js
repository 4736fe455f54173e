// A simulation of bodies in a box: classes, inheritance, private fields, accessors.
;(function() {
  class Vector {
    constructor(x, y) {
      this.x = x
      this.y = y
    }
    add(other, scale) {
      return new Vector(this.x + other.x * scale, this.y + other.y * scale)
    }
    get length() {
      return Math.sqrt(this.x * this.x + this.y * this.y)
    }
  }
  class Body {
    #velocity
    constructor(position, velocity) {
      this.position = position
      this.#velocity = velocity
    }
    step(time) {
      this.position = this.position.add(this.#velocity, time)
      if (Math.abs(this.position.x) > 100) this.#velocity.x *= -1
      if (Math.abs(this.position.y) > 100) this.#velocity.y *= -1
    }
    get speed() {
      return this.#velocity.length
    }
  }
  class Heavy extends Body {
    step(time) {
      super.step(time / 2)
    }
  }
  const bodies = Array.from({ length: 100 }, (_, i) => {
    const Kind = i % 2 === 0 ? Body : Heavy
    return new Kind(new Vector(i, -i), new Vector((i % 7) - 3, (i % 5) - 2))
  })
  for (let tick = 0; tick < 500; tick++) {
    for (const body of bodies) body.step(0.5)
  }
  let sum = 0
  for (const body of bodies) sum += body.position.length + body.speed
  return Math.round(sum * 1000)
})()
