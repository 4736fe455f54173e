import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode, OpenApi } from "@effect-codemode/toolkit"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSecurity,
  OpenApi as Describe,
} from "effect/http-api"
import { echo, type Server } from "./openapi-fixtures.ts"

const canary = "canary-4f1d"
const runtime = InterpreterRuntime.make()

class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}, { httpApiStatus: 401 }) {}
class NoPet extends Schema.TaggedError<NoPet>()("NoPet", { id: Schema.Number }, { httpApiStatus: 404 }) {}

class Authorization extends HttpApiMiddleware.Service<Authorization>()("test/Authorization", {
  security: { key: HttpApiSecurity.apiKey({ key: "X-Pet-Key", in: "header" }) },
  error: Unauthorized,
}) {}

const Pet = Schema.Struct({ id: Schema.Number, name: Schema.String, tags: Schema.Array(Schema.String) })

const Api = HttpApi.make("pets").add(
  HttpApiGroup.make("pets").add(
    HttpApiEndpoint.get("list", "/", {
      query: { page: Schema.optional(Schema.FiniteFromString), tag: Schema.optional(Schema.String) },
      success: Schema.Array(Pet),
    }),
    HttpApiEndpoint.get("get", "/:id", { params: { id: Schema.FiniteFromString }, success: Pet, error: NoPet }),
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({ name: Schema.String, tags: Schema.Array(Schema.String) }),
      success: Pet,
    }),
    HttpApiEndpoint.delete("remove", "/:id", { params: { id: Schema.FiniteFromString } }),
  ).middleware(Authorization).prefix("/pets"),
)

/** The API, served in memory, and a source of tools from what it says of itself. */
const petShop = () => {
  const pets = Array.from(
    { length: 25 },
    (_, i) => ({ id: i + 1, name: `pet ${i + 1}`, tags: i % 2 === 0 ? ["even"] : [] }),
  )
  const handlers = HttpApiBuilder.group(Api, "pets", (handlers) =>
    handlers.handleAll({
      list: ({ query: { page = 1, tag } }) =>
        Effect.succeed(
          pets.filter(({ tags }) => tag === undefined || tags.includes(tag)).slice((page - 1) * 10, page * 10),
        ),
      get: ({ params }) => {
        const pet = pets.find(({ id }) => id === params.id)
        return pet === undefined ? Effect.fail(new NoPet({ id: params.id })) : Effect.succeed(pet)
      },
      create: ({ payload }) =>
        Effect.sync(() => {
          const pet = { id: pets.length + 1, name: payload.name, tags: [...payload.tags] }
          pets.push(pet)
          return pet
        }),
      remove: ({ params }) => Effect.sync(() => void pets.splice(pets.findIndex(({ id }) => id === params.id), 1)),
    }))
  const authorization = Layer.succeed(Authorization, {
    key: (effect, { credential }) => Redacted.value(credential) === canary ? effect : Effect.fail(new Unauthorized()),
  })
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide(handlers),
      Layer.provide(authorization),
      Layer.provide(HttpServer.layerServices),
    ),
    { disableLogger: true },
  )
  const client = FetchHttpClient.layer.pipe(
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => handler(new Request(input, init)))),
  )
  const source = OpenApi.source({
    document: Describe.fromApi(Api),
    baseUrl: "http://pets.example",
    auth: { key: Redacted.make(canary) },
  }).pipe(Effect.provide(client))
  return { source, dispose, pets }
}

const execute = (source: OpenApi.OpenApiSource, code: string) =>
  Effect.gen(function*() {
    const presented = yield* Assembly.toolkit({ shop: source }, Assembly.readOnly)
    const mode = yield* CodeMode.make(presented, runtime)
    return { mode, exit: yield* Effect.exit(mode.execute(code)) }
  })

describe("a program over an API that describes itself", () => {
  const shop = petShop()
  afterAll(() => shop.dispose())

  it("reads pages and single things, catches failures, and cannot write unasked", async () => {
    const source = await Effect.runPromise(shop.source)
    expect(source.skipped).toEqual([])
    const { exit, mode } = await Effect.runPromise(execute(
      source,
      `
      const pages = await Promise.all([1, 2, 3, 4].map((page) => tools.shop.pets.list({ page: String(page) })))
      const even = await tools.shop.pets.list({ tag: "even", page: "1" })
      const one = await tools.shop.pets.get({ id: String(pages[1][0].id) })
      const caught = []
      for (const attempt of [
        () => tools.shop.pets.get({ id: "99" }),
        () => tools.shop.pets.get({ id: "../x" }),
        () => tools.shop.pets.list({ pages: 1 }),
        () => tools.shop.pets.remove({ id: "1" }),
      ]) {
        try {
          caught.push(await attempt())
        } catch (error) {
          caught.push(error.code)
        }
      }
      return { sizes: pages.map((page) => page.length), even: even.length, name: one.name, caught }
    `,
    ))
    expect(exit).toMatchObject({
      value: {
        result: {
          sizes: [10, 10, 5, 0],
          even: 10,
          name: "pet 11",
          caught: ["TOOL_FAILURE", "INVALID_TOOL_INPUT", "INVALID_TOOL_INPUT", "APPROVAL_REQUIRED"],
        },
      },
    })
    expect(shop.pets).toHaveLength(25)
    expect(Object.keys(mode.sideTools).sort()).toEqual(["shop__pets__create", "shop__pets__remove"])
    expect(mode.instructions).toContain("tools.shop.pets.list(input?: {")
    expect(JSON.stringify(mode.texts)).not.toContain(canary)
  })

  it("writes where it is allowed to", async () => {
    const source = await Effect.runPromise(shop.source)
    const presented = Effect.flatMap(
      Assembly.toolkit({ shop: source }, Assembly.allowAll),
      (toolkit) => CodeMode.make(toolkit, runtime),
    )
    const outcome = await Effect.runPromise(Effect.flatMap(presented, ({ execute }) =>
      execute(`
        const { id } = await tools.shop.pets.create({ name: "new", tags: ["a"] })
        const removed = await tools.shop.pets.remove({ id: String(id) })
        return { id, removed }
      `)))
    expect(outcome.result).toEqual({ id: 26, removed: null })
    expect(shop.pets).toHaveLength(25)
  })
})

describe("a program that looks for a secret", () => {
  let server: Server
  beforeAll(async () => {
    server = await echo()
  })
  afterAll(() => server.close())

  it("finds it nowhere", async () => {
    const source = await Effect.runPromise(
      OpenApi.source({
        baseUrl: server.url,
        document: {
          openapi: "3.1.0",
          info: { title: "echo" },
          paths: {
            "/{id}": { get: { operationId: "echo", parameters: [{ name: "id", in: "path", required: true }] } },
          },
          components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
          security: [{ token: [] }],
        },
        auth: { token: Redacted.make(canary) },
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    )
    const { exit } = await Effect.runPromise(execute(
      source,
      `
      const found = [await tools.shop.echo({ id: "1" })]
      for (const input of [{ id: ".." }, { id: "1", Authorization: "x" }, {}, null]) {
        try {
          found.push(await tools.shop.echo(input))
        } catch (error) {
          found.push(error.message, error.stack, String(error), Object.entries(error))
        }
      }
      console.log(found, tools, tools.shop.echo, String(tools.shop.echo))
      found.push(Object.getOwnPropertyNames(tools.shop.echo), await tools.$codemode.search({ query: "echo" }))
      return found
    `,
    ))
    const told = Exit.isSuccess(exit) ? JSON.stringify(exit.value) : Cause.pretty(exit.cause)
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(told).toContain("Bearer [redacted]")
    expect(told).not.toContain(canary)
  })
})
