import { Assembly, CodeMode, Mcp, OpenApi, ToolSource } from "@effect-codemode/toolkit"
import { stub } from "@effect-codemode/toolkit/testing"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { FetchHttpClient } from "effect/http"
import { ChildProcessSpawner } from "effect/process"

const Shop = Toolkit.make(Tool.make("ping", { success: Schema.String }))
const ShopLive = Shop.toLayer({ ping: () => Effect.succeed("pong") })
const runtime = stub(() => Effect.succeed(1))

// What a host without types may write.
const untyped = (value: unknown): never => value as never

/** What an effect dies of, or that it does not. */
const death = (effect: Effect.Effect<unknown, unknown>): Effect.Effect<string> =>
  Effect.map(
    Effect.exit(effect),
    (exit) => Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? (Cause.squash(exit.cause) as Error).message : "lives",
  )

const make = (options: unknown) =>
  Effect.provide(Effect.flatMap(Shop, (shop) => CodeMode.make(shop, runtime, untyped(options))), ShopLive)

const spawner = ChildProcessSpawner.make(() => Effect.die("nothing is started here"))
const process = (options: unknown) =>
  Effect.scoped(
    Effect.provideService(Mcp.stdio(untyped(options)), ChildProcessSpawner.ChildProcessSpawner, spawner),
  )
const http = (options: unknown) => Effect.scoped(Effect.provide(Mcp.http(untyped(options)), FetchHttpClient.layer))
const client = (options: unknown) => Effect.scoped(Mcp.source<never, never>(untyped(options)))
const assembled = (options: unknown) => Assembly.toolkit({}, Assembly.allowAll, untyped(options))

const document = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://x.test" }],
  paths: {},
}
const api = (options: object) =>
  Effect.provide(OpenApi.source(untyped({ document, ...options })), FetchHttpClient.layer)

const cases: ReadonlyArray<readonly [name: string, made: Effect.Effect<unknown, unknown>, message: string]> = [
  ["an option that is none", make({ timout: 1 }), "There is no option `timout`. There are: timeout, maxResultLength,"],
  ["options that are none", make(5), "The options are no object: 5"],
  ["a time that is none", make({ timeout: "ten" }), "The option `timeout` is not a positive duration: ten"],
  ["no time", make({ timeout: null }), "The option `timeout` is not a positive duration: null"],
  [
    "a hook that is none",
    make({ onRunEnd: "log" }),
    "The option `onRunEnd` is not a function that gives an effect: log",
  ],

  ["a process without a name", process({ command: "node" }), "The option `name` is missing: a text"],
  ["a process without a command", process({ name: "files" }), "The option `command` is missing: a text"],
  ["a process with an option of another", process({ name: "files", command: "node", url: "x" }), "no option `url`"],
  [
    "arguments that are one text",
    process({ name: "files", command: "node", args: "--token=hunter2" }),
    "The option `args` is not an array of texts, each as it is or `Redacted`",
  ],
  [
    "a variable that is no text",
    process({ name: "files", command: "node", env: { PORT: 8080 } }),
    "The option `env` is not an object of texts, each as it is or `Redacted`",
  ],
  [
    "a back-off that is one duration",
    process({ name: "files", command: "node", backoff: "1 second" }),
    "The option `backoff` is not an object with the positive durations `first` and `most`: 1 second",
  ],
  [
    "an output that goes nowhere known",
    process({ name: "files", command: "node", stderr: "pipe" }),
    "The option `stderr` is not \"ignore\" or \"inherit\": pipe",
  ],
  ["no address", http({ name: "issues" }), "The option `url` is missing: an address"],
  ["an address that is none", http({ name: "issues", url: { href: 5 } }), "The option `url` is not an address"],
  [
    "a header that is not there",
    http({ name: "issues", url: "https://x.test", headers: { authorization: undefined } }),
    "The option `headers` is not an object of texts",
  ],
  ["no client", client({ name: "own" }), "The option `connect` is missing: an effect that gives a client"],
  [
    "a client with a revision",
    client({ name: "own", connect: Effect.never, protocol: {} }),
    "There is no option `protocol`.",
  ],
  ["a client that is no effect", client({ name: "own", connect: () => 1 }), "The option `connect` is not an effect"],

  [
    "an option of an assembly that is none",
    assembled({ stric: true }),
    "There is no option `stric`. There are: timeout, strict.",
  ],
  ["an assembly in no time", assembled({ timeout: -1 }), "The option `timeout` is not a positive duration: -1"],
  ["no policy", Assembly.toolkit({}, untyped(undefined)), "There is no policy. Give one, such as `Assembly.readOnly`."],
  ["no members", Assembly.toolkit(untyped(undefined), Assembly.allowAll), "The members are no plain record."],
  [
    "a member that is yet to be made",
    Assembly.toolkit({ issues: untyped(http({ name: "issues", url: "https://x.test" })) }, Assembly.allowAll),
    "The member \"issues\" is no source of tools. It is an effect that makes one: give what it gives, as `yield*` does.",
  ],

  [
    "an option of an API that is none",
    api({ url: "https://x.test" }),
    "There is no option `url`. There are: document,",
  ],
  [
    "redirects that are none",
    api({ redirects: "none" }),
    "The option `redirects` is not \"same-origin\" or \"follow\": none",
  ],
  ["nesting that is none", api({ nesting: "dots" }), "The option `nesting` is not \"indices\" or \"brackets\": dots"],
  [
    "a filter that is none",
    api({ filter: "issues" }),
    "The option `filter` is not a function that gives true or false: issues",
  ],
  [
    "an amount that is none",
    api({ maxResponseBytes: "1MB" }),
    "The option `maxResponseBytes` is not a positive whole number",
  ],

  [
    "a toolkit without handlers",
    CodeMode.make<{}>(untyped(Shop), runtime),
    "The toolkit has no handlers. Give what `yield* toolkit` gives where the layer of its handlers is provided.",
  ],
  [
    "a source of a toolkit without handlers",
    ToolSource.fromToolkit<{}>("shop", untyped(Shop)),
    "The toolkit has no handlers.",
  ],
  [
    "a runtime that is none",
    Effect.provide(Effect.flatMap(Shop, (shop) => CodeMode.toolkit(shop, untyped(undefined))), ShopLive),
    "The runtime is none: it has no function `run`.",
  ],
]

it.effect.each(cases)("%s is refused, and named", ([, made, message]) =>
  Effect.gen(function*() {
    expect(yield* death(made)).toContain(message)
  }))

it.effect("a credential that is no secret is refused, and not told", () =>
  Effect.gen(function*() {
    const message = yield* death(api({ auth: { token: "hunter2-hunter2" } }))
    expect(message).toContain("The option `auth` is not an object of credentials")
    expect(message).not.toContain("hunter2")
    const basic = { username: "ada", password: "hunter2-hunter2" }
    expect(yield* death(api({ auth: { token: basic } }))).not.toContain("hunter2")
  }))

it.effect("a value that may be secret is not told", () =>
  Effect.gen(function*() {
    for (
      const made of [
        process({ name: "files", command: "node", args: "--token=hunter2" }),
        process({ name: "files", command: "node", env: "TOKEN=hunter2" }),
        http({ name: "issues", url: "hunter2" }),
        http({ name: "issues", url: "https://x.test", headers: "authorization: hunter2" }),
        client({ name: "own", connect: Effect.die("not run"), secrets: "hunter2" }),
      ]
    ) {
      const message = yield* death(made)
      expect(message).toContain("The option `")
      expect(message).not.toContain("hunter2")
    }
  }))

it.effect("an option that is `undefined` is one that is not given", () =>
  Effect.gen(function*() {
    const none: CodeMode.Options = {
      timeout: undefined,
      maxResultLength: undefined,
      oversize: undefined,
      name: undefined,
      authorize: undefined,
      onRunEnd: undefined,
    }
    expect(yield* death(make(none))).toBe("lives")
    expect(yield* death(assembled({ timeout: undefined }))).toBe("lives")
    expect(yield* death(api({ auth: undefined, filter: undefined, timeout: undefined }))).toBe("lives")
    expect(yield* death(http({ name: "issues", url: new URL("https://x.test"), headers: { a: Redacted.make("b") } })))
      .toBe(
        "lives",
      )
  }))
