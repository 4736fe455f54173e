// What the example shows of a run.
import { Console, Effect } from "effect"
import { type Prompt, Tool } from "effect/ai"
import type { Ended, Started } from "./observe.ts"
import { bold, clip, count, dim, green, heading, indent, red, yellow } from "./terminal.ts"

// A provider's tokenizer is not at hand; four characters a token is the usual rule of thumb.
const tokens = (characters: number): number => characters / 4
const size = (value: unknown): number => (JSON.stringify(value) ?? "").length

const message = (output: unknown): string => {
  const { code, message } = output as { readonly code?: unknown; readonly message?: unknown }
  return [code, message].filter((part) => typeof part === "string").join(": ")
}

// Indented JSON, with lists of plain values on one line.
const pretty = (value: unknown): string =>
  JSON.stringify(value, undefined, 2)
    .replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => `[${items.replace(/\s*\n\s*/g, " ")}]`)

const promptText = (prompt: Prompt.Prompt): string =>
  prompt.content.map(({ content, role }) =>
    `${bold(role)}: ${
      typeof content === "string"
        ? content
        : content.map((part) => part.type === "text" ? part.text : part.type).join(" ")
    }`
  ).join("\n")

/** Prints a run as it happens, and counts what it read. */
export const make = Effect.sync(() => {
  const calls: Array<Ended> = []
  let raw = 0
  let entered = 0

  return {
    /** What the model is given before its first turn. */
    shown: (tools: Readonly<Record<string, Tool.Any>>, prompt: Prompt.Prompt) =>
      Console.log([
        heading("What the model is shown"),
        promptText(prompt),
        ...Object.values(tools).map((tool) =>
          [
            `\n${bold(`tool ${tool.name}`)} ${dim(JSON.stringify(Tool.getJsonSchema(tool)))}`,
            indent(Tool.getDescription(tool) ?? ""),
          ].join("\n")
        ),
      ].join("\n")),

    /** What the model says in a turn. */
    said: (text: string) => Console.log(`${heading("The model says")}\n${text}\n`),

    /** The program of an `execute` call. */
    program: (call: Started) =>
      call.tool === "execute"
        ? Console.log([
          heading(`Program ${call.id}`),
          indent((call.params as { readonly code: string }).code),
          "",
        ].join("\n"))
        : Effect.void,

    /** A call of a tool of the workspace. */
    called: (call: Ended) =>
      Effect.suspend(() => {
        calls.push(call)
        // Deleting is a direct call with or without code mode, so it says nothing about what code mode saves.
        if (call.id.includes("/")) raw += size(call.output)
        return Console.log(
          [
            `  ${dim(call.id.padEnd(11))} ${`${call.milliseconds.toFixed(1)} ms`.padStart(10)}  ${
              call.tool.padEnd(11)
            } `,
            `${dim(clip(JSON.stringify(call.params), 68).padEnd(68))}  `,
            call.failed ? red(message(call.output)) : `${count(size(call.output))} characters`,
          ].join(""),
        )
      }),

    /** What the model reads of an `execute` call. */
    outcome: (call: Ended) =>
      Effect.suspend(() => {
        if (call.tool !== "execute") return Effect.void
        entered += size(call.params) + size(call.output)
        const state = call.failed ? red("failed") : green("succeeded")
        return Console.log(
          `\n  ${bold("Outcome")}, ${state} in ${call.milliseconds.toFixed(0)} ms. The model reads:\n\n`
            + indent(call.failed ? message(call.output) : pretty(call.output), 4),
        )
      }),

    /** The decision on a call that needs approval. */
    decided: (call: { readonly name: string; readonly params: unknown } | undefined, approved: boolean) =>
      Console.log([
        heading("Approval"),
        `  ${call?.name} ${dim(JSON.stringify(call?.params))} waits for approval: ${
          approved ? green("approved") : yellow("denied")
        }`,
        "",
      ].join("\n")),

    /** What it all came to. */
    totals: Effect.suspend(() =>
      Console.log([
        heading("Tokens"),
        `  ${count(calls.length)} calls. About ${count(tokens(raw))} tokens of raw results stayed in the programs.`,
        `  About ${count(tokens(entered))} tokens entered the context: ${
          (raw / entered).toFixed(0)
        } times less. Both at four characters a token.`,
      ].join("\n"))
    ),
  }
})
