import { Effect } from "effect"
import type { Model } from "./loop.ts"

const guess = `const orders = await tools.shop.list_orders()
const best = orders.sort((a, b) => b.cents - a.cents)[0]
console.log("the largest order is", best.id)
const customer = await tools.shop.get_customer({ name: best.customer.name })
return { order: best.id, country: customer.country }`

const repaired = `const orders = await tools.shop.list_orders()
const totals = {}
for (const { customer, cents } of orders) totals[customer] = (totals[customer] ?? 0) + cents
const names = Object.keys(totals)
const customers = await Promise.all(names.map((name) => tools.shop.get_customer({ name })))
return customers
  .map(({ name, country }) => ({ name, country, total: totals[name] / 100 }))
  .sort((a, b) => b.total - a.total)`

/** Stands for a model: a program with a mistake, then a better one, then an answer from what it read. */
export const script: Model = (transcript) => {
  const last = transcript.at(-1)!
  if (transcript.length === 2) return Effect.succeed({ program: guess })
  if (!last.startsWith("{")) return Effect.succeed({ program: repaired })
  const { result } = JSON.parse(last) as { readonly result: ReadonlyArray<{ name: string; country: string }> }
  return Effect.succeed({ answer: `${result[0]!.name} from ${result[0]!.country} spent the most.` })
}
