// Two lists compared: a least edit script of lines, and records matched by key with what changed in each.
;(function() {
  const lines = Array.from({ length: 260 }, (_, i) => `line ${(i * 7919) % 1009}`)
  const edited = lines.flatMap((line, i) =>
    i % 23 === 5 ? [] : i % 17 === 3 ? [line, `new ${i}`] : i % 29 === 11 ? [`${line} changed`] : [line]
  )

  // Myers: for each number of edits, how far along each diagonal one gets.
  const editScript = (a, b) => {
    const most = a.length + b.length
    let reached = new Map([[1, 0]])
    const history = []
    for (let edits = 0; edits <= most; edits++) {
      history.push(new Map(reached))
      for (let k = -edits; k <= edits; k += 2) {
        const down = k === -edits || (k !== edits && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1))
        let x = down ? reached.get(k + 1) : reached.get(k - 1) + 1
        let y = x - k
        while (x < a.length && y < b.length && a[x] === b[y]) {
          x++
          y++
        }
        reached.set(k, x)
        if (x >= a.length && y >= b.length) return walkBack(a, b, history)
      }
      reached = new Map(reached)
    }
    return []
  }

  const walkBack = (a, b, history) => {
    const script = []
    let x = a.length
    let y = b.length
    for (let edits = history.length - 1; edits >= 0; edits--) {
      const reached = history[edits]
      const k = x - y
      const down = k === -edits || (k !== edits && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1))
      const before = down ? k + 1 : k - 1
      const fromX = reached.get(before)
      const fromY = fromX - before
      while (x > fromX && y > fromY) {
        x--
        y--
        script.push(`  ${a[x]}`)
      }
      if (edits > 0) script.push(down ? `+ ${b[fromY]}` : `- ${a[fromX]}`)
      x = fromX
      y = fromY
    }
    return script.reverse()
  }

  const script = editScript(lines, edited)
  const kept = script.filter((line) => line.startsWith("  ")).length
  const plus = script.filter((line) => line.startsWith("+ "))
  const minus = script.filter((line) => line.startsWith("- "))
  const again = script.filter((line) => !line.startsWith("- ")).map((line) => line.slice(2))

  const record = (id, version) => ({
    id,
    name: `user ${id}`,
    email: `user${id}@example.${version === 2 && id % 9 === 0 ? "net" : "org"}`,
    roles: id % 4 === 0 ? ["admin", "dev"] : version === 2 && id % 10 === 3 ? ["dev", "ops"] : ["dev"],
    seen: version === 2 && id % 6 === 0 ? null : id * 1000,
  })
  const old = Array.from({ length: 700 }, (_, i) => record(i, 1)).filter(({ id }) => id % 31 !== 0)
  const fresh = Array.from({ length: 720 }, (_, i) => record(i, 2)).filter(({ id }) => id % 37 !== 0)
  const oldById = new Map(old.map((entry) => [entry.id, entry]))
  const freshIds = new Set(fresh.map(({ id }) => id))
  const created = fresh.filter(({ id }) => !oldById.has(id))
  const deleted = old.filter(({ id }) => !freshIds.has(id))
  const updated = fresh.flatMap((entry) => {
    const before = oldById.get(entry.id)
    if (before === undefined) return []
    const fields = Object.keys(entry).filter((key) => JSON.stringify(entry[key]) !== JSON.stringify(before[key]))
    return fields.length === 0 ? [] : [{ id: entry.id, fields }]
  })
  return {
    kept,
    plus: plus.length,
    minus: minus.length,
    exact: again.length === edited.length && again.every((line, i) => line === edited[i]),
    created: created.length,
    deleted: deleted.length,
    updated: updated.length,
    fields: [...new Set(updated.flatMap(({ fields }) => fields))].sort(),
    last: updated.at(-1),
  }
})()
