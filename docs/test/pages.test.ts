import * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { format } from "node:util"
import ts from "typescript"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { anchors, type Block, blocks, examples, links, modules, pages, reference, root, write } from "./pages.ts"

const onPages = pages.flatMap(blocks)
const inDocstrings = modules.flatMap(examples)
const named = (all: ReadonlyArray<Block>) => all.map((block) => [`${block.page}:${block.line}`, block] as const)

/** What the READMEs that ask a model export. */
interface Readme {
  readonly answer: Effect.Effect<{ readonly toolResults: ReadonlyArray<unknown> }, unknown, LanguageModel.LanguageModel>
  readonly Handlers: Layer.Layer<never>
}

beforeAll(() => write([...onPages, ...inDocstrings]))

const run = async (
  { file }: Block,
): Promise<{ readonly printed: string; readonly exports: Record<string, unknown> }> => {
  const lines: Array<string> = []
  const log = vi.spyOn(console, "log").mockImplementation((...values: ReadonlyArray<unknown>) => {
    lines.push(format(...values))
  })
  try {
    const exports = await import(/* @vite-ignore */ pathToFileURL(file).href) as Record<string, unknown>
    return { printed: lines.join("\n"), exports }
  } finally {
    log.mockRestore()
  }
}

describe("code on pages and in docstrings", () => {
  it("is found", () => {
    expect(onPages.length).toBeGreaterThan(10)
    expect(onPages.some(({ prints }) => prints !== undefined)).toBe(true)
    expect(inDocstrings.length).toBeGreaterThan(5)
  })

  it("type-checks", () => {
    const base = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile).config.compilerOptions
    const { options } = ts.convertCompilerOptionsFromJson({
      ...base,
      types: ["node"],
      noEmit: true,
      composite: false,
      incremental: false,
      noUnusedLocals: false,
    }, root)
    const all = [...onPages, ...inDocstrings]
    const places = new Map(all.map(({ file, line, page }) => [file, { page, line }]))
    const program = ts.createProgram(Array.from(places.keys()), options)
    const wrong = all.flatMap(({ file }) => {
      const source = program.getSourceFile(file)!
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        (diagnostic) => {
          const { line, page } = places.get(file)!
          const at = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line + line
          return `${page}:${at}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")}`
        },
      )
    })
    expect(wrong).toEqual([])
  }, 180_000)
})

describe("what stands on pages", () => {
  it.each(named(onPages))("%s runs, and prints what the page says", async (_, block) => {
    const { printed } = await run(block)
    expect(printed).toBe(block.prints ?? printed)
  }, 60_000)

  it.each([
    ["README.md", "return (await tools.weather({ city: 'Oslo' })) < (await tools.weather({ city: 'Rome' }))", true],
    [
      "packages/toolkit/README.md",
      "return (await tools.orders.list({ month: '2025-05' })).toSorted((a, b) => b.total - a.total)[0].customer",
      "Bob",
    ],
  ])("%s: a model that sends a program reads what it gives", async (path, code, result) => {
    const { exports } = await run(onPages.find(({ page }) => page === path)!)
    const { answer, Handlers } = exports as unknown as Readme
    const scripted = LanguageModel.make({
      generateText: () => Effect.succeed([{ type: "tool-call", id: "1", name: "execute", params: { code } }]),
      streamText: () => Stream.empty,
    })
    const { toolResults } = await Effect.runPromise(
      answer.pipe(Effect.provideServiceEffect(LanguageModel.LanguageModel, scripted), Effect.provide(Handlers)),
    )
    expect(toolResults).toMatchObject([{ encodedResult: { result, logs: [] } }])
  }, 60_000)
})

describe("the reference", () => {
  it.each(["toolkit", "runtime-interpreter"])("has a page for each module that %s exports", (name) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, unknown>>
    }
    const modules = Object.keys(manifest.exports).filter((path) => path !== "." && path !== "./package.json")
    expect(reference.map(({ path }) => path)).toEqual(
      expect.arrayContaining(modules.map((path) => `docs/api/${name}/${path.slice(2)}.md`)),
    )
  })
})

describe("links", () => {
  const known = new Map([...pages, ...reference].map((page) => [page.path, anchors(page)]))

  it.each([...pages, ...reference].map((page) => [page.path, page] as const))("of %s lead somewhere", (_, page) => {
    const broken = links(page).filter(({ anchor, path }) => {
      if (!existsSync(join(root, path))) return true
      const there = known.get(path)
      return anchor !== "" && there !== undefined && !there.has(anchor)
    })
    expect(broken).toEqual([])
  })
})
