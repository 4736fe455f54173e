/**
 * Tools of servers of the Model Context Protocol, over `effect/ai/McpClient`: of a process that is started, of a server that is
 * reached over HTTP, of a client that the host makes.
 *
 * A server is started or reached when it is first needed, and again after it has died. What goes wrong with it fails the call that
 * needs it, and nothing else.
 *
 * @since 0.1.0
 */
import type * as McpClient from "effect/ai/McpClient"
import { isMcpClientError, type McpClientError } from "effect/ai/McpClientError"
import type * as McpProtocol from "effect/ai/McpProtocol"
import type * as McpSchema from "effect/ai/McpSchema"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as JsonSchema from "effect/JsonSchema"
import * as ChildProcess from "effect/process/ChildProcess"
import type * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Connection from "./internal/mcp-connection.ts"
import * as Failure from "./internal/mcp-failure.ts"
import * as Link from "./internal/mcp-link.ts"
import * as Result from "./internal/mcp-result.ts"
import * as Secrets from "./internal/mcp-secrets.ts"
import * as Settings from "./internal/mcp-settings.ts"
import * as ToolSource from "./ToolSource.ts"

/**
 * What a server is allowed to cost. Every option has a default that is right for most servers. One that makes no sense is a defect that
 * names it, when the source is made; a value that may be secret is not told.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Who the source is, for people, for logs and in errors: `github`. */
  readonly name: string
  /** How long connecting may take, the start of a process included. 30 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** How long reading the whole list of tools may take. 30 seconds by default. */
  readonly listTimeout?: Duration.Input | undefined
  /** How long one call may take. One minute by default. A run has a deadline of its own. */
  readonly callTimeout?: Duration.Input | undefined
  /**
   * How long a server that could not be connected to, or that died again, is left alone: `first` after the first time, twice as long
   * after each further time, never longer than `most`. Calls that need it meanwhile fail at once. A server that lived longer than
   * `most` is not held to its past. One second and 30 seconds by default.
   */
  readonly backoff?:
    | { readonly first?: Duration.Input | undefined; readonly most?: Duration.Input | undefined }
    | undefined
  /** How many characters of text or of JSON a result may have. 4,194,304 by default. */
  readonly maxTextLength?: number | undefined
  /** How many bytes an image, a sound or another blob in a result may have. 10,485,760 by default. */
  readonly maxAttachmentBytes?: number | undefined
  /**
   * How many bytes one message of the server may have, the base64 of its media included. 16,777,216 by default. What is made of it may take
   * four times as many bytes of memory. The list of its tools may have as many characters, all pages together. Where the host makes the
   * client, its messages are up to the client, and this bounds the list of tools alone.
   */
  readonly maxMessageBytes?: number | undefined
}

/**
 * What every way of connecting has in common.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConnectOptions extends Options {
  /** The revision of the protocol to speak, and no other. By default the one that the server names. */
  readonly protocol?: McpProtocol.ProtocolAdapter<McpClient.ProtocolVersion> | undefined
}

/**
 * A server that is a process, and speaks over its standard input and output.
 *
 * Nothing that it is given here is told in an error, a log or a span. What may be secret is also taken out of what the server itself says:
 * out of its results, the names and descriptions of its tools, its notes. That is
 *
 * - every `Redacted` value, of four characters at least
 * - every value of `env` whose name says that it is secret (`GITHUB_TOKEN`), of four characters at least
 * - every other value of `env` of eight characters at least that is not clearly ordinary: a path, an address without credentials, the name
 *   of a host, a number, a version, a region, a language, a word such as `production`; unless `publicEnv` has its name
 * - of values in several parts, each part to which that applies: the credentials and the query of an address, `name=value`, JSON
 * - of `args`, what follows a name that says that it is secret (`--api-key=…`), and the credentials of an address
 *
 * @since 0.1.0
 * @category models
 */
export interface StdioOptions extends ConnectOptions {
  /** The program to start: `npx`, `/usr/bin/node`. */
  readonly command: string
  /** What the program is started with. None by default. */
  readonly args?: ReadonlyArray<string | Redacted.Redacted<string>> | undefined
  /**
   * Its environment, beside what every process needs (`PATH`, `HOME` and the like, as the host has them). What else the host has in
   * its environment, the server does not get.
   */
  readonly env?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /** The names of variables in `env` whose values are no secrets, so that they stay in what the server says. */
  readonly publicEnv?: ReadonlyArray<string> | undefined
  /** Its working directory. The host's by default. */
  readonly cwd?: string | undefined
  /** Where its standard error goes: nowhere, the default, or to the host's, to find out why a server does not start. */
  readonly stderr?: "ignore" | "inherit" | undefined
}

/**
 * A server that is reached over streamable HTTP. What it is given is kept secret as for a process.
 *
 * @since 0.1.0
 * @category models
 */
export interface HttpOptions extends ConnectOptions {
  /** Its address: a text, or a `URL`. */
  readonly url: string | { readonly href: string }
  /** What every request has beside the headers of the protocol, such as `authorization`. None by default. */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
}

/**
 * A server that the host connects to by itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceOptions<E = never, R = never> extends Options {
  /** Makes a client in a scope. It is run when a connection is needed, and again after one has died. */
  readonly connect: Effect.Effect<McpClient.McpClient, E, R>
  /** What the server was given and nobody is to read: it is taken out of errors, of results and of what the server says of itself. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted<string>> | undefined
}

/**
 * The tools of a server that a process is. The process is started when it is first needed and ended with the scope.
 *
 * Its tools are read once, and again when the server says that they changed; a server that does not say so is asked each time.
 *
 * **Example** (The files of a folder)
 *
 * ```ts
 * import { Mcp } from "@effect-codemode/toolkit"
 *
 * const files = Mcp.stdio({
 *   name: "files",
 *   command: "npx",
 *   args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const stdio = (
  options: StdioOptions,
): Effect.Effect<ToolSource.ToolSource, never, ChildProcessSpawner.ChildProcessSpawner | Scope.Scope> =>
  Effect.gen(function*() {
    const settings = yield* Settings.resolve(options, Settings.ofProcess)
    const env: Record<string, Redacted.Redacted<string>> = {}
    for (const [name, value] of Object.entries({ ...Settings.inherited(), ...options.env })) {
      env[name] = Redacted.isRedacted(value) ? value : Redacted.make(value)
    }
    const command = ChildProcess.make(options.command, options.args ?? [], {
      env,
      extendEnv: false,
      stderr: options.stderr ?? "ignore",
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    return yield* make(settings, Link.stdio(command, settings), Secrets.make(options))
  })

/**
 * The tools of a server that is reached over streamable HTTP. It is reached when it is first needed; its session ends with the scope.
 *
 * Its tools are read each time they are asked for, because the client does not hear over HTTP that they changed.
 *
 * Redirects are followed where they lead to another path of the same origin and leave the request as it is (307, 308). Others fail the call:
 * nothing that was meant for the server goes elsewhere.
 *
 * **Example** (A server with a token)
 *
 * ```ts
 * import { Mcp } from "@effect-codemode/toolkit"
 * import { Redacted } from "effect"
 *
 * const issues = (token: Redacted.Redacted<string>) =>
 *   Mcp.http({
 *     name: "issues",
 *     url: "https://example.com/mcp",
 *     headers: { authorization: Redacted.make(`Bearer ${Redacted.value(token)}`) }
 *   })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const http = (
  options: HttpOptions,
): Effect.Effect<ToolSource.ToolSource, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const settings = yield* Settings.resolve(options, Settings.ofHttp)
    const url = typeof options.url === "string" ? options.url : options.url.href
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = Secrets.reveal(value)
    const scrub = Secrets.make({ headers: options.headers, url })
    return yield* make(settings, Link.http(url, headers, settings), scrub)
  })

/**
 * The tools of a server that the host connects to by itself. `connect` makes a client in a scope, such as `McpClient.make` over a
 * transport; it is run when a connection is needed, and again after one has died. What `connect` fails with is logged, and told to no
 * program; of an error of `McpClient`, only what is known to hold no secret is told.
 *
 * Its tools are read each time they are asked for. What one message may take, and that a server is gone, is up to the client: it has read and
 * decoded a message before it is seen here. The list of tools, results and times are bounded as with `stdio` and `http`.
 *
 * **Example** (A client over a transport)
 *
 * ```ts
 * import { Mcp } from "@effect-codemode/toolkit"
 * import { Effect } from "effect"
 * import { McpClient, McpProtocol } from "effect/ai"
 *
 * const issues = Mcp.source({
 *   name: "issues",
 *   connect: McpClient.make({ name: "my-host", version: "1.0.0" }).pipe(
 *     Effect.provideServiceEffect(
 *       McpClient.Transport,
 *       McpClient.http({ url: "https://example.com/mcp", protocol: McpProtocol.v2025_11_25 })
 *     )
 *   )
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const source = <E, R>(
  options: SourceOptions<E, R>,
): Effect.Effect<ToolSource.ToolSource, never, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.flatMap(Settings.resolve(options, Settings.ofClient), (settings) => {
    const connect = Effect.tapError(options.connect, (error) =>
      isMcpClientError(error)
        ? Effect.void
        : Effect.logWarning(`The MCP server "${settings.name}" could not be connected to`, Cause.fail(error)))
    return make(
      settings,
      Link.inTime(
        Effect.map(connect, (client) => Link.plain(client, settings.maxMessageBytes)),
        settings.connectTimeout,
      ),
      Secrets.make({ args: options.secrets }),
    )
  })

const make = <E, R>(
  settings: Settings.Settings,
  open: Effect.Effect<Link.Link, E, R>,
  scrub: Secrets.Scrub,
): Effect.Effect<ToolSource.ToolSource, never, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.gen(function*() {
    const { backoff, listTimeout, name } = settings
    const connection = yield* Connection.make({
      name,
      open,
      probeTimeout: Duration.min(listTimeout, Duration.seconds(5)),
      backoff,
      describe: Failure.describe(scrub),
    })

    let known: ReadonlyMap<string, McpSchema.Tool> = new Map()
    let last: { readonly link: Link.Link; readonly changes: number; readonly listing: ToolSource.Listing } | undefined

    const read = (link: Link.Link) =>
      Effect.suspend(() => {
        const changes = link.changes()
        return Effect.map(link.client.listTools({ timeout: settings.listTimeout }), (tools) => {
          known = new Map(tools.map((tool) => [scrub.text(tool.name), tool]))
          const listing: ToolSource.Listing = {
            definitions: tools.map((tool) => definition(tool, scrub)),
            notes: notes(link.client.instructions, scrub),
          }
          last = changes === undefined ? undefined : { link, changes, listing }
          return listing
        })
      })

    // What is known of a tool from an earlier connection serves as well: a server that has it no more says so.
    const find = (link: Link.Link, tool: string) =>
      Effect.suspend((): Effect.Effect<McpSchema.Tool, McpClientError | ToolSource.Failure> => {
        const found = known.get(tool)
        if (found !== undefined) return Effect.succeed(found)
        return Effect.flatMap(read(link), () => {
          const found = known.get(tool)
          return found === undefined ? Effect.fail(unknownTool(name, tool)) : Effect.succeed(found)
        })
      })

    const listFailure = Failure.make(`The MCP server "${name}"`, settings.listTimeout, scrub)
    const callFailure = (tool: string) => {
      const failure = Failure.make(`The tool "${tool}"`, settings.callTimeout, scrub)
      return (error: McpClientError, link: Link.Link) => (Failure.isOfList(error) ? listFailure : failure)(error, link)
    }

    return {
      name,
      list: connection.use(
        (link) =>
          last !== undefined && last.link === link && last.changes === link.changes()
            ? Effect.succeed(last.listing)
            : read(link),
        listFailure,
      ),
      call: (tool, input) =>
        Effect.flatMap(
          connection.use(
            (link) =>
              Effect.flatMap(
                find(link, tool),
                (found) => link.client.callTool({ tool: found, arguments: input }, { timeout: settings.callTimeout }),
              ),
            callFailure(tool),
          ),
          (result) => Result.shape(result, tool, settings, scrub),
        ),
    }
  })

const unknownTool = (name: string, tool: string): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "UNKNOWN_TOOL",
    message: `The MCP server "${name}" has no tool "${tool}".`,
    retryable: true,
  })

const definition = (tool: McpSchema.Tool, scrub: Secrets.Scrub): ToolSource.Definition => {
  const { annotations } = tool
  const title = tool.title ?? annotations?.title
  return {
    name: scrub.text(tool.name),
    title: title === undefined ? undefined : scrub.text(title),
    description: tool.description === undefined ? undefined : scrub.text(tool.description),
    input: scrub.json(tool.inputSchema as Schema.Json) as JsonSchema.JsonSchema,
    output: tool.outputSchema === undefined
      ? undefined
      : scrub.json(tool.outputSchema as Schema.Json) as JsonSchema.JsonSchema,
    annotations: annotations === undefined ? {} : {
      readOnly: annotations.readOnlyHint,
      destructive: annotations.destructiveHint,
      idempotent: annotations.idempotentHint,
      openWorld: annotations.openWorldHint,
    },
  }
}

const notes = (instructions: string | undefined, scrub: Secrets.Scrub): string | undefined =>
  instructions === undefined || instructions.trim() === "" ? undefined : scrub.text(instructions.trim())
