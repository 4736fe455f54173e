import { ToolSource } from "@effect-codemode/toolkit"
import { AiError, Tool } from "effect/ai"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { canary, hostError, ofTool, Read, type Secret, secret } from "./case.ts"

const broke = "TOOL_FAILURE"

const throws = (): never => {
  throw hostError()
}

class Declared extends Schema.TaggedError<Declared>()("Declared", {
  code: Schema.String,
  message: Schema.String,
}) {}

const Failing = (failure: Schema.Top, failureMode: "error" | "return" = "error") =>
  Tool.make("read", { parameters: Read.parametersSchema, success: Schema.String, failure, failureMode })

/** A schema that throws, as a defect, where it decodes or encodes. */
const broken = Schema.String.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform(throws),
    encode: SchemaGetter.transform(throws),
  }),
)

export const defects: ReadonlyArray<Secret> = [
  secret("a defect", "A handler dies of an error.", ofTool(() => Effect.die(hostError())), broke),
  secret("a defect that is a text", "A handler dies of a text.", ofTool(() => Effect.die(canary)), broke),
  secret(
    "a defect that is an object",
    "A handler dies of an object.",
    ofTool(() => Effect.die({ canary, message: canary, code: canary })),
    broke,
  ),
  secret(
    "a defect with a code",
    "A handler dies of what looks like a declared failure.",
    ofTool(() => Effect.die(new ToolSource.Failure({ code: canary, message: canary, retryable: true }))),
    broke,
  ),
  secret(
    "a defect that cannot be shown",
    "A handler dies of what throws when it is looked at.",
    ofTool(() =>
      Effect.die({
        get message() {
          return throws()
        },
        toString: throws,
        toJSON: throws,
      })
    ),
    broke,
    { logged: false },
  ),
  secret("a handler that throws", "A handler throws before it gives an effect.", ofTool(throws), broke),
  secret(
    "a handler that gives no effect",
    "A handler gives something else than an effect.",
    ofTool(() => ({ canary })),
    broke,
    { logged: false },
  ),
  secret(
    "a handler that gives a promise",
    "A handler is an async function, whose promise is rejected.",
    ofTool(() => {
      const rejected = Promise.reject(hostError())
      rejected.catch(() => {})
      return rejected
    }),
    broke,
    { logged: false },
  ),
  secret(
    "a rejected promise",
    "What a handler waits for is rejected.",
    ofTool(() => Effect.promise(() => Promise.reject(hostError()))),
    broke,
  ),
  secret(
    "a promise rejected with no error",
    "The same, with an object.",
    ofTool(() => Effect.promise(() => Promise.reject({ canary }))),
    broke,
  ),
  secret("a function that throws", "Code of a handler throws.", ofTool(() => Effect.sync(throws)), broke),
  secret(
    "a function that throws no error",
    "The same, with a text.",
    ofTool(() =>
      Effect.sync(() => {
        throw canary
      })
    ),
    broke,
  ),
  secret(
    "many errors",
    "A handler dies of several errors at once.",
    ofTool(() => Effect.die(new AggregateError([hostError(), hostError()], canary))),
    broke,
  ),
  secret(
    "a failure and a defect",
    "A handler fails as it declared, and dies of cleaning up.",
    ofTool(
      () =>
        Effect.failCause(
          Cause.combine(Cause.fail(new Declared({ code: "NO", message: "declared" })), Cause.die(hostError())),
        ),
      Failing(Declared),
    ),
    broke,
  ),
  secret(
    "a defect in a finalizer",
    "Releasing what a handler used dies.",
    ofTool(() =>
      Effect.scoped(Effect.andThen(Effect.addFinalizer(() => Effect.die(hostError())), Effect.succeed({ name: "Ada" })))
    ),
    broke,
  ),
]

export const failures: ReadonlyArray<Secret> = [
  secret(
    "an undeclared failure",
    "A handler fails with an error that its tool does not declare.",
    ofTool(() => Effect.fail(hostError())),
    broke,
  ),
  secret("an undeclared failure that is a text", "The same, with a text.", ofTool(() => Effect.fail(canary)), broke),
  secret(
    "an undeclared failure that is an object",
    "The same, with what looks like a declared failure.",
    ofTool(() => Effect.fail({ code: canary, message: canary, retryable: true })),
    broke,
  ),
  secret(
    "another failure than the declared one",
    "A handler fails with an error of a database, and its tool declares failures of its own.",
    ofTool(
      () => Effect.fail(hostError()),
      Failing(Declared),
    ),
    broke,
  ),
  secret(
    "another failure, told as a result",
    "The same, where failures are told as results.",
    ofTool(
      () => Effect.fail(hostError()),
      Failing(Declared, "return"),
    ),
    "INVALID_TOOL_OUTPUT",
    { logged: false },
  ),
  secret(
    "a declared failure with more than it declares",
    "A declared failure carries a cause, a stack and properties.",
    ofTool(
      () =>
        Effect.fail(
          Object.assign(new Declared({ code: "NO", message: "declared" }), {
            cause: hostError(),
            stack: hostError().stack,
            password: canary,
          }),
        ),
      Failing(Declared),
    ),
    "NO",
    { logged: false },
  ),
  secret(
    "a declared failure without a message",
    "A failure is told by its data, and has more data than its schema names.",
    ofTool(
      () => Effect.fail({ reason: "declared", password: canary }),
      Failing(Schema.Struct({ reason: Schema.String })),
    ),
    broke,
    { logged: false },
  ),
  secret(
    "a declared failure whose message cannot be read",
    "Reading a failure's message throws.",
    ofTool(
      () =>
        Effect.fail({
          reason: "declared",
          get message() {
            return throws()
          },
        }),
      Failing(Schema.Struct({ reason: Schema.String })),
    ),
    broke,
    { logged: false },
  ),
  secret(
    "a failure of a model that a tool uses",
    "A tool asks a model, and that call fails with the provider's own words.",
    ofTool(() =>
      Effect.fail(
        AiError.make({
          module: "Provider",
          method: "generate",
          reason: new AiError.UnknownError({ description: `key ${canary}` }),
        }),
      )
    ),
    broke,
  ),
  secret(
    "an interrupted call",
    "A handler interrupts itself.",
    ofTool(() => Effect.andThen(Effect.annotateCurrentSpan({ canary }), Effect.interrupt)),
    null,
    { logged: false },
  ),
]

const Encoding = (success: Schema.Top) => Tool.make("read", { parameters: Read.parametersSchema, success })

const invalid = "INVALID_TOOL_OUTPUT"

export const results: ReadonlyArray<Secret> = [
  secret(
    "a result that does not fit",
    "A result has another type than declared, and the complaint prints it.",
    ofTool(() => Effect.succeed({ name: { password: canary } })),
    invalid,
    { logged: false },
  ),
  secret(
    "a result with more than declared",
    "A row of a database has columns that the tool does not declare.",
    ofTool(() => Effect.succeed({ name: "Ada", password: canary, nested: { canary } })),
    null,
  ),
  secret(
    "a result of a class",
    "A result is an instance that carries a connection.",
    ofTool(() =>
      Effect.succeed(
        new (class Row {
          name = "Ada"
          #password = canary
          get password() {
            return this.#password
          }
          connection = { canary }
        })(),
      )
    ),
    null,
  ),
  secret(
    "a result with a getter that throws",
    "Reading a result throws.",
    ofTool(() =>
      Effect.succeed({
        get name() {
          return throws()
        },
      })
    ),
    "TOOL_FAILURE",
  ),
  secret(
    "a result whose encoding throws",
    "The schema of a result throws.",
    ofTool(() => Effect.succeed("x"), Encoding(broken)),
    "TOOL_FAILURE",
  ),
  secret(
    "a result that is no JSON",
    "A tool that declares anything gives a function with a secret.",
    ofTool(() => Effect.succeed(Object.assign(() => canary, { canary })), Encoding(Schema.Unknown)),
    invalid,
    { logged: false },
  ),
  secret(
    "an error for a result",
    "A tool that declares anything gives an error.",
    ofTool(() => Effect.succeed(hostError()), Encoding(Schema.Unknown)),
    invalid,
    { logged: false },
  ),
  secret(
    "a class for a result, named by a secret",
    "The complaint about a result names its class.",
    ofTool(() =>
      Effect.succeed({
        value: new ({
          [canary]: class {
            readonly value = 1
          },
        }[canary]!)(),
      }), Encoding(Schema.Unknown)),
    invalid,
    { logged: false },
  ),
  secret(
    "a preliminary result",
    "What a tool shows on its way is more than what it gives.",
    ofTool((_input, context) =>
      Effect.andThen(context.preliminary({ name: canary } as never), Effect.succeed({ name: "Ada" }))
    ),
    null,
  ),
]

const Taking = (parameters: Tool.Any["parametersSchema"]) =>
  Tool.make("read", { parameters: parameters as never, success: Schema.String })

export const inputs: ReadonlyArray<Secret> = [
  secret(
    "an input whose decoding throws",
    "The schema of an input throws.",
    ofTool(() => Effect.succeed("x"), Taking(Schema.Struct({ id: Schema.Number, key: Schema.optionalKey(broken) }))),
    broke,
    {
      code: "tools.read({ id: 1, key: 'x' })",
    },
  ),
  secret(
    "an input whose check throws",
    "A check of an input throws.",
    ofTool(() => Effect.succeed("x"), Taking(Schema.Struct({ id: Schema.Number.check(Schema.makeFilter(throws)) }))),
    broke,
  ),
  secret(
    "an input that is refused",
    "The complaint about an input tells the host's own types and files.",
    ofTool(() => Effect.succeed({ name: "Ada" })),
    "INVALID_TOOL_INPUT",
    {
      code: "tools.read({ id: 'x' })",
      logged: false,
    },
  ),
]

const allowed = () => Effect.succeed({ name: "Ada" })

export const policies: ReadonlyArray<Secret> = [
  secret(
    "an authorization that dies",
    "Who is asked about a call dies.",
    ofTool(allowed, Read, { authorize: () => Effect.die(hostError()) }),
    "ACCESS_DENIED",
  ),
  secret(
    "an authorization that throws",
    "Who is asked about a call throws.",
    ofTool(allowed, Read, { authorize: throws }),
    "ACCESS_DENIED",
  ),
  secret(
    "an authorization that gives no effect",
    "Who is asked about a call gives something else than an effect.",
    ofTool(allowed, Read, { authorize: () => ({ canary }) as never }),
    "ACCESS_DENIED",
    { logged: false },
  ),
  secret(
    "an authorization that fails otherwise",
    "Who is asked about a call fails with an error of its own.",
    ofTool(allowed, Read, { authorize: () => Effect.fail(hostError()) as never }),
    "ACCESS_DENIED",
  ),
  secret(
    "a hook at the start of a call",
    "A hook dies.",
    ofTool(allowed, Read, { onToolCallStart: () => Effect.die(hostError()) }),
    null,
    { logged: true },
  ),
  secret("a hook at the end of a call", "A hook throws.", ofTool(allowed, Read, { onToolCallEnd: throws }), null, {
    logged: true,
  }),
  secret(
    "a hook at the end of a run",
    "A hook dies.",
    ofTool(allowed, Read, { onRunEnd: () => Effect.die(hostError()) }),
    null,
    { logged: true },
  ),
]
