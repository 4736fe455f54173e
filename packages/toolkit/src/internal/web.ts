/**
 * What every JavaScript runtime has beside the language, as far as it is used here. No library of types declares it for all of them.
 */
interface Web {
  readonly TextDecoder: new() => {
    readonly decode: (bytes?: Uint8Array, options?: { readonly stream?: boolean }) => string
  }
  readonly TextEncoder: new() => { readonly encode: (text: string) => Uint8Array }
  readonly URL: { new(address: string): Address; readonly canParse: (address: string) => boolean }
}

interface Address {
  readonly href: string
  readonly search: string
  readonly searchParams: Iterable<readonly [string, string]>
  readonly username: string
  readonly password: string
}

export const { TextDecoder, TextEncoder, URL } = globalThis as unknown as Web
