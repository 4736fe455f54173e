/**
 * What every JavaScript runtime has beside the language, as far as it is used here. No library of types declares it for all of them.
 */

export interface Address {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly searchParams: Iterable<readonly [string, string]>
  hash: string
  username: string
  password: string
}

export interface Decoder {
  readonly encoding: string
  readonly decode: (bytes?: Uint8Array, options?: { readonly stream?: boolean }) => string
}

export interface Port {
  readonly close: () => void
  readonly postMessage: (message: unknown, transferred: ReadonlyArray<unknown>) => void
}

interface Web {
  readonly MessageChannel: new() => { readonly port1: Port }
  readonly TextDecoder: new(encoding?: string, options?: { readonly ignoreBOM?: boolean }) => Decoder
  readonly TextEncoder: new() => { readonly encode: (text: string) => Uint8Array }
  readonly URL: {
    new(address: string, base?: string | Address): Address
    readonly canParse: (address: string, base?: string) => boolean
  }
}

export const { MessageChannel, TextDecoder, TextEncoder, URL } = globalThis as unknown as Web
