/**
 * A source of tools from the description of an HTTP API: OpenAPI 3.0 or 3.1. Each operation is a tool.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { ParentSpan } from "effect/Tracer"
import { count } from "./internal/count.ts"
import { fetchInitOf } from "./internal/fetch-init.ts"
import { isRecord, type JsonObject } from "./internal/json-schema.ts"
import { jsonSize } from "./internal/json-size.ts"
import type { Credential } from "./internal/openapi/credentials.ts"
import { obtain } from "./internal/openapi/credentials.ts"
import { broken, type Document, DocumentError, own, read } from "./internal/openapi/document.ts"
import { failure, type Redirects, send } from "./internal/openapi/exchange.ts"
import type { Described, Description, Operation } from "./internal/openapi/operation.ts"
import { readOperations } from "./internal/openapi/operation.ts"
import { receive } from "./internal/openapi/receive.ts"
import * as Request from "./internal/openapi/request.ts"
import { Security } from "./internal/openapi/security.ts"
import { Servers } from "./internal/openapi/server.ts"
import type { Nesting } from "./internal/openapi/style.ts"
import * as Checked from "./internal/options.ts"
import { inTurn } from "./internal/reading.ts"
import { Failure } from "./internal/tool-call.ts"
import type { ToolSource } from "./ToolSource.ts"

export {
  /**
   * A user and a password, for HTTP basic authentication.
   *
   * @since 0.1.0
   * @category models
   */
  type Basic,
  /**
   * How a security scheme is served.
   *
   * @since 0.1.0
   * @category models
   */
  type Credential,
  /**
   * What proves who asks.
   *
   * @since 0.1.0
   * @category models
   */
  type Secret,
  /**
   * What a secret is asked for.
   *
   * @since 0.1.0
   * @category models
   */
  type SecretUse,
} from "./internal/openapi/credentials.ts"

export {
  /**
   * Why a description could not be read.
   *
   * @since 0.1.0
   * @category errors
   */
  DocumentError,
} from "./internal/openapi/document.ts"

export type {
  /**
   * How redirects to another origin are taken.
   *
   * @since 0.1.0
   * @category models
   */
  Redirects,
} from "./internal/openapi/exchange.ts"

export type {
  /**
   * An operation as the document tells it.
   *
   * @since 0.1.0
   * @category models
   */
  Described as Operation,
  /**
   * A part of an operation that is left out of its tool.
   *
   * @since 0.1.0
   * @category models
   */
  Omitted,
  /**
   * An operation that is no tool.
   *
   * @since 0.1.0
   * @category models
   */
  Skipped,
} from "./internal/openapi/operation.ts"

export type {
  /**
   * How values nest in `deepObject`.
   *
   * @since 0.1.0
   * @category models
   */
  Nesting,
} from "./internal/openapi/style.ts"

/**
 * Which API, where it is, who asks, and within which limits. An option that makes no sense is a defect that names it, when the source is made.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<R = never> {
  /** The description, parsed: what `JSON.parse` or a YAML parser gave. */
  readonly document: unknown
  /** The name of the source: `github`. By default the title of the API, in small letters: `github_v3_rest_api`. */
  readonly name?: string | undefined
  /**
   * Stands in place of the first server of the document: `https://api.example.com/v1`. Needed where the document has none, or one that
   * is relative to where it was found. An operation with a server of its own is then skipped.
   */
  readonly baseUrl?: string | undefined
  /** Values for the variables of the server's address; those of the document by default. */
  readonly serverVariables?: Readonly<Record<string, string>> | undefined
  /** Which operations are tools. All by default. */
  readonly filter?: ((operation: Described) => boolean) | undefined
  /**
   * The credentials, by the names of the document's security schemes. Of the alternatives that an operation takes, the first whose
   * schemes are all here is used, and no credentials only where the operation can do without. An operation whose schemes are not here is
   * skipped. Without this option credentials are none of ours: all operations are tools, and the HTTP client may send what they need.
   */
  readonly auth?: Readonly<Record<string, Credential<R>>> | undefined
  /**
   * Security schemes that the document leaves out, as OpenAPI writes them: `{ token: { type: "http", scheme: "bearer" } }`. A parameter
   * that is where one of the schemes goes is left out of inputs: what a program could put there is a secret.
   */
  readonly securitySchemes?: Readonly<Record<string, JsonObject>> | undefined
  /** What operations need that do not say it themselves, in place of what the document says: `[{ token: [] }]`. */
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>> | undefined
  /** How long a call may take, from its credentials to the end of its answer. 30 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /**
   * How many bytes an answer may have, after decompression. 50 MiB by default. What is made of its JSON may take four times as many bytes
   * of memory.
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * How many characters of JSON an input may have, escapes not counted. 16,777,216 by default. A request is written at a stretch, and there
   * several times while it is sent.
   */
  readonly maxInputLength?: number | undefined
  /**
   * How redirects to another origin are taken. `"same-origin"`, the default, fails the call; `"follow"` asks the other origin without
   * credentials, without the headers of the input, and only by GET and HEAD. Redirects within the origin are followed.
   */
  readonly redirects?: Redirects | undefined
  /**
   * How lists and objects nest in parameters of the style `deepObject`, of which OpenAPI defines one level: `"indices"` writes
   * `filter[tags][0]=a`, `"brackets"` writes `filter[tags][]=a`. Without it, what would nest is left out or skipped.
   */
  readonly nesting?: Nesting | undefined
}

/**
 * The tools of an API, and what of it are none.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenApiSource extends ToolSource {
  /** The operations that cannot be represented exactly, and why. Those that the filter held back are not among them. */
  readonly skipped: Description["skipped"]
  /** What optional parts are left out of which tools, and why. */
  readonly omitted: Description["omitted"]
}

/**
 * Makes a source of tools of the description of an HTTP API. Contacts nothing: the description is read, no more.
 *
 * - **Names.** The operation's id, with its dots and slashes as namespaces: `issues/list` is `issues.list`. Without an id the method and
 *   the path, `get_users_by_id`; an id that several operations have is told apart by method and path for all of them.
 * - **Input.** One object: the parameters, and beside them the properties of a body that is a plain object. Names that stand for more
 *   than one of these have their location before them: `path_id`, `query_id`, `header_id`, `body_id`. Any other body is the field `body`:
 *   lists, texts, alternatives, objects with properties of any name, and an optional body that has required properties.
 * - **Result.** JSON as it is, text as a text, an empty answer as `null`. Files are attached (see `ToolSource.attach`) and the result
 *   is a note on them.
 * - **Failures.** An answer that is no success is `TOOL_FAILURE` with its status and the beginning of its body, 401 and 403 are
 *   `ACCESS_DENIED`, an answer or an input over its limit is `LIMIT_EXCEEDED`, and what should be JSON and is not is `INVALID_TOOL_OUTPUT`.
 * - **Secrets.** They go into requests and nowhere else: no error, log, span or redirect to another origin has them, and in answers that
 *   repeat them they are blanked, if they have four characters at least.
 *
 * The `HttpClient` has to leave redirects alone, as that of `FetchHttpClient` does when it is told so, which happens here.
 *
 * **Example** (The issues of GitHub, without the rest)
 *
 * ```ts
 * import { OpenApi } from "@effect-codemode/toolkit"
 * import { Config } from "effect"
 *
 * const github = (document: unknown) =>
 *   OpenApi.source({
 *     name: "github",
 *     document,
 *     filter: ({ tags }) => tags.includes("issues"),
 *     securitySchemes: { token: { type: "http", scheme: "bearer" } },
 *     security: [{ token: [] }],
 *     auth: { token: Config.Redacted("GITHUB_TOKEN") },
 *   })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const source = <R = never>(
  options: Options<R>,
): Effect.Effect<OpenApiSource, DocumentError, HttpClient.HttpClient | Exclude<R, Scope.Scope>> =>
  Effect.gen(function*() {
    const settings = yield* settingsOf(options as unknown as Options)
    const client = yield* HttpClient.HttpClient
    const init = fetchInitOf(client)
    // What the host's credentials need is taken here; the fiber of a call goes before it. The span around us is over by then.
    const services = Context.omit(ParentSpan)(yield* Effect.context<never>())
    const { description, maxInputLength, name, notes, security } = settings
    const byName = new Map(description.operations.map((operation) => [operation.described.name, operation]))
    const definitions = description.operations.map(({ definition }) => definition)
    const call = (operation: Operation, input: Parameters<ToolSource["call"]>[1]) =>
      Effect.gen(function*() {
        if (jsonSize(input, maxInputLength) > maxInputLength) return yield* tooLarge(operation, maxInputLength)
        const request = yield* attempt(() => Request.build(operation, security, input))
        const applied = yield* obtain(operation.needed, settings.credentials, operation.described)
        const response = yield* send(client, yield* init, operation, request, applied, settings.redirects)
        return yield* inTurn((read) => receive(operation, response, applied.secrets, settings.maxResponseBytes, read))
      }).pipe(
        // The end of the scope ends the request, if it has not ended.
        Effect.scoped,
        deadline(operation, settings.timeout),
        Effect.updateContext((fiber: Context.Context<never>) => Context.merge(services, fiber)),
      )
    return {
      name,
      list: Effect.succeed({ definitions, ...notes === undefined ? {} : { notes } }),
      call: (tool, input) => {
        const operation = byName.get(tool)
        return operation === undefined
          ? Effect.suspend(() =>
            new Failure({ code: "UNKNOWN_TOOL", message: `There is no tool "${tool}" in ${name}.`, retryable: true })
          )
          : call(operation, input)
      },
      skipped: description.skipped,
      omitted: description.omitted,
    }
  })

const tooLarge = (operation: Operation, most: number): Failure =>
  failure(
    operation,
    `was given an input of more than ${count(most)} characters. Send less`,
    true,
    "LIMIT_EXCEEDED",
  )

const deadline = (operation: Operation, timeout: Duration.Duration) => <A, R>(call: Effect.Effect<A, Failure, R>) =>
  Duration.isFinite(timeout)
    ? Effect.timeoutOrElse(call, {
      duration: timeout,
      orElse: () => Effect.fail(failure(operation, `took longer than ${Duration.format(timeout)}`, true)),
    })
    : call

interface Settings {
  readonly name: string
  readonly notes: string | undefined
  readonly description: Description
  readonly security: Security
  readonly credentials: ReadonlyMap<string, Credential>
  readonly timeout: Duration.Duration
  readonly maxResponseBytes: number
  readonly maxInputLength: number
  readonly redirects: Redirects
}

const isCredential = (value: unknown): boolean =>
  value === "client" || Redacted.isRedacted(value) || Effect.isEffect(value) || typeof value === "function" ||
  isRecord(value) && typeof value.username === "string" && Redacted.isRedacted(value.password)

const rules: Checked.Rules<Options> = {
  // Whatever it is, what is wrong with it is told by the place.
  document: { is: () => true, what: "a parsed document" },
  name: Checked.text,
  baseUrl: Checked.text,
  serverVariables: Checked.record,
  filter: { is: (value) => typeof value === "function", what: "a function that gives true or false" },
  auth: Checked.secret({
    is: (value) => isRecord(value) && Object.values(value).every(isCredential),
    what:
      "an object of credentials by the names of security schemes: each `Redacted`, as `Redacted.make(\"...\")`, a user with a " +
      "`Redacted` password, an effect or a function that gives one of these, or \"client\"",
  }),
  securitySchemes: Checked.record,
  security: { is: Array.isArray, what: "an array of security requirements" },
  timeout: Checked.duration,
  maxResponseBytes: Checked.countOrInfinity,
  maxInputLength: Checked.countOrInfinity,
  redirects: Checked.oneOf("same-origin", "follow"),
  nesting: Checked.oneOf("indices", "brackets"),
}

const settingsOf = (options: Options): Effect.Effect<Settings, DocumentError> =>
  Effect.flatMap(Checked.check(options, rules), () => {
    try {
      const document = read(options.document)
      const security = securityOf(document, options)
      const description = readOperations({
        document,
        security,
        servers: new Servers(document.root, {
          baseUrl: options.baseUrl,
          variables: options.serverVariables ?? {},
        }),
        nesting: options.nesting,
        filter: options.filter ?? (() => true),
      })
      return Effect.succeed({
        ...titled(document, options.name),
        description,
        security,
        credentials: new Map(Object.entries(options.auth ?? {})),
        timeout: Duration.fromInputUnsafe(options.timeout ?? "30 seconds"),
        maxResponseBytes: options.maxResponseBytes ?? 50 * 1024 * 1024,
        maxInputLength: options.maxInputLength ?? 16 * 1024 * 1024,
        redirects: options.redirects ?? "same-origin",
      })
    } catch (error) {
      return error instanceof DocumentError ? Effect.fail(error) : Effect.die(error)
    }
  })

const securityOf = (document: Document, options: Options): Security => {
  const components = own(document.root, "components")
  const schemes = isRecord(components) ? own(components, "securitySchemes") : undefined
  const served = options.auth === undefined ? undefined : new Map(
    Object.entries(options.auth).map(([name, credential]) =>
      [name, credential === "client" ? "client" : "secret"] as const
    ),
  )
  const security = new Security(
    document,
    served,
    { ...isRecord(schemes) ? schemes : {}, ...options.securitySchemes },
    options.security ?? own(document.root, "security"),
  )
  const [unknown] = security.unknown
  if (unknown !== undefined) {
    throw broken(
      "#/components/securitySchemes",
      `The option \`auth\` has "${unknown}", and there is no security scheme of that name.${
        security.known.length === 0
          ? " The document has none: say what it is in `securitySchemes`, and in `security` that it is needed."
          : ` There are: ${security.known.join(", ")}.`
      }`,
    )
  }
  return security
}

const titled = ({ root }: Document, name: string | undefined): Pick<Settings, "name" | "notes"> => {
  const info = own(root, "info")
  const told = (key: string): string | undefined => {
    const value = isRecord(info) ? own(info, key) : undefined
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
  }
  const slug = (told("title") ?? "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/gu, "")
  return { name: name ?? (slug === "" ? "api" : slug), notes: told("summary") ?? told("description") ?? told("title") }
}

const attempt = <A>(build: () => A): Effect.Effect<A, Failure> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(build())
    } catch (error) {
      return error instanceof Failure ? Effect.fail(error) : Effect.die(error)
    }
  })
