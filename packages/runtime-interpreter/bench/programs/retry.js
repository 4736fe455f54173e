// Calls that fail at times, tried again with a bound, and what could not be had told apart from what could.
;(async function() {
  const tried = { calls: 0, failures: {} }
  const withRetries = async (work, attempts = 4) => {
    for (let attempt = 1;; attempt++) {
      tried.calls++
      try {
        return await work(attempt)
      } catch (error) {
        tried.failures[error.code ?? error.name] = (tried.failures[error.code ?? error.name] ?? 0) + 1
        if (attempt >= attempts || error.code === "NOT_FOUND") throw error
        await Promise.resolve()
      }
    }
  }

  const inParallel = async (items, limit, work) => {
    const results = new Array(items.length)
    let next = 0
    await Promise.all(Array.from({ length: limit }, async () => {
      while (next < items.length) {
        const at = next++
        try {
          results[at] = { ok: true, value: await work(items[at]) }
        } catch (error) {
          results[at] = { ok: false, message: error.message }
        }
      }
    }))
    return results
  }

  const ids = Array.from({ length: 150 }, (_, i) => i)
  const results = await inParallel(ids, 6, (id) => withRetries((attempt) => tools.flaky({ id, attempt })))
  const lost = results.filter(({ ok }) => !ok)
  return {
    got: results.filter(({ ok }) => ok).reduce((sum, { value }) => sum + value.balance, 0),
    lost: lost.length,
    reasons: [...new Set(lost.map(({ message }) => message.replace(/\d+/, "N")))].sort(),
    tried,
  }
})()
