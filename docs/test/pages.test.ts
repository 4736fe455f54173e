import * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { format } from "node:util"
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
    const compilerOptions = {
      types: ["node"],
      noEmit: true,
      composite: false,
      incremental: false,
      noUnusedLocals: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
    }
    const all = [...onPages, ...inDocstrings]
    const project = join(root, "docs/build/tsconfig.json")
    const files = all.map(({ file }) => file)
    writeFileSync(project, JSON.stringify({ extends: "../../tsconfig.base.json", compilerOptions, files }))
    const compiler = join(root, "node_modules/@typescript/native/bin/tsc")
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [compiler, "--project", project, "--pretty", "false"],
      { cwd: root, encoding: "utf8", maxBuffer: 16 << 20 },
    )
    // Where a block stands on its page.
    const places = new Map(all.map((block) => [block.file, block]))
    const wrong = stdout.replaceAll(/^(.+)\((\d+),\d+\): /gm, (found, file: string, line: string) => {
      const block = places.get(join(root, file))
      return block === undefined ? found : `${block.page}:${block.line + Number(line) - 1}: `
    })
    expect(wrong + stderr).toBe("")
    expect(status).toBe(0)
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
