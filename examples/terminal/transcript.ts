// What an example shows of a conversation: what the model is given, each program, each call, what the model reads, what it answers.
import { Console, Effect } from "effect"
import { type Prompt, Tool } from "effect/ai"
import type { Ended, Started } from "./observe.ts"
import { bold, clip, count, dim, green, heading, indent, red, yellow } from "./text.ts"

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

/** What the model is given before its first turn. */
export const shown = (tools: Readonly<Record<string, Tool.Any>>, prompt: Prompt.Prompt) =>
  Console.log([
    heading("What the model is shown"),
    promptText(prompt),
    ...Object.values(tools).map((tool) =>
      [
        `\n${bold(`tool ${tool.name}`)} ${dim(JSON.stringify(Tool.getJsonSchema(tool)))}`,
        indent(Tool.getDescription(tool) ?? ""),
      ].join("\n")
    ),
  ].join("\n"))

/** What the model says in a turn. */
export const said = (text: string) => Console.log(`${heading("The model says")}\n${text}\n`)

/** The program of an `execute` call, when it starts. */
export const started = (call: Started) =>
  call.tool === "execute"
    ? Console.log(
      [heading(`Program ${call.id}`), indent((call.params as { readonly code: string }).code), ""].join("\n"),
    )
    : Effect.void

/** What the model reads of a call that it made. */
export const ended = (call: Ended) => {
  const state = call.failed ? red("failed") : green("succeeded")
  const text = call.failed
    ? message(call.output)
    : call.tool === "execute"
    ? pretty(call.output)
    : clip(JSON.stringify(call.output), 400)
  return Console.log(
    call.tool === "execute"
      ? `\n  ${bold("Outcome")}, ${state} in ${call.milliseconds.toFixed(0)} ms. The model reads:\n\n${indent(text, 4)}`
      : `  ${dim(call.id.padEnd(11))} ${`${call.milliseconds.toFixed(1)} ms`.padStart(10)}  ${call.tool} ${
        dim(clip(JSON.stringify(call.params), 68))
      } ${state}: ${text}`,
  )
}

/** The decision on a call that needs approval. */
export const decided = (call: { readonly name: string; readonly params: unknown }, approved: boolean) =>
  Console.log([
    heading("Approval"),
    `  ${call.name} ${dim(JSON.stringify(call.params))} waits for approval: ${
      approved ? green("approved") : yellow("denied")
    }`,
    "",
  ].join("\n"))

/** Counts what stayed in the programs against what entered the context. */
export const savings = () => {
  let calls = 0
  let raw = 0
  let entered = 0
  return {
    /** A call of a program has ended. */
    called: (call: Ended) =>
      Effect.sync(() => {
        // A call that the model makes directly is one with or without code mode, and says nothing about what it saves.
        if (!call.id.includes("/")) return
        calls++
        raw += size(call.output)
      }),
    /** A call of the model has ended. */
    ended: (call: Ended) =>
      Effect.sync(() => {
        if (call.tool === "execute") entered += size(call.params) + size(call.output)
      }),
    /** What it came to. */
    print: Effect.suspend(() =>
      Console.log([
        heading("Tokens"),
        `  ${count(calls)} calls. About ${count(tokens(raw))} tokens of raw results stayed in the programs.`,
        `  About ${count(tokens(entered))} tokens entered the context: ${
          (raw / entered).toFixed(0)
        } times less. Both at four characters a token.`,
      ].join("\n"))
    ),
  }
}
