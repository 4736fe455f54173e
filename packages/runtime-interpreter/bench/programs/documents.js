// JSON documents: read, changed without changing the old ones, compared, written with replacers and revivers.
;(function() {
  const document = (id) => ({
    id: `doc-${id}`,
    title: `Über "${id}"\n\tund mehr`,
    created: new Date(1_700_000_000_000 + id * 86_400_000).toISOString(),
    author: { name: `author ${id % 7}`, address: { city: ["Oslo", "Lima", "Kyōto"][id % 3], zip: 10_000 + id } },
    tags: Array.from({ length: id % 5 }, (_, i) => `tag${i}`),
    sizes: [id, id / 3, -id, 1e21 + id, null, id % 2 === 0],
    deep: { a: { b: { c: { d: [[id], [{ e: id }]] } } } },
  })

  const set = (value, [key, ...rest], change) => {
    const next = rest.length === 0 ? change(value[key]) : set(value[key], rest, change)
    return Array.isArray(value) ? value.with(key, next) : { ...value, [key]: next }
  }

  const difference = (a, b, path = "") => {
    if (a === b) return []
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return [path]
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...keys].flatMap((key) => difference(a[key], b[key], `${path}/${key}`))
  }

  const before = JSON.parse(JSON.stringify(Array.from({ length: 160 }, (_, id) => document(id))))
  const after = before.map((entry, i) =>
    set(set(entry, ["author", "address", "zip"], (zip) => zip + i % 3), ["deep", "a", "b", "c", "d", 1, 0, "e"], String)
  )
  const changed = difference(before, after)
  const hidden = JSON.stringify(after, (key, value) => key === "address" ? undefined : value)
  const dates = JSON.parse(
    JSON.stringify(after, ["id", "created", "sizes"]),
    (key, value) => key === "created" ? Date.parse(value) : value,
  )
  const pretty = JSON.stringify(after.slice(0, 40), null, 2)
  let sum = 0
  for (const text of [hidden, pretty]) {
    for (let i = 0; i < text.length; i += 7) sum = (sum * 31 + text.charCodeAt(i)) % 1_000_003
  }
  return {
    changed: changed.length,
    last: changed.at(-1),
    days: dates.reduce((total, { created }) => total + created / 86_400_000, 0).toFixed(3),
    lengths: [hidden.length, pretty.length],
    sum,
  }
})()
