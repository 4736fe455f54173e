/**
 * A server of the Model Context Protocol that misbehaves on request: over standard input and output, without a library, so that it
 * can break every rule. Options, each `name=value`:
 *
 * - `version`: the revision of the protocol that it answers with, whatever it is asked for
 * - `start`: `slow` (answers after 300 ms), `silent`, `noise` (writes lines that are nothing and answers nothing), `exit` (at once,
 *   with code 3), `refuse` (an error that tells its environment)
 * - `starts`: a file that counts its starts; with `dies`, the numbers of the starts at which it ends at once
 * - `end`: `ignore` keeps it running when its input ends and when it is asked to end
 * - `tell`: `environment` puts its environment into its instructions and into the description of a tool
 * - `announce`: `no` leaves out that it tells of changes of its tools
 */
import { Buffer } from "node:buffer"
import { appendFileSync, closeSync, existsSync, readFileSync } from "node:fs"
import process from "node:process"
import { createInterface } from "node:readline"
import { setInterval, setTimeout } from "node:timers"

const options = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s)))
const write = (text) => process.stdout.write(text)
const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

if (options.starts !== undefined) {
  const starts = existsSync(options.starts) ? readFileSync(options.starts, "utf8").length : 0
  appendFileSync(options.starts, "x")
  if ((options.dies ?? "").split(",").includes(String(starts + 1))) process.exit(4)
}
if (options.start === "exit") process.exit(3)
process.stderr.write(`started with ${JSON.stringify(process.env)} and ${process.argv.join(" ")}\n`)

const schema = { type: "object" }
const tool = (name, more = {}) => ({ name, description: `Does ${name}`, inputSchema: schema, ...more })
const tools = [
  tool("echo", { annotations: { readOnlyHint: true } }),
  tool("give", { description: "Gives the result that it is given" }),
  tool("crash"),
  tool("wait"),
  tool("block"),
  tool("noise"),
  tool("partial"),
  tool("wrong-id"),
  tool("no-result"),
  tool("no-id"),
  tool("chatter"),
  tool("huge"),
  tool("image"),
  tool("add-tool"),
  tool("fail-with-environment"),
  tool("tell-environment"),
  tool("pid"),
  tool("close-output"),
  tool("answer-and-end"),
  tool("cancelled"),
  tool("ask"),
  tool("long-notification"),
  tool("flood"),
  tool("write", { description: "Writes what it is given, the id of the call in it" }),
]

const text = (text) => ({ content: [{ type: "text", text }] })
const environment = () => `${JSON.stringify(process.env)} ${process.argv.join(" ")}`

if (options.tell === "environment") tools.push(tool("telling", { title: environment(), description: environment() }))

const cancelled = []
let replies = 0

const calls = {
  "echo": (id, input) => send({ id, result: text(JSON.stringify(input)) }),
  "give": (id, input) => send({ id, result: input.result }),
  "crash": () => process.exit(7),
  "wait": (id, input) => setTimeout(() => send({ id, result: text("waited") }), input.millis),
  // Nothing of it runs meanwhile, not even the answer to a ping.
  "block": (id, input) => {
    const end = Date.now() + input.millis
    while (Date.now() < end);
    send({ id, result: text("blocked") })
  },
  "noise": (id) => {
    write("Listening on port 3000\n\n[1,2]\nnull\n{\"jsonrpc\":\"2.0\"}\n{broken\n")
    send({ id, result: text("after the noise") })
  },
  "partial": (id) => write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"ty\n`),
  "wrong-id": (id) => send({ id: id + 1000, result: text("not yours") }),
  "no-result": (id) => send({ id, answer: 42 }),
  "no-id": () => send({ id: null, error: { code: -32700, message: "Parse error" } }),
  "chatter": (id) => {
    send({ method: "notifications/message", params: { level: "info", data: "hello" } })
    send({ id: "from-server", method: "sampling/createMessage", params: {} })
    send({ id, result: text("after the chatter") })
  },
  "huge": (id, input) => {
    // In pieces, so that it is the reader that has to hold the whole.
    const piece = "x".repeat(1_000_000)
    write(`{"result":{"content":[{"type":"text","text":"`)
    for (let i = 0; i < input.megabytes; i++) write(piece)
    write(`"}]},"jsonrpc":"2.0","id":${id}}\n`)
  },
  "image": (id, input) => {
    const data = Buffer.alloc(input.bytes, 7).toString("base64")
    send({ id, result: { content: [{ type: "image", mimeType: "image/png", data }] } })
  },
  "add-tool": (id, input) => {
    tools.push(input.tool ?? tool(input.name))
    send({ method: "notifications/tools/list_changed" })
    send({ id, result: text("added") })
  },
  "fail-with-environment": (id) => send({ id, error: { code: -32000, message: environment() } }),
  "close-output": () => closeSync(1),
  "answer-and-end": (id) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: text("my last") })}\n`, () => process.exit(0)),
  "cancelled": (id) => send({ id, result: text(String(cancelled.length)) }),
  // Asks on and on, waits for so many replies and a little longer, and answers with how many came.
  "ask": (id, input) => {
    replies = 0
    for (let i = 0; i < input.times; i++) send({ id: `ask-${i}`, method: "ping" })
    const answer = () => send({ id, result: text(String(replies)) })
    const wait = () => replies < input.replies ? setTimeout(wait, 10) : setTimeout(answer, 200)
    wait()
  },
  "long-notification": (id, input) => {
    send({ method: "notifications/message", params: { data: { id, text: "x".repeat(input.length) } } })
    send({ id, result: text("after it") })
  },
  // So often the same, after what it begins with.
  "flood": (id, input) => {
    write(input.begin.replaceAll("$id", id))
    for (let i = 0; i < input.times; i++) write(input.text)
    write("\n")
  },
  "write": (id, input) => write(`${input.text.replaceAll("$id", id)}\n`),
  "pid": (id) => send({ id, result: { content: [], structuredContent: { pid: process.pid } } }),
  "tell-environment": (id) => send({ id, result: text(environment()) }),
}

const initialize = (id, params) => {
  const result = {
    protocolVersion: options.version ?? params.protocolVersion,
    capabilities: { tools: { listChanged: options.announce !== "no" } },
    serverInfo: { name: "misbehaving", version: "1.0.0" },
    instructions: options.tell === "environment" ? environment() : "Call echo first.",
  }
  if (options.start === "silent") return
  if (options.start === "noise") return write("Welcome!\nPress q to quit.\n")
  if (options.start === "refuse") return send({ id, error: { code: -32000, message: environment() } })
  setTimeout(() => send({ id, result }), options.start === "slow" ? 300 : 0)
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === undefined) replies++
  if (method === "notifications/cancelled") cancelled.push(params.requestId)
  if (method === "initialize") initialize(id, params)
  else if (method === "tools/list") send({ id, result: { tools } })
  else if (method === "tools/call") {
    if (calls[params.name] === undefined) send({ id, error: { code: -32602, message: `Unknown tool: ${params.name}` } })
    else calls[params.name](id, params.arguments)
  } else if (method !== undefined && id !== undefined) {
    send({ id, error: { code: -32601, message: "Method not found" } })
  }
}).on("close", () => {
  if (options.end !== "ignore") process.exit(0)
})

if (options.end === "ignore") {
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 1000)
}
