// A CSV file with quotes and line breaks in its cells, parsed by hand, its columns told and summed up.
;(async function() {
  const text = await tools.file({ path: "sales.csv" })

  const parse = (text) => {
    const rows = []
    let row = []
    let cell = ""
    let quoted = false
    for (let i = 0; i < text.length; i++) {
      const character = text[i]
      if (quoted) {
        if (character !== "\"") cell += character
        else if (text[i + 1] === "\"") {
          cell += "\""
          i++
        } else quoted = false
      } else if (character === "\"") quoted = true
      else if (character === ",") {
        row.push(cell)
        cell = ""
      } else if (character === "\n") {
        row.push(cell)
        rows.push(row)
        row = []
        cell = ""
      } else if (character !== "\r") cell += character
    }
    if (cell !== "" || row.length > 0) rows.push([...row, cell])
    return rows
  }

  const [header, ...body] = parse(text)
  const rows = body.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""])))
  const columns = header.map((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== "")
    const numbers = values.map(Number)
    if (values.length > 0 && numbers.every((value) => !Number.isNaN(value))) {
      const sum = numbers.reduce((a, b) => a + b, 0)
      const mean = sum / numbers.length
      const variance = numbers.reduce((total, value) => total + (value - mean) ** 2, 0) / numbers.length
      return {
        name,
        kind: "number",
        min: Math.min(...numbers),
        max: Math.max(...numbers),
        mean: mean.toFixed(3),
        deviation: Math.sqrt(variance).toFixed(3),
      }
    }
    const counts = {}
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1
    const common = Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    return {
      name,
      kind: values.every((value) => /^\d{4}-\d\d-\d\d$/.test(value)) ? "date" : "text",
      distinct: common.length,
      common: common[0],
    }
  })
  const perRegion = {}
  for (const { amount, region, units } of rows) {
    perRegion[region] ??= { rows: 0, revenue: 0 }
    perRegion[region].rows++
    perRegion[region].revenue += Number(amount) * Number(units)
  }
  return {
    rows: rows.length,
    columns,
    regions: Object.entries(perRegion)
      .map(([region, { revenue, rows }]) => `${region}: ${rows} rows, ${revenue.toFixed(2)}`)
      .sort(),
  }
})()
