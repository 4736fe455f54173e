// Two servers of the Model Context Protocol from npm, each a process of its own that speaks over its standard input and output.
import { Mcp } from "@effect-codemode/toolkit"
import { Effect } from "effect"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

// Installed beside this example, so that nothing is fetched. Elsewhere: `command: "npx", args: ["-y", "@modelcontextprotocol/..."]`.
const server = (name: string) => require.resolve(`@modelcontextprotocol/${name}/dist/index.js`)

/** The members: the files of some folders, the first of which is the working directory, and a server that shows what servers can do. */
export const servers = (folders: readonly [string, ...Array<string>]) =>
  Effect.all({
    files: Mcp.stdio({
      name: "files",
      command: process.execPath,
      args: [server("server-filesystem"), ...folders],
      cwd: folders[0],
    }),
    everything: Mcp.stdio({ name: "everything", command: process.execPath, args: [server("server-everything")] }),
  })
