// The tools of a shop's support desk. Nothing here knows of code mode.
import { Context, Effect, Layer, Ref, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"

const Order = Schema.Struct({
  id: Schema.Int,
  customer: Schema.String,
  cents: Schema.Int,
  status: Schema.Literals(["delivered", "on its way", "lost"]),
})

class NoSuchOrder extends Schema.TaggedError<NoSuchOrder>()("NoSuchOrder", {
  code: Schema.Literal("NO_SUCH_ORDER"),
  message: Schema.String,
}) {}

/** Money that went back, by order, in cents. */
export class Refunds extends Context.Service<Refunds, Ref.Ref<ReadonlyMap<number, number>>>()(
  "examples/chat-approval/Refunds",
) {
  static readonly layer = Layer.effect(Refunds)(Ref.make<ReadonlyMap<number, number>>(new Map()))
}

/** The tools. Whether a person is asked depends on how much money is at stake. */
export const Shop = Toolkit.make(
  Tool.make("list_orders", {
    description: "Lists the orders of a month, such as 2026-11",
    parameters: Schema.Struct({ month: Schema.String }),
    success: Schema.Array(Order),
  }),
  Tool.make("refund_order", {
    description: "Sends the money for an order back. Over 50.00 a person has to approve it",
    parameters: Schema.Struct({ id: Schema.Int, cents: Schema.Int }),
    success: Schema.Struct({ refunded: Schema.Int }),
    failure: NoSuchOrder,
    failureMode: "return",
    needsApproval: ({ cents }) => cents > 50_00,
    dependencies: [Refunds],
  }),
)

const statuses = ["delivered", "delivered", "on its way"] as const
const lost: Readonly<Record<number, number>> = { 9: 12_00, 17: 84_50, 23: 1_299_00 }
const orders = Array.from({ length: 200 }, (_, i): typeof Order.Type => ({
  id: i + 1,
  customer: ["Ada", "Grace", "Edsger"][i % 3]!,
  cents: lost[i + 1] ?? 10_00 + (i * 7919) % 90_00,
  status: i + 1 in lost ? "lost" : statuses[i % 3]!,
}))

export const ShopLive = Shop.toLayer({
  list_orders: () => Effect.succeed(orders),
  refund_order: ({ cents, id }) =>
    orders.some((order) => order.id === id)
      ? Effect.as(
        Effect.flatMap(Refunds, Ref.update((refunds) => new Map(refunds).set(id, cents))),
        { refunded: id },
      )
      : Effect.fail(new NoSuchOrder({ code: "NO_SUCH_ORDER", message: `There is no order ${id}` })),
})
