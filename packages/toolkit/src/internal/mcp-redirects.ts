/**
 * Redirects of a server over HTTP. `fetch` would follow them anywhere, with every header but a few that it knows; here a request goes
 * to another path of the server, as it is, or nowhere.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { fetchInitOf } from "./fetch-init.ts"
import { URL } from "./web.ts"

const most = 5

type Answer = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError>

/** A client that follows redirects within the origin of the request. Others are its answers. */
export const within = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  const init = fetchInitOf(client)
  const follow = (answer: Answer, request: HttpClientRequest.HttpClientRequest, count: number): Answer =>
    Effect.flatMap(answer, (response) => {
      const next = count < most ? redirected(request, response) : undefined
      return next === undefined ? Effect.succeed(response) : follow(send(client, next), next, count + 1)
    })
  return HttpClient.transform(
    client,
    (answer, request) =>
      Effect.flatMap(init, (init) =>
        Effect.provideService(follow(answer, request, 0), FetchHttpClient.RequestInit, {
          ...init,
          redirect: "manual",
        })),
  )
}

// Who asked with a scope has each request ended with it.
const send = (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest): Answer =>
  Effect.flatMap(Effect.serviceOption(Scope.Scope), (scope) =>
    Option.isNone(scope)
      ? client.execute(request)
      : Scope.provide(HttpClient.withScope(client).execute(request), scope.value))

// Other redirects make a request without what was asked of one that asks something.
// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
const redirected = (
  request: HttpClientRequest.HttpClientRequest,
  { headers: { location }, status }: HttpClientResponse.HttpClientResponse,
): HttpClientRequest.HttpClientRequest | undefined => {
  if (status !== 307 && status !== 308 || location === undefined || !URL.canParse(location, request.url)) {
    return undefined
  }
  const to = new URL(location, request.url)
  if (to.origin !== new URL(request.url).origin) return undefined
  to.hash = ""
  return HttpClientRequest.makeWith(
    request.method,
    to.href,
    UrlParams.empty,
    Option.none(),
    request.headers,
    request.body,
  )
}
