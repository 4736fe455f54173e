// Log lines parsed with regular expressions: slow paths, errors by service, requests put together by their ids.
;(async function() {
  const text = await tools.logs({ lines: 1200 })
  const line = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) (\w+) +\[([\w-]+)\] (.*)$/
  const request = /^(GET|POST|PUT|DELETE) (\/\S*) (\d{3}) in (\d+)ms(?: id=([\da-f]+))?$/
  const failure = /^(?<kind>\w*Error): (?<message>.+?)(?: \(attempt (?<attempt>\d+)\))?$/

  const services = {}
  const paths = new Map()
  const traces = new Map()
  const unparsed = []
  for (const raw of text.split("\n")) {
    const match = line.exec(raw)
    if (match === null) {
      if (raw.trim() !== "") unparsed.push(raw)
      continue
    }
    const [, time, level, service, rest] = match
    services[service] ??= { lines: 0, errors: 0, kinds: {} }
    services[service].lines++
    const asRequest = request.exec(rest)
    if (asRequest !== null) {
      const [, method, path, status, took, id] = asRequest
      const route = `${method} ${path.replace(/\/\d+/g, "/:id").replace(/\?.*$/, "")}`
      const known = paths.get(route) ?? []
      known.push(Number(took))
      paths.set(route, known)
      if (id !== undefined) traces.set(id, [...(traces.get(id) ?? []), { time, service, status }])
      if (status.startsWith("5")) services[service].errors++
    } else if (level === "ERROR") {
      services[service].errors++
      const { attempt, kind } = failure.exec(rest)?.groups ?? { kind: "unknown" }
      const name = attempt === undefined ? kind : `${kind}#${attempt}`
      services[service].kinds[name] = (services[service].kinds[name] ?? 0) + 1
    }
  }
  const slow = [...paths]
    .map(([route, times]) => {
      const sorted = times.toSorted((a, b) => a - b)
      return { route, count: sorted.length, p95: sorted[Math.floor(sorted.length * 0.95)] }
    })
    .toSorted((a, b) => b.p95 - a.p95 || b.count - a.count || a.route.localeCompare(b.route))
    .slice(0, 5)
  const crossing = [...traces.values()].filter((steps) => new Set(steps.map(({ service }) => service)).size > 1).length
  return { services, slow, traces: traces.size, crossing, unparsed: unparsed.length }
})()
