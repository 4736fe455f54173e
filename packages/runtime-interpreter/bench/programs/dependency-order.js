// Packages put in the order of their dependencies: layers to build in parallel, cycles found, the critical path.
;(function() {
  let seed = 5
  const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const packages = Array.from({ length: 700 }, (_, i) => ({
    name: `pkg-${i}`,
    cost: 1 + random(20),
    needs: i === 0 ? [] : [...new Set(Array.from({ length: random(5) }, () => `pkg-${random(i)}`))],
  }))
  // A few cycles among the last ones.
  for (const [from, to] of [[690, 695], [691, 699], [650, 652]]) {
    packages[from].needs.push(`pkg-${to}`)
    packages[to].needs.push(`pkg-${from}`)
  }
  const byName = new Map(packages.map((entry) => [entry.name, entry]))

  // Tarjan: the strongly connected components, without recursion on the deep ones.
  const components = () => {
    const state = new Map()
    const open = []
    const found = []
    let counter = 0
    const visit = (name) => {
      const own = { index: counter, low: counter++, open: true }
      state.set(name, own)
      open.push(name)
      for (const need of byName.get(name).needs) {
        const other = state.get(need)
        if (other === undefined) own.low = Math.min(own.low, visit(need).low)
        else if (other.open) own.low = Math.min(own.low, other.index)
      }
      if (own.low === own.index) {
        const component = open.splice(open.indexOf(name))
        for (const member of component) state.get(member).open = false
        found.push(component)
      }
      return own
    }
    for (const { name } of packages) if (!state.has(name)) visit(name)
    return found
  }

  const cycles = components().filter((component) => component.length > 1)
  const broken = new Set(cycles.flat())
  const sound = packages.filter(({ name }) => !broken.has(name))
  const missing = new Map(sound.map(({ name, needs }) => [name, needs.filter((need) => !broken.has(need)).length]))
  const dependents = new Map(sound.map(({ name }) => [name, []]))
  for (const { name, needs } of sound) {
    for (const need of needs) dependents.get(need)?.push(name)
  }
  const layers = []
  const finish = new Map()
  let ready = sound.filter(({ name }) => missing.get(name) === 0).map(({ name }) => name)
  while (ready.length > 0) {
    layers.push(ready.toSorted())
    const next = []
    for (const name of ready) {
      const { cost, needs } = byName.get(name)
      finish.set(name, cost + Math.max(0, ...needs.map((need) => finish.get(need) ?? 0)))
      for (const dependent of dependents.get(name)) {
        missing.set(dependent, missing.get(dependent) - 1)
        if (missing.get(dependent) === 0) next.push(dependent)
      }
    }
    ready = next
  }

  const path = []
  let [at] = [...finish].reduce((latest, entry) => entry[1] > latest[1] ? entry : latest)
  while (at !== undefined) {
    path.push(at)
    const before = byName.get(at).needs.filter((need) => finish.has(need))
    at = before.sort((a, b) => finish.get(b) - finish.get(a) || (a < b ? -1 : 1))[0]
  }
  return {
    layers: layers.map((layer) => layer.length),
    ordered: layers.flat().length,
    cycles: cycles.map((cycle) => cycle.toSorted()),
    cost: Math.max(...finish.values()),
    path: path.reverse(),
  }
})()
