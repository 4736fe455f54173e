// Two tool results filtered and joined: which customers have unpaid orders.
;(async function() {
  const [customers, orders] = await Promise.all([tools.customers({}), tools.orders({})])
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  const open = orders
    .filter((order) => order.status !== "paid" && order.lines.some((line) => line.quantity > 0))
    .map((order) => ({
      ...order,
      customer: byId.get(order.customerId),
      total: order.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
    }))
    .filter(({ customer }) => customer?.active)
  const perCustomer = {}
  for (const order of open) (perCustomer[order.customer.name] ??= []).push(order)
  return Object.entries(perCustomer)
    .map(([name, theirs]) => ({
      name,
      country: theirs[0].customer.country,
      orders: theirs.length,
      due: Math.round(theirs.reduce((sum, { total }) => sum + total, 0) * 100) / 100,
      oldest: theirs.map(({ date }) => date).sort()[0],
    }))
    .sort((a, b) => b.due - a.due || a.name.localeCompare(b.name))
    .slice(0, 20)
})()
