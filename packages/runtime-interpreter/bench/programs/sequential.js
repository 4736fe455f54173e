// 200 tool calls, one after the other.
;(async function() {
  let sum = 0
  for (let id = 0; id < 200; id++) sum += (await tools.echo({ id })).id
  return sum
})()
