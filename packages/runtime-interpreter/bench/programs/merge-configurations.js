// Configurations merged deeply, layer over layer: references filled in, values checked, what changed listed by path.
;(function() {
  const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

  const merge = (base, over) => {
    if (!isPlain(base) || !isPlain(over)) return structuredCopy(over)
    const merged = { ...base }
    for (const [key, value] of Object.entries(over)) {
      if (value === null) delete merged[key]
      else if (key.endsWith("+") && Array.isArray(merged[key.slice(0, -1)])) {
        merged[key.slice(0, -1)] = [...new Set([...merged[key.slice(0, -1)], ...value])]
      } else merged[key] = key in merged ? merge(merged[key], value) : structuredCopy(value)
    }
    return merged
  }

  const structuredCopy = (value) =>
    Array.isArray(value)
      ? value.map(structuredCopy)
      : isPlain(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, structuredCopy(inner)]))
      : value

  const flatten = (value, path = [], into = {}) => {
    if (isPlain(value)) { for (const [key, inner] of Object.entries(value)) flatten(inner, [...path, key], into) }
    else into[path.join(".")] = JSON.stringify(value)
    return into
  }

  const at = (value, path) => path.split(".").reduce((inner, key) => inner?.[key], value)

  const fill = (value, root, depth = 0) => {
    if (depth > 8) throw new Error("References go round in circles")
    if (typeof value === "string") {
      const filled = value.replace(/\$\{([\w.]+)\}/g, (whole, path) => String(at(root, path) ?? whole))
      return filled !== value && filled.includes("${") ? fill(filled, root, depth + 1) : filled
    }
    if (Array.isArray(value)) return value.map((inner) => fill(inner, root, depth))
    if (isPlain(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, root, depth)]))
    }
    return value
  }

  const service = (i) => ({
    name: `service-${i}`,
    url: "https://${region.name}.${domain}/" + i,
    port: 8000 + i,
    limits: { cpu: 1 + i % 4, memory: 256 << i % 3, retries: { count: 3, backoff: [100, 200, 400] } },
    tags: ["core", `team-${i % 5}`],
    flags: Object.fromEntries(Array.from({ length: 6 }, (_, flag) => [`flag${flag}`, (i + flag) % 3 === 0])),
  })
  const base = {
    domain: "example.org",
    region: { name: "eu-1", zones: ["a", "b"] },
    services: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`s${i}`, service(i)])),
  }
  const layers = Array.from({ length: 8 }, (_, layer) => ({
    region: { name: `region-${layer}`, "zones+": [`z${layer}`] },
    services: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `s${i}`,
        (i + layer) % 13 === 0
          ? { limits: { retries: null }, "tags+": [`layer-${layer}`, "core"] }
          : {
            limits: { memory: 512 + layer },
            flags: { [`flag${layer % 6}`]: true, extra: `\${services.s${i}.name}@\${region.name}` },
          },
      ]),
    ),
  }))
  const merged = fill(layers.reduce(merge, base), { ...base, region: { name: "final" } })
  const before = flatten(base)
  const after = flatten(merged)
  const added = Object.keys(after).filter((path) => !(path in before))
  const removed = Object.keys(before).filter((path) => !(path in after))
  const changed = Object.keys(after).filter((path) => path in before && before[path] !== after[path])
  return {
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    sample: [added[5], removed[2], changed[9]],
    url: merged.services.s7.url,
    tags: merged.services.s8.tags,
    extra: merged.services.s9.flags.extra,
    length: JSON.stringify(merged).length,
  }
})()
