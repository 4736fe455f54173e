// An HTTP API as any other, defined and served by effect/http-api. Nothing here knows of code mode.
import { serve } from "@hono/node-server"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSecurity,
  OpenApi,
} from "effect/http-api"
import type { AddressInfo } from "node:net"

class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}, { httpApiStatus: 401 }) {}
class NoSuchIssue
  extends Schema.TaggedError<NoSuchIssue>()("NoSuchIssue", { id: Schema.Int }, { httpApiStatus: 404 })
{}

class Authorization extends HttpApiMiddleware.Service<Authorization>()("examples/openapi/Authorization", {
  security: { token: HttpApiSecurity.bearer },
  error: Unauthorized,
}) {}

const Issue = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  open: Schema.Boolean,
  comments: Schema.Int,
})
const Id = { id: Schema.FiniteFromString }

const Tracker = HttpApi.make("tracker").add(
  HttpApiGroup.make("issues").add(
    HttpApiEndpoint.get("list", "/", {
      query: { page: Schema.optional(Schema.FiniteFromString) },
      success: Schema.Array(Issue),
    }).annotate(OpenApi.Summary, "Lists issues, 20 on a page"),
    HttpApiEndpoint.get("get", "/:id", { params: Id, success: Issue, error: NoSuchIssue })
      .annotate(OpenApi.Summary, "Reads one issue"),
    HttpApiEndpoint.post("close", "/:id/close", {
      params: Id,
      payload: Schema.Struct({ reason: Schema.String }),
      success: Issue,
      error: NoSuchIssue,
    }).annotate(OpenApi.Summary, "Closes an issue"),
  ).middleware(Authorization).prefix("/issues"),
).annotate(OpenApi.Title, "Tracker").annotate(OpenApi.Description, "The issues of a small project")

const issues = Array.from({ length: 95 }, (_, i): typeof Issue.Type => ({
  id: i + 1,
  title: `${["Crash", "Typo", "Slow start", "Question"][i % 4]} in version ${1 + Math.floor(i / 30)}`,
  open: i % 3 !== 0,
  comments: (i * 7) % 5,
}))

const find = (id: number) => {
  const index = issues.findIndex((issue) => issue.id === id)
  return index === -1 ? Effect.fail(new NoSuchIssue({ id })) : Effect.succeed(index)
}

const handlers = HttpApiBuilder.group(Tracker, "issues", (handlers) =>
  handlers.handleAll({
    list: ({ query: { page = 1 } }) => Effect.succeed(issues.slice((page - 1) * 20, page * 20)),
    get: ({ params }) => Effect.map(find(params.id), (index) => issues[index]!),
    close: ({ params }) => Effect.map(find(params.id), (index) => issues[index] = { ...issues[index]!, open: false }),
  }))

const authorization = (token: string) =>
  Layer.succeed(Authorization, {
    token: (effect, { credential }) => Redacted.value(credential) === token ? effect : Effect.fail(new Unauthorized()),
  })

/** Serves the API on a free port of this machine as long as the scope is open, and gives its address. */
export const serveTracker = (token: string) =>
  Effect.gen(function*() {
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        HttpRouter.toWebHandler(
          HttpApiBuilder.layer(Tracker, { openapiPath: "/openapi.json" }).pipe(
            Layer.provide(handlers),
            Layer.provide(authorization(token)),
            Layer.provide(HttpServer.layerServices),
          ),
          { disableLogger: true },
        )
      ),
      ({ dispose }) => Effect.promise(dispose),
    )
    // Any server that takes a web handler does; `NodeHttpServer` of @effect/platform-node is one of Effect's own.
    return yield* Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
        const server = serve(
          { fetch: (request) => handler(request), hostname: "127.0.0.1", port: 0 },
          ({ port }: AddressInfo) =>
            resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() })),
        )
      }),
      ({ close }) => Effect.sync(close),
    )
  })
