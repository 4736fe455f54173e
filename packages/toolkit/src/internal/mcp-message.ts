/**
 * The messages of JSON-RPC, as far as they are read before the client reads them, and what it reads in their place.
 */
import * as McpSchema from "effect/ai/McpSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { count } from "./count.ts"

const decodeResponse = Schema.decodeUnknownOption(McpSchema.JsonRpcResponse)
const decodeRequest = Schema.decodeUnknownOption(Schema.Union([
  McpSchema.JsonRpcRequest,
  McpSchema.JsonRpcNotification,
]))

/** Why a message is not taken. Each is said of an answer, and is told as it stands. */
export const tooManyBytes = (bytes: number, most: number): string =>
  `it has ${count(bytes)} bytes; at most ${count(most)} are taken`
export const tooMuchMemory = "it is made of more parts than fit in the memory that it may take"

/** A response, if a value is one. */
export const responseOf = (value: unknown): McpSchema.JsonRpcResponse | undefined =>
  Option.getOrUndefined(decodeResponse(value)) as McpSchema.JsonRpcResponse | undefined

/** What asks or tells something, if a value does. */
export const requestOf = (value: unknown): McpSchema.JsonRpcRequest | McpSchema.JsonRpcNotification | undefined =>
  Option.getOrUndefined(decodeRequest(value))

/** What asks or tells something, without what it does so with: the client answers all alike. */
export const asked = (request: McpSchema.JsonRpcRequest | McpSchema.JsonRpcNotification): string =>
  JSON.stringify({ ...request, params: undefined })

/** The response that the client reads in place of one that is kept for it. */
export const answered = (id: McpSchema.RequestId): string => JSON.stringify({ jsonrpc: "2.0", id, result: null })
