// An effect/ai toolkit over the files of one directory, as any application would define its tools. Nothing here knows of
// code mode.
import { Context, Effect, FileSystem, Layer, Path, type PlatformError, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"

/** The directory that the tools work on. */
export class Root extends Context.Service<Root, string>()("examples/workspace-agent/Root") {}

/** What a tool of the workspace declares as its failure. A program reads `code` and `message` of the error it catches. */
export class WorkspaceFailure extends Schema.TaggedError<WorkspaceFailure>()("WorkspaceFailure", {
  code: Schema.Literals(["ACCESS_DENIED", "NOT_FOUND", "UNREADABLE"]),
  message: Schema.String,
}) {}

const path = Schema.String.annotate({ description: "Path of a file, relative to the workspace" })
const extension = Schema.optional(Schema.String).annotate({ description: "Only files that end so, such as \".ts\"" })

const ListFiles = Tool.make("list_files", {
  description: "Lists the files of the workspace, without dependencies and build output",
  parameters: Schema.Struct({ extension }),
  success: Schema.Array(Schema.String),
  failure: WorkspaceFailure,
})

const ReadFile = Tool.make("read_file", {
  description: "Reads a text file",
  parameters: Schema.Struct({ path }),
  success: Schema.Struct({ path: Schema.String, text: Schema.String }),
  failure: WorkspaceFailure,
})

const SearchText = Tool.make("search_text", {
  description: "Finds the lines that contain a text",
  parameters: Schema.Struct({ text: Schema.NonEmptyString, extension }),
  success: Schema.Array(Schema.Struct({ path: Schema.String, line: Schema.Int, text: Schema.String })),
  failure: WorkspaceFailure,
})

const DeleteFile = Tool.make("delete_file", {
  description: "Deletes a file for good",
  parameters: Schema.Struct({ path }),
  success: Schema.Struct({ deleted: Schema.String }),
  failure: WorkspaceFailure,
  failureMode: "return",
  needsApproval: true,
})

/** The tools of the workspace. */
export const Workspace = Toolkit.make(ListFiles, ReadFile, SearchText, DeleteFile)

const generated = new Set([".git", "build", "coverage", "dist", "node_modules"])

/** Their handlers, over Effect's file system. */
export const layer = Workspace.toLayer(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const root = yield* Effect.flatMap(Root, fs.realPath)

  const failed = (file: string) => (error: PlatformError.PlatformError): WorkspaceFailure =>
    error.reason._tag === "NotFound"
      ? new WorkspaceFailure({ code: "NOT_FOUND", message: `There is no file ${file}` })
      : new WorkspaceFailure({ code: "UNREADABLE", message: `${file} cannot be used: ${error.reason._tag}` })

  const inside = (absolute: string): boolean => absolute.startsWith(root + paths.sep)

  // The path as written must stay inside, and so must what it leads to: a symbolic link is no way out. The first check comes
  // first, so that nothing is learned about what lies outside.
  const resolve = Effect.fnUntraced(function*(file: string) {
    const denied = new WorkspaceFailure({ code: "ACCESS_DENIED", message: `${file} is outside the workspace` })
    const absolute = paths.resolve(root, file)
    if (!inside(absolute)) return yield* denied
    const real = yield* Effect.mapError(fs.realPath(absolute), failed(file))
    return inside(real) ? real : yield* denied
  })

  const read = Effect.fnUntraced(function*(file: string) {
    const absolute = yield* resolve(file)
    return yield* Effect.mapError(fs.readFileString(absolute), failed(file))
  })

  const list = (directory: string, ending: string): Effect.Effect<Array<string>, PlatformError.PlatformError> =>
    Effect.flatMap(fs.readDirectoryEntries(directory), (entries) => {
      const files = entries
        .filter((entry) => entry.type === "File" && entry.name.endsWith(ending))
        .map((entry) => paths.relative(root, paths.join(directory, entry.name)).replaceAll(paths.sep, "/"))
      const directories = entries.filter((entry) => entry.type === "Directory" && !generated.has(entry.name))
      return Effect.map(
        Effect.forEach(directories, (entry) => list(paths.join(directory, entry.name), ending), { concurrency: 8 }),
        (below) => [...files, ...below.flat()],
      )
    })

  const listFiles = (ending = "") =>
    Effect.mapBoth(list(root, ending), { onFailure: failed("the workspace"), onSuccess: (files) => files.sort() })

  return Workspace.of({
    list_files: ({ extension }) => listFiles(extension),

    read_file: ({ path }) => Effect.map(read(path), (text) => ({ path, text })),

    search_text: Effect.fnUntraced(function*({ extension, text }) {
      const files = yield* listFiles(extension)
      const matches = yield* Effect.forEach(
        files,
        (file) =>
          Effect.map(
            read(file),
            (content) =>
              content.split("\n").flatMap((line, i) =>
                line.includes(text) ? [{ path: file, line: i + 1, text: line.trim() }] : []
              ),
          ),
        { concurrency: 8 },
      )
      return matches.flat()
    }),

    delete_file: Effect.fnUntraced(function*({ path }) {
      const absolute = yield* resolve(path)
      yield* Effect.mapError(fs.remove(absolute), failed(path))
      return { deleted: path }
    }),
  })
}))

/** The tools' handlers over a directory. */
export const layerOver = (root: string) => Layer.provide(layer, Layer.succeed(Root)(root))
