import type { Rendered } from "../Catalog.ts"
import type { CodeRuntime } from "./contract.ts"
import type { Beside } from "./presented.ts"
import { escaped, oneLine } from "./safe-text.ts"

/**
 * The parts of what the model is told, each Markdown, for hosts that put together a text of their own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Texts {
  /** What the tool is, and that the other tools exist only inside the code. */
  readonly summary: string
  /** How to work: find a tool, call it, return little. */
  readonly workflow: string
  /** What to mind when writing programs. */
  readonly rules: string
  /** The language of programs, as the runtime tells it. */
  readonly language: string
  /** The tools that stand beside ours. Empty if there are none. */
  readonly sideTools: string
  /** The tools that code can call, as far as the budget goes. */
  readonly catalog: string
}

const defaultLanguage = "JavaScript, as the body of an async function: `await` and `return` work at the top level."

/** Puts the parts together, the most important first. */
export const join = ({ catalog, language, rules, sideTools, summary, workflow }: Texts): string =>
  [summary, workflow, rules, language, sideTools, catalog].filter((part) => part !== "").join("\n\n")

/** What the parts are made from. */
export interface Parts {
  /** The name of our tool. */
  readonly name: string
  readonly catalog: Rendered
  /** The tools beside ours. */
  readonly beside: ReadonlyArray<{ readonly name: string; readonly reason: Beside }>
  readonly guide: CodeRuntime["guide"]
}

/** Writes the parts. The same tools and runtime give the same texts. */
export const make = ({ beside, catalog, guide, name }: Parts): Texts => {
  const partial = catalog.shown < catalog.total
  const search = guide?.search === true && partial
  return {
    summary: summary(search),
    workflow: workflow(catalog, search),
    rules,
    language: `Language: ${guide?.language ?? defaultLanguage}`,
    sideTools: sideTools(name, beside),
    catalog: catalog.text,
  }
}

const summary = (search: boolean): string =>
  "Runs the program in `code` and answers with what it returns. The tools below exist **only inside that code**, as " +
  `\`await tools.<namespace>.<tool>(input)\`; you cannot call them${search ? " or `search`" : ""} directly.`

const workflow = ({ shown, total }: Rendered, search: boolean): string => {
  const steps: Array<string> = []
  if (search) {
    steps.push(
      "Not every tool is listed. Find others in code: `return await search({ query: \"<what you need>\" })`.",
      "Read the `signature` that comes back, and call its `path` as it stands. Never guess names.",
    )
  } else if (total > 0) {
    steps.push(
      "Pick tools from the list below, and call them by their paths as they stand." +
        (shown === total ? "" : " Some are listed without a signature. Never guess names."),
    )
  }
  steps.push(
    "Filter and aggregate in code, and return only what you need: what you return or log enters your context, the rest does not.",
  )
  return `${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}`
}

const rules = `## Rules

- Run independent calls together: \`await Promise.all([...])\`.
- A result typed \`unknown\` has no promised shape: look before relying on its fields. Text may be JSON or not.
- A failed call throws a catchable \`Error\` with a \`code\`.
- Inputs, results and returned values cross as JSON.`

const MAX_SIDE_TOOLS = 30

const sideTools = (own: string, beside: Parts["beside"]): string => {
  if (beside.length === 0) return ""
  const names = beside.map(({ name }) => `\`${/^[\w.-]{1,64}$/.test(name) ? name : oneLine(escaped(name), 64)}\``)
    .sort()
  const shown = names.slice(0, MAX_SIDE_TOOLS).join(", ")
  const more = names.length > MAX_SIDE_TOOLS ? ` and ${names.length - MAX_SIDE_TOOLS} more` : ""
  const why = beside.some(({ reason }) => reason === "approval") ? ", because a person may be asked" : ""
  return `These are called directly, beside \`${own}\` and never from code${why}: ${shown}${more}.`
}

/** How search is called, for a catalog that does not show every tool. */
export const searchSignature =
  "search(input: { query?: string, namespace?: string, limit?: number, offset?: number }): " +
  "Promise<{ items: Array<{ path: string, description: string, signature: string }>, remaining: number, next: { offset: number } | null }>"
