/**
 * What the errors of the client are to a program and to the host. They carry requests and command lines as their causes, so nothing
 * of them is told but what is known to be harmless, and what the server itself has said.
 */
import { isMcpClientError, type McpClientError } from "effect/ai/McpClientError"
import * as Duration from "effect/Duration"
import * as ToolSource from "../ToolSource.ts"
import { count } from "./count.ts"
import { endPrefix, type Link, silentButNoisy } from "./mcp-link.ts"
import type { Scrub } from "./mcp-secrets.ts"
import { tooManyTools } from "./mcp-traffic.ts"
import { oneLine } from "./safe-text.ts"

/** Says in half a sentence why there is no connection. */
export const describe = (scrub: Scrub) => (error: unknown, link: Link | undefined): string => {
  if (!isMcpClientError(error)) return "it could not be connected to"
  const { reason } = error
  switch (reason._tag) {
    case "TransportError": {
      const description = reason.description ?? ""
      if (description.startsWith(endPrefix)) return description.slice(endPrefix.length)
      const detail = cause(reason.cause)
      if (description === "Cannot spawn MCP server") return `its command could not be started${detail}`
      if (description === "MCP HTTP request failed") return `it could not be reached${detail}`
      return link?.ended() ?? `the connection broke${detail}`
    }
    case "ClosedError":
      return reason.sessionExpired === true ? "its session expired" : link?.ended() ?? "the connection was closed"
    case "TimeoutError":
      return "it did not answer in time"
    case "ProtocolError":
      return reason.description === silentButNoisy
        ? "it wrote to its output, but nothing that answers"
        : reason.code === undefined
        ? "what it answers is not the protocol"
        : `it answers with the error ${reason.code}${said(scrub, reason.description)}`
    case "HttpError":
      return isRedirect(reason.status)
        ? `it answers with a redirect that is not followed (HTTP status ${reason.status})`
        : `it answers with the HTTP status ${reason.status}${said(scrub, reason.description)}`
    case "UnsupportedError":
      return /protocol version/.test(reason.description)
        ? "it speaks no revision of the protocol that is known here"
        : "it needs what is not supported here"
    case "LimitError":
      return "its answer is too long"
    case "ValidationError":
      return "what it answers is not the protocol"
    default:
      return "it could not be connected to"
  }
}

/** Whether an error is one of reading the list of tools, which a call may have to do first. */
export const isOfList = ({ reason }: McpClientError): boolean =>
  reason._tag === "TimeoutError"
    ? reason.operation !== "tools/call"
    : reason._tag === "LimitError" && reason.description.startsWith(tooManyTools)

/** What an error means for a call, or for a listing, whose connection lives on. `what` is its subject: `The tool "x"`. */
export const make =
  (what: string, timeout: Duration.Duration, scrub: Scrub) =>
  ({ reason }: McpClientError, link: Link): ToolSource.Failure => {
    const fail = (code: string, message: string, retryable: boolean) =>
      new ToolSource.Failure({ code, message: `${what} ${message}`, retryable })
    switch (reason._tag) {
      case "TimeoutError": {
        const noise = link.noise()
        return fail(
          "TOOL_FAILURE",
          `gave no answer within ${Duration.format(timeout)}.${
            noise === 0
              ? ""
              : ` Its server wrote ${noise} ${noise === 1 ? "line that answers" : "lines that answer"} nothing.`
          }`,
          true,
        )
      }
      case "ProtocolError":
        return reason.code === undefined
          ? fail("INVALID_TOOL_OUTPUT", "gave an answer that is not the protocol. The fault is its server's.", false)
          : fail(
            reason.code === -32602 ? "INVALID_TOOL_INPUT" : "TOOL_FAILURE",
            `was refused with the error ${reason.code}${said(scrub, reason.description)}`,
            true,
          )
      case "HttpError":
        if (isRedirect(reason.status)) {
          return fail(
            "TOOL_FAILURE",
            `was answered with a redirect that is not followed (HTTP status ${reason.status}).`,
            false,
          )
        }
        return fail(
          reason.status === 401 || reason.status === 403 ? "ACCESS_DENIED" : "TOOL_FAILURE",
          `was refused with the HTTP status ${reason.status}${said(scrub, reason.description)}`,
          reason.status === 408 || reason.status === 429 || reason.status >= 500,
        )
      case "LimitError":
        if (reason.description.startsWith(tooManyTools)) {
          const most = reason.description.slice(tooManyTools.length)
          return fail("LIMIT_EXCEEDED", `lists more tools than are taken: at most ${most}.`, false)
        }
        return reason.description.startsWith("MCP message")
          ? fail("LIMIT_EXCEEDED", "was given an input that is too large to send. Send less.", true)
          : fail(
            "LIMIT_EXCEEDED",
            `gave an answer that is too long${
              reason.description.startsWith("it ") ? `: ${reason.description}` : ""
            }. Ask it for less: filter, or go page by page.`,
            true,
          )
      case "ValidationError":
        return reason.description.startsWith("Invalid value for MCP header")
          ? fail("INVALID_TOOL_INPUT", "was given a value that cannot be sent in a header.", true)
          : fail("INVALID_TOOL_OUTPUT", "gave an answer that is not the protocol. The fault is its server's.", false)
      case "UnsupportedError":
        return fail(
          "TOOL_FAILURE",
          /input continuation/.test(reason.description)
            ? "asks for something in the middle of the call, which is not supported."
            : "cannot be called: its server does not offer what that needs.",
          false,
        )
      default:
        return fail("TOOL_FAILURE", "could not be called.", false)
    }
  }

// In browsers a redirect that is not followed has no status.
const isRedirect = (status: number): boolean => status === 0 || status >= 300 && status <= 399

/** How many characters of what a server says of an error are kept. */
const longestError = 2_000

const said = (scrub: Scrub, text: string | undefined): string => {
  if (text === undefined || text.trim() === "") return "."
  const scrubbed = scrub.error(text)
  const most = `${scrubbed.slice(0, longestError)}… [${count(scrubbed.length - longestError)} more characters]`
  return `: ${scrubbed.length <= longestError ? scrubbed : most}`
}

// The tag of an error of Effect's and the code of one of the system's are words of ours and of the system: `NotFound`, `ECONNREFUSED`.
const cause = (error: unknown): string => {
  const words = new Set<string>()
  let next = error
  for (let depth = 0; depth < 6 && typeof next === "object" && next !== null; depth++) {
    const { _tag, cause, code, reason } = next as Record<"_tag" | "cause" | "code" | "reason", unknown>
    const word = typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)
      ? code
      : typeof _tag === "string" && /^(?:NotFound|PermissionDenied|TimedOut|BadArgument|InvalidUrlError)$/.test(_tag)
      ? _tag
      : undefined
    if (word !== undefined) words.add(word)
    next = typeof reason === "object" && reason !== null ? reason : cause
  }
  const last = Array.from(words).at(-1)
  return last === undefined ? "" : ` (${oneLine(last, 60)})`
}
