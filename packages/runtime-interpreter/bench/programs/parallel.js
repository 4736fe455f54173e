// 1,000 tool calls, all at once.
;(async function() {
  const results = await Promise.all(Array.from({ length: 1000 }, (_, id) => tools.echo({ id })))
  return results.reduce((sum, { id }) => sum + id, 0)
})()
