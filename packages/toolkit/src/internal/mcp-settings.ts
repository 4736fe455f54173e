/**
 * The options of a server of the Model Context Protocol: what each may be, and what holds where nothing is said.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ConnectOptions, HttpOptions, Options, SourceOptions, StdioOptions } from "../Mcp.ts"
import type { Opening } from "./mcp-link.ts"
import type { Limits } from "./mcp-result.ts"
import * as Checked from "./options.ts"
import { URL } from "./web.ts"

/** The options that all ways of connecting have, with their defaults. */
export interface Settings extends Opening, Limits {
  readonly name: string
  readonly listTimeout: Duration.Duration
  readonly callTimeout: Duration.Duration
  readonly backoff: { readonly first: Duration.Duration; readonly most: Duration.Duration }
}

const common: Checked.Rules<Options> = {
  name: Checked.required(Checked.text),
  connectTimeout: Checked.duration,
  listTimeout: Checked.duration,
  callTimeout: Checked.duration,
  backoff: Checked.durations("first", "most"),
  maxTextLength: Checked.count,
  maxAttachmentBytes: Checked.count,
  maxMessageBytes: Checked.count,
}

const connecting: Checked.Rules<ConnectOptions> = { ...common, protocol: Checked.record }

/** What a process may be given. */
export const ofProcess: Checked.Rules<StdioOptions> = {
  ...connecting,
  command: Checked.required(Checked.text),
  args: Checked.secretTexts,
  env: Checked.namedSecretTexts,
  publicEnv: Checked.texts,
  cwd: Checked.text,
  stderr: Checked.oneOf("ignore", "inherit"),
}

/** What a server that is reached over HTTP may be given. */
export const ofHttp: Checked.Rules<HttpOptions> = {
  ...connecting,
  url: Checked.required(Checked.secret({
    is: (value) => isAddress(typeof value === "string" ? value : (value as { readonly href?: unknown } | null)?.href),
    what: "an address, such as https://example.com/mcp",
  })),
  headers: Checked.namedSecretTexts,
}

const isAddress = (value: unknown): boolean => typeof value === "string" && URL.canParse(value)

/** What a client of the host's may be given. */
export const ofClient: Checked.Rules<SourceOptions<unknown, unknown>> = {
  ...common,
  connect: Checked.required({ is: Effect.isEffect, what: "an effect that gives a client" }),
  secrets: Checked.secretTexts,
}

/** Fills in the defaults. An option that makes no sense is a defect that names it. */
export const resolve = <Own extends Options>(options: Own, rules: Checked.Rules<Own>): Effect.Effect<Settings> =>
  Effect.map(Checked.check(options, rules), () => settingsOf(options))

const settingsOf = (options: ConnectOptions): Settings => ({
  name: options.name,
  protocol: options.protocol,
  connectTimeout: Duration.fromInputUnsafe(options.connectTimeout ?? "30 seconds"),
  listTimeout: Duration.fromInputUnsafe(options.listTimeout ?? "30 seconds"),
  callTimeout: Duration.fromInputUnsafe(options.callTimeout ?? "1 minute"),
  backoff: {
    first: Duration.fromInputUnsafe(options.backoff?.first ?? "1 second"),
    most: Duration.fromInputUnsafe(options.backoff?.most ?? "30 seconds"),
  },
  maxMessageBytes: options.maxMessageBytes ?? 16 * 1024 * 1024,
  maxTextLength: options.maxTextLength ?? 4 * 1024 * 1024,
  maxAttachmentBytes: options.maxAttachmentBytes ?? 10 * 1024 * 1024,
})

// What programs of any kind need to find their files, and each other.
const environment = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR"],
  ...[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
  ],
  ...["SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
]

/** What a process gets of the host's environment. */
export const inherited = (): Record<string, string> => {
  const own = (globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } })
    .process?.env ?? {}
  return Object.fromEntries(environment.flatMap((name) => {
    const value = own[name]
    return value === undefined ? [] : [[name, value]]
  }))
}
