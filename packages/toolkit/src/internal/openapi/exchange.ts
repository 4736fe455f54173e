/**
 * Sends a request and receives the answer. What the credentials are stays between here and the HTTP client.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Tracer from "effect/Tracer"
import type { FetchInit } from "../fetch-init.ts"
import type { Secrets } from "../secrets.ts"
import { Failure } from "../tool-call.ts"
import { type Address, URL } from "../web.ts"
import type { Applied } from "./credentials.ts"
import type { Operation } from "./operation.ts"
import type { Request } from "./request.ts"

/** How redirects to another origin are taken: as a failure, or as a request without credentials. */
export type Redirects = "same-origin" | "follow"

const MAX_REDIRECTS = 5

/** Sends a request, follows redirects as far as they go, and gives the last answer. */
export const send = (
  client: HttpClient.HttpClient,
  init: FetchInit,
  operation: Operation,
  request: Request,
  applied: Applied,
  redirects: Redirects,
): Effect.Effect<HttpClientResponse.HttpClientResponse, Failure, Scope.Scope> => {
  const scoped = HttpClient.withScope(client)
  const go = (
    message: Message,
    count: number,
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, Failure, Scope.Scope> =>
    Effect.flatMap(once(scoped, operation, message), (response) => {
      if (response.status === 0) {
        return Effect.fail(failure(operation, "answered with a redirect, which cannot be followed here", false))
      }
      const { location } = response.headers
      if (!redirected.has(response.status) || location === undefined) return Effect.succeed(response)
      if (count >= MAX_REDIRECTS) {
        return Effect.fail(failure(operation, `answered with more than ${MAX_REDIRECTS} redirects`, false))
      }
      const next = redirect(message, response.status, location, redirects, applied.secrets)
      return typeof next === "string" ? Effect.fail(failure(operation, next, false)) : go(next, count + 1)
    })
  const query = [...request.query, ...applied.query].join("&")
  const first: Message = {
    method: request.method,
    url: `${request.origin}${request.path}${query === "" ? "" : `?${query}`}`,
    headers: [...request.headers, ...applied.headers],
    body: request.body,
  }
  return Effect.updateService(
    Effect.provideService(go(first, 0), FetchHttpClient.RequestInit, { ...init, redirect: "manual" }),
    HttpClient.TracerDisabledWhen,
    () => () => true,
  )
}

interface Message {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: Request["body"]
}

const redirected = new Set([301, 302, 303, 307, 308])

// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
const redirect = (
  message: Message,
  status: number,
  location: string,
  redirects: Redirects,
  secrets: Secrets,
): Message | string => {
  const from = new URL(message.url)
  let to: Address
  try {
    to = new URL(location, from)
  } catch {
    return `answered ${status} with a redirect to what is no address`
  }
  const isGet = message.method === "GET" || message.method === "HEAD"
  const becomesGet = status === 303 && !isGet || (status === 301 || status === 302) && message.method === "POST"
  const isSame = to.origin === from.origin
  if (!isSame && (redirects !== "follow" || !(isGet || becomesGet) || !/^https?:$/.test(to.protocol))) {
    // The address may hold secrets; the origin does where the server means it to, in small letters.
    const isTold = !secrets.forms.some((secret) => to.origin.includes(secret.toLowerCase()))
    return `answered ${status} with a redirect to another origin, ${
      isTold ? `${to.origin}, ` : ""
    }which is not followed`
  }
  to.hash = ""
  to.username = ""
  to.password = ""
  return {
    method: becomesGet ? "GET" : message.method,
    url: to.href,
    // Whatever else there is was meant for the server that was asked.
    headers: isSame ? message.headers : message.headers.filter(([name]) => name === "accept"),
    body: becomesGet || !isSame ? undefined : message.body,
  }
}

// A span of ours in place of the client's: that one tells the whole address, which has the input in it and may have a key. Ours ends
// without the answer, which knows what it was asked.
const once = (
  client: HttpClient.HttpClient.With<HttpClientError.HttpClientError, Scope.Scope>,
  operation: Operation,
  message: Message,
): Effect.Effect<HttpClientResponse.HttpClientResponse, Failure, Scope.Scope> =>
  Effect.suspend(() => {
    const { path } = operation.server
    const server = new URL(message.url)
    const template = `${path}${operation.described.path}`
    const attributes = {
      "http.request.method": message.method,
      "url.template": template,
      "url.scheme": server.protocol.slice(0, -1),
      "server.address": server.hostname.replace(/^\[|\]$/g, ""),
      "server.port": server.port === "" ? server.protocol === "https:" ? 443 : 80 : Number(server.port),
    }
    let answer: HttpClientResponse.HttpClientResponse | undefined
    const exchange = (span: Tracer.Span) =>
      Effect.flatMap(HttpClient.TracerPropagationEnabled, (propagates) =>
        client.execute(requestOf(message, propagates ? span : undefined)))
    const answered = (span: Tracer.Span) => (response: HttpClientResponse.HttpClientResponse) => {
      answer = response
      span.attribute("http.response.status_code", response.status)
      if (response.status >= 400) {
        span.attribute("error.type", String(response.status))
      }
    }
    const spanned = Effect.useSpan(
      `${message.method} ${template}`,
      { kind: "client", attributes },
      (span) =>
        exchange(span).pipe(
          Effect.withParentSpan(span, { captureStackTrace: false }),
          Effect.catch((error) =>
            asAnswer(operation, error)
          ),
          Effect.map(answered(span)),
        ),
    )
    return Effect.map(spanned, () => answer!)
  })

// A client may take some answers for errors.
const asAnswer = (
  operation: Operation,
  error: HttpClientError.HttpClientError,
): Effect.Effect<HttpClientResponse.HttpClientResponse, Failure> =>
  error.reason._tag === "StatusCodeError"
    ? Effect.succeed(error.reason.response)
    : Effect.fail(transportFailure(operation, error))

const requestOf = ({ body, headers, method, url }: Message, span: Tracer.Span | undefined) => {
  const request = HttpClientRequest.makeWith(
    method,
    url,
    UrlParams.empty,
    Option.none(),
    Headers.fromInput(span === undefined ? headers : [...headers, ...Object.entries(HttpTraceContext.toHeaders(span))]),
    HttpBody.empty,
  )
  return body === undefined ? request : HttpClientRequest.setBody(request, HttpBody.text(body.text, body.mediaType))
}

/** A failure of the call of an operation. `what` goes on after its name. */
export const failure = (
  { described }: Operation,
  what: string,
  retryable: boolean,
  code = "TOOL_FAILURE",
): Failure =>
  new Failure({
    code,
    message: `${described.name} (${described.method.toUpperCase()} ${described.path}) ${what}.`,
    retryable,
  })

/** What an error of the client means. Its message and its cause may hold the address and the headers, and are told to nobody. */
export const transportFailure = (operation: Operation, error: unknown): Failure => {
  const code = codeOf(error)
  const behind = code === undefined ? "" : ` (${code})`
  const tag = HttpClientError.isHttpClientError(error) ? error.reason._tag : undefined
  switch (tag) {
    case "InvalidUrlError":
    case "EncodeError":
      return failure(operation, "could not be sent: the request is not one that the HTTP client can send", false)
    case "DecodeError":
      return failure(operation, `got an answer that broke off${behind}`, true)
    default:
      return failure(operation, `got no answer from the server${behind}`, true)
  }
}

// What a system calls an error, such as ECONNREFUSED, says enough and holds nothing.
const codeOf = (error: unknown): string | undefined => {
  let at = error
  for (let i = 0; i < 8 && typeof at === "object" && at !== null; i++) {
    const { cause, code, reason } = at as {
      readonly cause?: unknown
      readonly code?: unknown
      readonly reason?: unknown
    }
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code
    at = cause ?? reason
  }
  return undefined
}
