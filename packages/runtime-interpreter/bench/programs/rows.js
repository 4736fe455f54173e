// An array pipeline over the 20,000 rows that a tool returns.
;(async function() {
  const rows = await tools.rows({ count: 20_000 })
  const byTeam = {}
  rows
    .filter((row) => row.active && row.score > 300)
    .map((row) => ({ team: row.team, points: row.score * row.weight }))
    .forEach(({ points, team }) => byTeam[team] = (byTeam[team] ?? 0) + points)
  return Object.entries(byTeam)
    .map(([team, points]) => ({ team, points }))
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 5)
})()
