// Shows the calls of a run as they start and end, and a timeline of them afterwards.
//
// A terminal is drawn anew in place by log-update: small, maintained, an ES module, and nothing but that; frameworks for whole terminal
// interfaces would bring a renderer of their own. Where no terminal is, each call is a line when it ends.
import type { CodeMode } from "@effect-codemode/toolkit"
import { Clock, Console, Duration, Effect, type Scope } from "effect"
import { createLogUpdate } from "log-update"
import { bold, clip, dim, green, interactive, many, red, time, yellow } from "./text.ts"
import * as Timeline from "./timeline.ts"

/** The hooks of a run that is shown: `CodeMode.toolkit(tools, runtime, { ...progress })`. */
export type Progress = Required<Pick<CodeMode.Options, "onToolCallStart" | "onToolCallEnd" | "onRunEnd">>

/** What a terminal has of a `WriteStream`. */
export type Output = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }

interface Shown extends CodeMode.Call {
  readonly start: number
  end: number | undefined
  state: Timeline.State | undefined
  problem: string
}

/** As many failed calls are told at most when a terminal is done with a run. */
const MAX_FAILURES = 10

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const marks = { success: green("✔"), failure: red("✖"), interrupted: yellow("◌") } as const
const runOf = (id: string) => id.slice(0, id.lastIndexOf("/"))

/** Makes the hooks. `live` says whether the output is a terminal that is drawn anew; by default, whether it is one. */
export const make = (
  { live = interactive, output = process.stdout }: { readonly live?: boolean; readonly output?: Output } = {},
): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.gen(function*() {
    const runs = new Map<string, Map<number, Shown>>()
    const frame = createLogUpdate(output)
    const now = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1e6)
    const width = () => Math.min(output.columns ?? 100, 120)

    const draw = Effect.map(now, (now) => {
      const calls = Array.from(runs.values(), (run) => Array.from(run.values())).flat()
      if (calls.length > 0) frame(picture(calls, now, width(), Math.min(14, (output.rows ?? 24) - 4)))
    })
    if (live) {
      yield* Effect.addFinalizer(() => Effect.sync(() => frame.done()))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(draw, Effect.sleep("80 millis"))))
    }

    return {
      onToolCallStart: (call) =>
        Effect.map(now, (start) => {
          const run = runs.get(runOf(call.id)) ?? new Map<number, Shown>()
          runs.set(runOf(call.id), run)
          run.set(call.index, { ...call, start, end: undefined, state: undefined, problem: "" })
        }),

      onToolCallEnd: (call) =>
        Effect.flatMap(now, (end) => {
          const shown = runs.get(runOf(call.id))?.get(call.index)
          if (shown === undefined) return Effect.void
          shown.end = end
          shown.state = call.outcome
          shown.problem = call.outcome === "failure" ? `${call.code}: ${call.message}` : ""
          return live ? Effect.void : Console.log(
            `  ${dim(call.id.padEnd(11))} ${time(Duration.toMillis(call.duration)).padStart(10)}  ${
              call.name.padEnd(11)
            } ${dim(clip(JSON.stringify(call.input), 68).padEnd(68))}  ${
              call.outcome === "success" ? "" : marked(shown)
            }`.trimEnd(),
          )
        }),

      onRunEnd: (report) =>
        Effect.suspend(() => {
          const shown = Array.from(runs.get(report.id)?.values() ?? [])
          const calls = shown.map(({ end, name, start, state }) => ({
            name,
            start,
            end: end ?? start,
            state: state ?? "interrupted",
          }))
          runs.delete(report.id)
          if (live && runs.size === 0) frame.clear()
          const attached = report.attachments.map(({ callId, data, mediaType }) =>
            `  Attached by ${callId}: ${mediaType}${
              typeof data === "string"
                ? `, ${many(data.length, "character")} of base64`
                : data instanceof Uint8Array
                ? `, ${many(data.length, "byte")}`
                : ""
            }`
          )
          // A terminal has shown the failures and has drawn over them.
          const failed = shown.filter(({ state }) => live && state === "failure").slice(0, MAX_FAILURES)
            .map(({ input, name, problem }) =>
              `  ${marks.failure} ${name} ${dim(clip(JSON.stringify(input), 40))} ${red(clip(problem, width() - 60))}`
            )
          if (calls.length < 2) return attached.length === 0 ? Effect.void : Console.log(`\n${attached.join("\n")}`)
          const title = `${many(calls.length, "call")} in ${time(Duration.toMillis(report.duration))}, at most ${
            Timeline.most(calls)
          } at once`
          const lines = Timeline.render(Timeline.lanes(calls), width() - 2)
          return Console.log(
            ["", `  ${bold("Timeline")}: ${title}`, ...lines.map((line) => `  ${line}`), ...failed, ...attached].join(
              "\n",
            ),
          )
        }),
    }
  })

const marked = ({ problem, state }: Shown): string => state === "failure" ? red(problem) : yellow("interrupted")

/** What a terminal shows while calls go on: those that run, the last that ended, and how many there are. */
const picture = (calls: ReadonlyArray<Shown>, now: number, width: number, rows: number): string => {
  const spin = spinner[Math.floor(now / 80) % spinner.length]!
  const running = calls.filter(({ end }) => end === undefined)
  const ended = calls.filter(({ end }) => end !== undefined)
  const failed = ended.filter(({ state }) => state === "failure").length
  const title = [
    `${ended.length} of ${many(calls.length, "call")} done`,
    `${running.length} running`,
    ...failed === 0 ? [] : [`${failed} failed`],
    time(now - Math.min(...calls.map(({ start }) => start))),
  ].join(" · ")
  const last = ended.toSorted((a, b) => a.end! - b.end!)
    .slice(-Math.max(2, rows - running.length))
  const shown = [...last, ...running].slice(0, rows)
  const left = last.length + running.length - shown.length
  return [
    `  ${running.length === 0 ? green("✔") : yellow(spin)} ${bold(title)}`,
    ...shown.map((call) => {
      const took = time((call.end ?? now) - call.start).padStart(9)
      const name = clip(call.name, 24).padEnd(24)
      const rest = call.state === "failure" ? call.problem : JSON.stringify(call.input)
      const text = clip(rest, width - 44)
      return `    ${call.state === undefined ? yellow(spin) : marks[call.state]} ${name} ${dim(took)}  ${
        call.state === "failure" ? red(text) : dim(text)
      }`
    }),
    ...left > 0 ? [dim(`    and ${left} more`)] : [],
  ].join("\n")
}
