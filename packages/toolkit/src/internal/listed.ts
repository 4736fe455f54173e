import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as ToolSource from "../ToolSource.ts"
import { defect } from "./defect.ts"
import { isRecord } from "./json-schema.ts"
import { oneLine } from "./safe-text.ts"
import { Failure } from "./tool-call.ts"

/** The longest namespace of a member, and the longest name of a tool within one, in characters. */
const MAX_NAMESPACE = 100
const MAX_NAME = 512

/** A member: its namespace and its source. */
export type Member = readonly [namespace: string, source: ToolSource.ToolSource]

/**
 * Reads the members of an assembly. The host names them, so that a name that cannot be is a mistake of the host's: a defect that tells
 * which.
 */
export const members = (
  record: Readonly<Record<string, ToolSource.ToolSource>>,
): Effect.Effect<ReadonlyArray<Member>> =>
  Effect.suspend(() => {
    const prototype: unknown = isRecord(record) ? Object.getPrototypeOf(record) : undefined
    if (prototype !== Object.prototype && prototype !== null) {
      return defect(
        "The members are no plain record. A member named `__proto__` is written { [\"__proto__\"]: source }.",
      )
    }
    const all = Object.entries(record)
    for (const [namespace, source] of all) {
      const wrong = fault(namespace, record)
      if (wrong !== undefined) return defect(`The member ${JSON.stringify(oneLine(namespace, 120))} ${wrong}.`)
      if (typeof source?.call !== "function" || !Effect.isEffect(source.list)) {
        return defect(
          `The member "${namespace}" is no source of tools.${
            Effect.isEffect(source) ? " It is an effect that makes one: give what it gives, as `yield*` does." : ""
          }`,
        )
      }
    }
    return Effect.succeed(all)
  })

const fault = (namespace: string, record: Readonly<Record<string, unknown>>): string | undefined => {
  if (namespace.length > MAX_NAMESPACE) return `has a name of more than ${MAX_NAMESPACE} characters`
  const segments = namespace.split(".")
  if (segments.includes("")) return "has a name that is empty, or has nothing before, after or between its dots"
  if (/[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(namespace)) {
    return "has a name with white space or with characters that are not seen"
  }
  if (segments[0] === "$codemode") return "has a name that is reserved"
  const outer = segments.slice(1).map((_, i) => segments.slice(0, i + 1).join(".")).find((name) =>
    Object.hasOwn(record, name)
  )
  return outer === undefined
    ? undefined
    : `lies within the member "${outer}", where their tools could have the same names`
}

/** What a member has: its tools by their names, and what it tells of itself. */
export interface Listing {
  readonly definitions: ReadonlyMap<string, ToolSource.Definition>
  readonly notes: string | undefined
}

/**
 * Asks a source for its tools. A source that breaks, or that takes too long, has failed. Tools that cannot be called by their names are
 * left out, and the host's log tells it.
 */
export const list = (
  member: string,
  source: ToolSource.ToolSource,
  timeout: Duration.Duration,
): Effect.Effect<Listing, Failure> =>
  Effect.timeoutOrElse(awaited(Effect.flatMap(source.list, (listing) => read(member, listing))), {
    duration: timeout,
    orElse: () =>
      Effect.succeed<Exit.Exit<Listing, Failure>>(
        Exit.fail(failure("TIMEOUT", `It did not list its tools within ${Duration.format(timeout)}.`)),
      ),
  }).pipe(Effect.flatMap((exit) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    const error: unknown = exit.cause.reasons.find(Cause.isFailReason)?.error
    if (error instanceof Failure && !Cause.hasDies(exit.cause)) return Effect.fail(error)
    return Effect.andThen(
      Effect.logError(`The member "${member}" broke while it listed its tools`, exit.cause),
      Effect.fail(failure("TOOL_FAILURE", "It broke while it listed its tools.")),
    )
  }))

// On a fiber of its own, which is not waited for when the time is over: a source that cannot be interrupted must not hold the
// assembly, nor must one in an assembly that cannot be.
const awaited = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.uninterruptible(
    Effect.flatMap(
      Effect.forkDetach(Effect.interruptible(effect)),
      (fiber) =>
        Effect.onInterrupt(
          Effect.interruptible(Fiber.await(fiber)),
          () => Effect.sync(() => fiber.interruptUnsafe()),
        ),
    ),
  )

const failure = (code: string, message: string): Failure => new Failure({ code, message, retryable: true })

const read = (member: string, { definitions, notes }: ToolSource.Listing): Effect.Effect<Listing> => {
  // Of two with one name the last counts.
  const named = new Map<string, ToolSource.Definition>()
  const odd: Array<string> = []
  for (const definition of definitions) {
    const { name } = definition
    if (typeof name !== "string" || name.length > MAX_NAME) odd.push(oneLine(String(name), 60))
    else named.set(name, cleaned(definition))
  }
  const listing = { definitions: named, notes: text(notes) }
  return odd.length === 0 ? Effect.succeed(listing) : Effect.as(
    Effect.logWarning(
      `The member "${member}" has tools whose names are no texts of at most ${MAX_NAME} characters. They are left out: ${
        odd.slice(0, 3).join(", ")
      }${odd.length > 3 ? ` and ${odd.length - 3} more` : ""}`,
    ),
    listing,
  )
}

// Listings come from strangers, whatever their types say: what is not what it should be is left out, here and once.
const cleaned = (
  { annotations, approval, description, input, name, output, title }: ToolSource.Definition,
): ToolSource.Definition => ({
  name,
  title: text(title),
  description: text(description),
  input: isRecord(input) ? input : { type: "object" },
  output: isRecord(output) ? output : undefined,
  annotations: {
    readOnly: flag(annotations?.readOnly),
    destructive: flag(annotations?.destructive),
    idempotent: flag(annotations?.idempotent),
    openWorld: flag(annotations?.openWorld),
  },
  approval: typeof approval === "function" || typeof approval === "boolean" ? approval : undefined,
})

const text = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

const flag = (value: unknown): boolean | undefined => typeof value === "boolean" ? value : undefined
