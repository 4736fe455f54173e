import { Catalog } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { toolkitOf } from "../../bench/discovery/presented.ts"
import { synthetic } from "../../bench/discovery/synthetic.ts"

const Invoice = Schema.Struct({
  id: Schema.String,
  customer: Schema.String,
  total: Schema.Finite.annotate({ description: "In cents" }),
  paid: Schema.Boolean,
})

const Small = Toolkit.make(
  Tool.make("invoices.list", {
    description: "Lists invoices, the newest first.",
    parameters: Schema.Struct({
      customer: Schema.optionalKey(Schema.String.annotate({ description: "Only those of this customer" })),
      status: Schema.optionalKey(Schema.Literals(["open", "paid", "overdue"])),
      limit: Schema.optionalKey(Schema.Int.annotate({ description: "How many at most", default: 50 })),
    }),
    success: Schema.Array(Invoice),
  }),
  Tool.make("invoices.remind", {
    description: "Sends a reminder of an invoice to its customer.",
    parameters: Schema.Struct({ id: Schema.String }),
  }),
  Tool.make("today", { description: "Today's date.", success: Schema.String }),
  Tool.make("delete_customer", {
    description: "Deletes a customer and all invoices.",
    parameters: Schema.Struct({ customer: Schema.String }),
    needsApproval: true,
  }),
)

/** Four tools, one of which a person must approve. */
export const small = Effect.provide(
  Small,
  Small.toLayer({
    "invoices.list": () => Effect.succeed([]),
    "invoices.remind": () => Effect.void,
    today: () => Effect.succeed("2026-01-31"),
    delete_customer: () => Effect.void,
  }),
)

const services = new Set(["calendar", "documents", "invoices", "mail", "storage", "tickets"])

/** Six hundred tools of six services. */
export const large = toolkitOf(synthetic().filter(({ tool }) => services.has(tool.split(".", 1)[0]!)))

/** Names of flat tools, as many servers have them, and a server's own instructions. */
export const annotated = toolkitOf([
  { tool: "github_list_issues", description: "Lists the issues of a repository." },
  { tool: "github_create_issue", description: "Creates an issue." },
])

export const withNotes = {
  ...annotated,
  tools: {
    ...annotated.tools,
    search_pages: Tool.dynamic("search_pages", { description: "Searches the pages." })
      .annotate(Catalog.Namespace, { path: "wiki", notes: "Search before you read: pages move." }),
  },
}
