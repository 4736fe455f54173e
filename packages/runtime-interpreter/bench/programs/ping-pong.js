// Async functions that hand values to each other over channels: a rally, a pipeline, a pool of workers.
;(async function() {
  class Channel {
    #values = []
    #takers = []
    send(value) {
      const taker = this.#takers.shift()
      if (taker === undefined) this.#values.push(value)
      else taker(value)
    }
    take() {
      if (this.#values.length > 0) return Promise.resolve(this.#values.shift())
      return new Promise((resolve) => this.#takers.push(resolve))
    }
    async *[Symbol.asyncIterator]() {
      for (let value = await this.take(); value !== null; value = await this.take()) yield value
    }
  }

  const rally = async (rounds) => {
    const ping = new Channel()
    const pong = new Channel()
    const player = async (from, to) => {
      for await (const ball of from) {
        if (ball >= rounds) {
          to.send(null)
          return ball
        }
        to.send(ball + 1)
      }
      return 0
    }
    const players = [player(ping, pong), player(pong, ping)]
    ping.send(0)
    return (await Promise.all(players)).reduce((a, b) => a + b)
  }

  const pipeline = async (count) => {
    const channels = Array.from({ length: 5 }, () => new Channel())
    const stages = channels.slice(1).map(async (to, i) => {
      for await (const value of channels[i]) to.send((value * 3 + i) % 10_007)
      to.send(null)
    })
    for (let i = 0; i < count; i++) channels[0].send(i)
    channels[0].send(null)
    let sum = 0
    for await (const value of channels[4]) sum = (sum + value) % 1_000_003
    await Promise.all(stages)
    return sum
  }

  const pool = async (jobs, size) => {
    let next = 0
    const results = []
    const worker = async () => {
      while (next < jobs) {
        const job = next++
        await null
        try {
          if (job % 11 === 0) throw new Error(`job ${job}`)
          results[job] = await Promise.any([Promise.reject(job), Promise.resolve(job * 2)])
        } catch ({ message }) {
          results[job] = message.length
        }
      }
    }
    await Promise.all(Array.from({ length: size }, worker))
    return results.reduce((a, b) => a + b)
  }

  return [await rally(1500), await pipeline(500), await pool(800, 8)]
})()
