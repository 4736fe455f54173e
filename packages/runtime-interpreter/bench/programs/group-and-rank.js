// Rows of a tool grouped and ranked: totals, averages, medians and shares of each team, with ties.
;(async function() {
  const rows = await tools.rows({ count: 20_000 })
  const groups = new Map()
  for (const { active, notes, score, team, weight } of rows) {
    if (!active) continue
    let group = groups.get(team)
    if (group === undefined) groups.set(team, group = { team, scores: [], points: 0, since: Infinity })
    group.scores.push(score)
    group.points += score * weight
    group.since = Math.min(group.since, notes.since)
  }
  const all = [...groups.values()].reduce((sum, { points }) => sum + points, 0)
  const summary = [...groups.values()].map(({ points, scores, since, team }) => {
    const sorted = scores.toSorted((a, b) => a - b)
    const middle = sorted.length >> 1
    return {
      team,
      points,
      average: Math.round(points / scores.length),
      median: sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2,
      share: `${(points / all * 100).toFixed(1)}%`,
      since,
    }
  })
  summary.sort((a, b) => b.average - a.average || a.team.localeCompare(b.team))
  let rank = 0
  const ranked = summary.map((entry, i) => {
    if (i === 0 || entry.average !== summary[i - 1].average) rank = i + 1
    return { rank, ...entry }
  })
  return [...ranked.slice(0, 5), ...ranked.slice(-2)]
})()
