// What the benchmark's tools answer: made up, large enough to be work, and the same each time.
import type * as Schema from "effect/Schema"

const list = <A>(length: number, make: (i: number) => A): Array<A> => Array.from({ length }, (_, i) => make(i))

/** A sequence of whole numbers below what is asked for, that looks random. */
const sequence = (seed: number) => (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}

const day = (i: number): string => new Date(Date.UTC(2025, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)

/** Twenty thousand players of a league. */
export const rows = (): Schema.Json =>
  list(20_000, (id) => ({
    id,
    name: `player ${id}`,
    team: `team ${(id * 7919) % 37}`,
    active: id % 3 !== 0,
    score: (id * 104_729) % 1000,
    weight: 1 + (id % 5),
    notes: { position: id % 11, since: 2000 + (id % 25), tags: ["a", "b"] },
  }))

/** Customers of a shop. */
export const customers = (): Schema.Json =>
  list(600, (i) => ({
    id: `c${i}`,
    name: `Customer ${i}`,
    country: ["NO", "PE", "JP", "KE"][i % 4]!,
    active: i % 7 !== 3,
    address: { street: `${i} Main Street`, city: `City ${i % 40}` },
  }))

/** Their orders. */
export const orders = (): Schema.Json =>
  list(2000, (id) => ({
    id,
    customerId: `c${(id * 131) % 640}`,
    status: ["paid", "open", "late", "paid", "open"][id % 5]!,
    date: day((id * 17) % 365),
    lines: list(1 + (id % 4), (i) => ({
      sku: `sku-${(id * 3 + i) % 97}`,
      quantity: (id + i) % 6,
      price: ((id * 13 + i * 7) % 900) / 10,
    })),
  }))

/** What somebody did in a year, at some times of some days. */
export const events = (): Schema.Json => {
  const random = sequence(11)
  return list(3000, () => ({
    at: Date.UTC(2025, 0, 1) + random(300) * 86_400_000 + random(86_400) * 1000,
    minutes: 5 + random(55),
    kind: ["call", "walk", "read"][random(3)]!,
  }))
}

/** The log of some services, as text. */
export const logs = (): Schema.Json => {
  const random = sequence(23)
  const services = ["gateway", "auth", "billing-api", "search"]
  const errors = ["TimeoutError", "TypeError", "ConnectionError"]
  return list(1200, (i) => {
    const time = new Date(Date.UTC(2025, 5, 1) + i * 137_000).toISOString()
    const service = services[random(services.length)]!
    if (i % 31 === 7) return `    at handle (server.js:${random(900)}:${random(80)})`
    if (i % 9 === 4) {
      const attempt = i % 2 === 0 ? ` (attempt ${1 + random(3)})` : ""
      return `${time} ERROR [${service}] ${errors[random(errors.length)]!}: no answer from ${random(200)}${attempt}`
    }
    const method = ["GET", "GET", "POST", "PUT"][random(4)]!
    const path = ["/users/", "/orders/", "/search?q="][random(3)]! + random(5000)
    const status = random(20) === 0 ? 503 : random(10) === 0 ? 404 : 200
    const trace = random(3) === 0 ? "" : ` id=${(0xa000 + random(400)).toString(16)}`
    return `${time} INFO  [${service}] ${method} ${path} ${status} in ${1 + random(900)}ms${trace}`
  }).join("\n")
}

/** A file of sales with quotes, commas and line breaks in its cells. */
export const sales = (): Schema.Json => {
  const random = sequence(31)
  const line = (i: number): string => {
    const note = i % 6 === 0
      ? `"said ""yes"", then\nleft"`
      : i % 6 === 3
      ? `"a, b"`
      : i % 6 === 4
      ? ""
      : `note ${i % 13}`
    const region = ["north", "south", `"east, far"`, "west"][random(4)]!
    return `${day(random(365))},${region},product ${random(30)},${1 + random(40)},${
      (random(90_000) / 100).toFixed(2)
    },${note}`
  }
  return ["date,region,product,units,amount,note", ...list(500, line)].join("\r\n")
}

/** Short articles. */
export const texts = (): Schema.Json => {
  const random = sequence(47)
  const words =
    "restore backup delete deleted billing limit limits team teams slow search large project rotate rotating keys key the a of and to in is user account page settings change export import error report weekly archive list"
      .split(" ")
  const text = (length: number): string => list(length, () => words[random(words.length)]!).join(" ")
  return list(220, (i) => ({ id: i, title: `${text(4)} ${i}`, body: text(40 + random(50)) }))
}

const issues = 1000

/** A page of a listing, and where the next one starts. */
export const page = (from: number, limit: number): Schema.Json => ({
  items: list(Math.min(limit, issues - from), (i) => ({
    number: from + i,
    title: `Issue ${from + i}`,
    state: (from + i) % 3 === 0 ? "closed" : "open",
    labels: ["bug", "docs", "idea"].filter((_, label) => (from + i) % (label + 2) === 0),
  })),
  next: from + limit < issues ? from + limit : null,
})

/** An entry of the listing with all that was said. */
export const detail = (number: number): Schema.Json => ({
  number,
  comments: list(number % 5, (i) => ({
    author: `user${(number * 3 + i) % 17}`,
    body: `I saw this ${number % 4} times\nin version ${i}.${number % 9} too`,
  })),
})
