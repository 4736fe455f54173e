/**
 * What every host of this package has of the web platform, typed as far as it is used here: the language's own types have none of it.
 */

export interface Address {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  hash: string
  username: string
  password: string
}

export interface Decoder {
  readonly decode: (bytes?: Uint8Array, options?: { readonly stream?: boolean }) => string
}

export const { TextDecoder, URL } = globalThis as unknown as {
  readonly TextDecoder: new(encoding?: string) => Decoder
  readonly URL: {
    new(address: string, base?: string | Address): Address
    readonly canParse: (address: string) => boolean
  }
}
