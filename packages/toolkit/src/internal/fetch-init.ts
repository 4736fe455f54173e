/**
 * What the fetch client is told of a request beside the request itself, such as that it leaves redirects alone.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"

/** What a host gave the fetch client, which a call has to keep when it turns redirects off. */
export type FetchInit = FetchHttpClient.RequestInit["Service"] | undefined

/**
 * What a host gave the fetch client for the fiber that asks, or for all in the layer of the client. That one only the client sees: it is
 * asked once, by a request that ends before anything is sent.
 */
export const fetchInitOf = (client: HttpClient.HttpClient): Effect.Effect<FetchInit> => {
  let asked: { readonly init: FetchInit } | undefined
  const ask = Effect.suspend(() => {
    let init: FetchInit
    const stopping = HttpClient.mapRequestInputEffect(
      client,
      () =>
        Effect.flatMap(Effect.serviceOption(FetchHttpClient.RequestInit), (given) => {
          init = Option.getOrUndefined(given)
          return Effect.die(new Error("Nothing is sent"))
        }),
    )
    return Effect.map(Effect.exit(stopping.execute(HttpClientRequest.get("http://localhost/"))), () => {
      asked = { init }
      return init
    })
  })
  return Effect.flatMap(
    Effect.serviceOption(FetchHttpClient.RequestInit),
    (own) => Option.isSome(own) ? Effect.succeed(own.value) : asked === undefined ? ask : Effect.succeed(asked.init),
  )
}
