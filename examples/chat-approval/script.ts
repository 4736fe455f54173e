// What the scripted model says: a program, refunds for what it found, and an answer that depends on what was approved.
import { answer, call, program, result, together, type Turn } from "../shared/scripted-model.ts"

const findLost = `const orders = await tools.list_orders({ month: "2026-11" })
return orders.filter(({ status }) => status === "lost").map(({ id, cents }) => ({ id, cents }))`

const money = (cents: number) => (cents / 100).toFixed(2)

interface Lost {
  readonly id: number
  readonly cents: number
}

export const script: ReadonlyArray<Turn> = [
  program("call-1", findLost),
  // All refunds in one turn: those that need no approval are made at once, the others wait.
  (conversation) =>
    together(
      ...result<ReadonlyArray<Lost>>(conversation, 0).map((order, i) => call(`call-${i + 2}`, "refund_order", order)),
    )(conversation),
  answer((conversation) => {
    const said = result<ReadonlyArray<Lost>>(conversation, 0).map(({ cents, id }, i) => {
      const answered = conversation.results.find((part) => part.id === `call-${i + 2}`)
      return answered?.isFailure === false
        ? `Order ${id}: ${money(cents)} went back.`
        : `Order ${id}: ${money(cents)} was not approved, so I left it alone.`
    })
    return said.join("\n")
  }),
]
