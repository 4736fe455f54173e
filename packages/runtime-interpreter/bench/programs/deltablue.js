// DeltaBlue: a solver of constraints with strengths that plans again as constraints come and go.
;(function() {
  // From the strongest to the weakest.
  const REQUIRED = 0
  const PREFERRED = 2
  const STRONG_DEFAULT = 3
  const NORMAL = 4
  const WEAKEST = 6

  const stronger = (a, b) => a < b
  const weakest = (a, b) => a > b ? a : b

  class Variable {
    constructor(name, value) {
      this.name = name
      this.value = value
      this.constraints = []
      this.determinedBy = null
      this.mark = 0
      this.walkStrength = WEAKEST
      this.stay = true
    }
    remove(constraint) {
      const at = this.constraints.indexOf(constraint)
      if (at >= 0) this.constraints.splice(at, 1)
      if (this.determinedBy === constraint) this.determinedBy = null
    }
  }

  class Constraint {
    constructor(strength) {
      this.strength = strength
    }
    get isInput() {
      return false
    }
    add(planner) {
      this.attach()
      planner.incrementalAdd(this)
    }
    destroy(planner) {
      if (this.isSatisfied) planner.incrementalRemove(this)
      else this.detach()
    }
    // Takes an output over if it can, and gives the constraint that held it before.
    satisfy(planner, mark) {
      this.chooseMethod(mark)
      if (!this.isSatisfied) {
        if (this.strength === REQUIRED) throw new Error("A required constraint cannot be satisfied")
        return null
      }
      this.markInputs(mark)
      const { output } = this
      const overridden = output.determinedBy
      if (overridden !== null) overridden.unsatisfy()
      output.determinedBy = this
      if (!planner.addPropagate(this, mark)) throw new Error("A cycle of constraints")
      output.mark = mark
      return overridden
    }
  }

  class UnaryConstraint extends Constraint {
    constructor(planner, variable, strength) {
      super(strength)
      this.output = variable
      this.satisfied = false
      this.add(planner)
    }
    get isSatisfied() {
      return this.satisfied
    }
    attach() {
      this.output.constraints.push(this)
      this.satisfied = false
    }
    detach() {
      this.output.remove(this)
      this.satisfied = false
    }
    chooseMethod(mark) {
      this.satisfied = this.output.mark !== mark && stronger(this.strength, this.output.walkStrength)
    }
    markInputs() {}
    inputsKnown() {
      return true
    }
    unsatisfy() {
      this.satisfied = false
    }
    recalculate() {
      this.output.walkStrength = this.strength
      this.output.stay = !this.isInput
      if (this.output.stay) this.execute()
    }
    execute() {}
  }

  class StayConstraint extends UnaryConstraint {}

  class EditConstraint extends UnaryConstraint {
    get isInput() {
      return true
    }
  }

  const NONE = 0
  const FORWARD = 1
  const BACKWARD = -1

  class BinaryConstraint extends Constraint {
    constructor(first, second, strength) {
      super(strength)
      this.first = first
      this.second = second
      this.direction = NONE
    }
    get isSatisfied() {
      return this.direction !== NONE
    }
    get input() {
      return this.direction === FORWARD ? this.first : this.second
    }
    get output() {
      return this.direction === FORWARD ? this.second : this.first
    }
    attach() {
      this.first.constraints.push(this)
      this.second.constraints.push(this)
      this.direction = NONE
    }
    detach() {
      this.first.remove(this)
      this.second.remove(this)
      this.direction = NONE
    }
    chooseMethod(mark) {
      const { first, second, strength } = this
      const canForward = second.mark !== mark && stronger(strength, second.walkStrength)
      const canBackward = first.mark !== mark && stronger(strength, first.walkStrength)
      if (first.mark === mark) this.direction = canForward ? FORWARD : NONE
      else if (second.mark === mark) this.direction = canBackward ? BACKWARD : NONE
      else if (stronger(second.walkStrength, first.walkStrength)) this.direction = canBackward ? BACKWARD : NONE
      else this.direction = canForward ? FORWARD : NONE
    }
    markInputs(mark) {
      this.input.mark = mark
    }
    inputsKnown(mark) {
      const { input } = this
      return input.mark === mark || input.stay || input.determinedBy === null
    }
    unsatisfy() {
      this.direction = NONE
    }
    recalculate() {
      const { input, output } = this
      output.walkStrength = weakest(this.strength, input.walkStrength)
      output.stay = input.stay
      if (output.stay) this.execute()
    }
  }

  class EqualityConstraint extends BinaryConstraint {
    constructor(planner, first, second, strength) {
      super(first, second, strength)
      this.add(planner)
    }
    execute() {
      this.output.value = this.input.value
    }
  }

  // second = first * scale + offset
  class ScaleConstraint extends BinaryConstraint {
    constructor(planner, source, scale, offset, destination, strength) {
      super(source, destination, strength)
      this.scale = scale
      this.offset = offset
      this.add(planner)
    }
    attach() {
      super.attach()
      this.scale.constraints.push(this)
      this.offset.constraints.push(this)
    }
    detach() {
      super.detach()
      this.scale.remove(this)
      this.offset.remove(this)
    }
    markInputs(mark) {
      super.markInputs(mark)
      this.scale.mark = mark
      this.offset.mark = mark
    }
    execute() {
      const { first, offset, scale, second } = this
      if (this.direction === FORWARD) second.value = first.value * scale.value + offset.value
      else first.value = (second.value - offset.value) / scale.value
    }
    recalculate() {
      const { input, offset, output, scale } = this
      output.walkStrength = weakest(this.strength, input.walkStrength)
      output.stay = input.stay && scale.stay && offset.stay
      if (output.stay) this.execute()
    }
  }

  class Planner {
    constructor() {
      this.mark = 0
    }
    incrementalAdd(constraint) {
      const mark = ++this.mark
      let overridden = constraint.satisfy(this, mark)
      while (overridden !== null) overridden = overridden.satisfy(this, mark)
    }
    incrementalRemove(constraint) {
      const { output } = constraint
      constraint.unsatisfy()
      constraint.detach()
      const unsatisfied = this.removePropagateFrom(output)
      for (let strength = REQUIRED; strength <= WEAKEST; strength++) {
        for (const candidate of unsatisfied) {
          if (candidate.strength === strength) this.incrementalAdd(candidate)
        }
      }
    }
    addPropagate(constraint, mark) {
      const open = [constraint]
      while (open.length > 0) {
        const next = open.pop()
        if (next.output.mark === mark) {
          this.incrementalRemove(constraint)
          return false
        }
        next.recalculate()
        this.addConsuming(next.output, open)
      }
      return true
    }
    removePropagateFrom(output) {
      output.determinedBy = null
      output.walkStrength = WEAKEST
      output.stay = true
      const unsatisfied = []
      const open = [output]
      while (open.length > 0) {
        const variable = open.pop()
        for (const constraint of variable.constraints) {
          if (!constraint.isSatisfied) unsatisfied.push(constraint)
        }
        for (const constraint of variable.constraints) {
          if (constraint !== variable.determinedBy && constraint.isSatisfied) {
            constraint.recalculate()
            open.push(constraint.output)
          }
        }
      }
      return unsatisfied
    }
    addConsuming(variable, to) {
      for (const constraint of variable.constraints) {
        if (constraint !== variable.determinedBy && constraint.isSatisfied) to.push(constraint)
      }
    }
    planFor(constraints) {
      const open = constraints.filter((constraint) => constraint.isInput && constraint.isSatisfied)
      const mark = ++this.mark
      const plan = []
      while (open.length > 0) {
        const constraint = open.pop()
        const { output } = constraint
        if (output.mark !== mark && constraint.inputsKnown(mark)) {
          plan.push(constraint)
          output.mark = mark
          this.addConsuming(output, open)
        }
      }
      return plan
    }
  }

  const change = (planner, variable, value) => {
    const edit = new EditConstraint(planner, variable, PREFERRED)
    const plan = planner.planFor([edit])
    for (let i = 0; i < 10; i++) {
      variable.value = value
      for (const constraint of plan) constraint.execute()
    }
    edit.destroy(planner)
  }

  // Variables that are equal, one to the next: a change of the first has to reach the last.
  const chain = (length) => {
    const planner = new Planner()
    const variables = Array.from({ length: length + 1 }, (_, i) => new Variable(`v${i}`, 0))
    for (let i = 0; i < length; i++) new EqualityConstraint(planner, variables[i], variables[i + 1], REQUIRED)
    const first = variables[0]
    const last = variables[length]
    new StayConstraint(planner, last, STRONG_DEFAULT)
    const edit = new EditConstraint(planner, first, PREFERRED)
    const plan = planner.planFor([edit])
    let sum = 0
    for (let value = 0; value < 40; value++) {
      first.value = value
      for (const constraint of plan) constraint.execute()
      if (last.value !== value) throw new Error(`The chain gives ${last.value} for ${value}`)
      sum += last.value
    }
    edit.destroy(planner)
    return sum
  }

  // Two sets of variables with a linear function between each pair, changed from both sides.
  const projection = (count) => {
    const planner = new Planner()
    const scale = new Variable("scale", 10)
    const offset = new Variable("offset", 1000)
    const targets = []
    let source = null
    let target = null
    for (let i = 0; i < count; i++) {
      source = new Variable(`source${i}`, i)
      target = new Variable(`target${i}`, i)
      targets.push(target)
      new StayConstraint(planner, source, NORMAL)
      new ScaleConstraint(planner, source, scale, offset, target, REQUIRED)
    }
    const expect = (value, expected) => {
      if (value !== expected) throw new Error(`The projection gives ${value} and not ${expected}`)
    }
    change(planner, source, 17)
    expect(target.value, 1170)
    change(planner, target, 1050)
    expect(source.value, 5)
    change(planner, scale, 5)
    for (let i = 0; i < count - 1; i++) expect(targets[i].value, i * 5 + 1000)
    change(planner, offset, 2000)
    for (let i = 0; i < count - 1; i++) expect(targets[i].value, i * 5 + 2000)
    return targets.reduce((sum, { value }) => sum + value, 0)
  }

  return [chain(120), projection(120)]
})()
