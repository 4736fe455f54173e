import { InterpreterRuntime, Search } from "@effect-codemode/runtime-interpreter"
import { Catalog, type CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

const described = (entries: Readonly<Record<string, string>>): Catalog.Catalog =>
  Catalog.fromDefinitions(Object.entries(entries).map(([tool, description]) => ({ tool, description })))

const catalog = Catalog.fromDefinitions([
  { tool: "shop.list_orders", description: "Lists the orders of a customer." },
  { tool: "shop.get_order", description: "Gets one order." },
  { tool: "shop.create_order", description: "Places an order." },
  { tool: "shop.cancel_order", description: "Cancels an order that was not sent." },
  { tool: "shop.merge_purchase_request", description: "Merges two requests." },
  {
    tool: "shop.set_state",
    description: "Changes an order.",
    input: {
      type: "object",
      properties: {
        state: { type: "string", enum: ["shipped", "returned"] },
        weightLimit: { type: "number", description: "In grams" },
      },
    },
  },
  { tool: "files.read_text", description: "Reads a document. Takes its path in the archive." },
  { tool: "files.deleteFolder", description: "Deletes a directory with everything in it." },
  { tool: "files.take_heapsnapshot", description: "Writes down what memory holds." },
  { tool: "context7.resolve-library-id", description: "Resolves a package to an id." },
  { tool: "search", description: "Looks for pages of a website." },
])

const found = (query: string, more: Omit<Search.Input, "query"> = {}, from = catalog): Array<string> =>
  Search.find(from, { query, ...more }).items.map(({ path }) => path.replace("tools.", ""))

describe("search finds the tool that is meant", () => {
  it.each([
    ["by the words of its name", "list orders", "shop.list_orders"],
    ["in singular or plural", "get orders", "shop.get_order"],
    ["in other forms of a word", "creating an order", "shop.create_order"],
    ["by another word for the same", "make a purchase order", "shop.create_order"],
    ["by another noun for the same", "remove a directory", "files.deleteFolder"],
    ["by words inside of words", "snapshot", "files.take_heapsnapshot"],
    ["by two words that are one", "heap snapshot", "files.take_heapsnapshot"],
    ["by initials", "merge PR", "shop.merge_purchase_request"],
    ["by an abbreviation", "lib id", `context7["resolve-library-id"]`],
    ["by its description", "what does memory hold", "files.take_heapsnapshot"],
    ["by what follows the first sentence", "path in the archive", "files.read_text"],
    ["by the name of a field", "weight limit", "shop.set_state"],
    ["by the description of a field", "grams", "shop.set_state"],
    ["by a value of a field", "shipped or returned", "shop.set_state"],
    ["by its verb first", "cancel order", "shop.cancel_order"],
    ["in any case", "CANCEL ORDER", "shop.cancel_order"],
    ["by its namespace and name", "files read text", "files.read_text"],
  ])("%s", (_, query, path) => {
    expect(found(query)[0]).toBe(path)
  })

  it("in any script, case folded", () => {
    const other = described({
      "a.Größe_ändern": "Ändert die GRÖSSE.",
      "a.поиск": "Ищет файлы",
      "a.検索": "ファイル を 探す",
    })
    expect(found("größe", {}, other)).toEqual(["a.Größe_ändern"])
    expect(found("ФАЙЛЫ", {}, other)).toEqual(["a.поиск"])
    expect(found("ファイル", {}, other)).toEqual(["a.検索"])
  })

  it("and nothing where nothing fits", () => {
    expect(Search.find(catalog, { query: "zzz qqq" })).toEqual({ items: [], remaining: 0, next: null })
    expect(Search.find(described({}), { query: "order" }).items).toEqual([])
  })

  it("ties go by name, and the same query gives the same page", () => {
    const same = described({ "b.run": "", "a.run": "", "c.run": "" })
    expect(found("run", {}, same)).toEqual(["a.run", "b.run", "c.run"])
    expect(Search.find(catalog, { query: "order" })).toEqual(Search.find(catalog, { query: "order" }))
  })

  it("a query of any length and content is answered", () => {
    for (
      const query of [
        "order ".repeat(100_000),
        "\ud800",
        "*",
        "constructor __proto__",
        "a b c",
        "the of and",
        ".",
        "[",
        "tools.",
        "tools[0",
      ]
    ) {
      expect(Array.isArray(Search.find(catalog, { query }).items)).toBe(true)
    }
  })
})

describe("search answers", () => {
  it("with path, description and signature, ready to be called", () => {
    expect(Search.find(catalog, { query: "get order", limit: 1 })).toEqual({
      items: [{
        path: "tools.shop.get_order",
        description: "Gets one order.",
        signature: "tools.shop.get_order(input?: Record<string, unknown>): Promise<unknown>",
      }],
      remaining: expect.any(Number),
      next: { offset: 1 },
    })
  })

  it.each([
    "context7.resolve-library-id",
    `tools.context7["resolve-library-id"]`,
    "tools.context7['resolve-library-id']",
    `tools["context7"]["resolve-library-id"]`,
    ` await tools.context7["resolve-library-id"]({ name: "x" }) `,
    "tools.context7.resolve-library-id",
  ])("with one tool alone to its path: %s", (query) => {
    expect(Search.find(catalog, { query })).toMatchObject({
      items: [{ path: `tools.context7["resolve-library-id"]` }],
      remaining: 0,
      next: null,
    })
  })

  it("in pages, which together are everything, once", () => {
    const many = described(
      Object.fromEntries(Array.from({ length: 95 }, (_, i) => [`n.run_${i}`, i % 3 === 0 ? "Runs a thing" : "Runs"])),
    )
    for (const query of ["run a thing", ""]) {
      const paths: Array<string> = []
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const { items, next, remaining }: Search.Page = Search.find(many, { query, offset })
        expect(items.length).toBe(Math.min(10, 95 - offset))
        expect(remaining).toBe(95 - offset - items.length)
        paths.push(...items.map(({ path }) => path))
        offset = next?.offset
      }
      expect(new Set(paths).size).toBe(95)
      expect(paths).toEqual(Search.find(many, { query, limit: 100 }).items.map(({ path }) => path))
    }
    expect(Search.find(many, { limit: 100 }).items.map(({ path }) => path)).toEqual(
      many.entries.map(({ path }) => path),
    )
    expect(Search.find(many, { limit: 100_000 }).items).toHaveLength(95)
    expect(Search.find(many, { offset: 1000 })).toEqual({ items: [], remaining: 0, next: null })
  })

  it("within a namespace, however it is written", () => {
    for (const namespace of ["files", "tools.files", `tools["files"]`]) {
      expect(found("", { namespace })).toEqual(["files.deleteFolder", "files.read_text", "files.take_heapsnapshot"])
    }
    expect(found("order", { namespace: "files" })).toEqual([])
    expect(found("shop.get_order", { namespace: "files" })).not.toContain("shop.get_order")
    expect(found("", { namespace: "file" })).toEqual([])
  })

  it("with long descriptions cut, and less where one tool was asked for", () => {
    const long = described({ "a.long": `${"word ".repeat(2000)}` })
    expect(Search.find(long, { query: "word" }).items[0]!.description).toHaveLength(300)
    expect(Search.find(long, { query: "a.long" }).items[0]!.description.length).toBeGreaterThan(3000)
  })

  it("what a wrong name may mean", () => {
    expect(Search.meant(catalog, "orders.fetch", 1)).toEqual(["tools.shop.get_order"])
    expect(Search.meant(catalog, "zzz", 3)).toEqual([])
  })
})

const runtime = InterpreterRuntime.make({ limits: { toolCalls: 5 } })

const run = (code: string, more: Partial<CodeMode.Execution> = {}) =>
  runtime.run({
    code,
    tools: catalog.entries.map(({ tool }) => tool),
    call: (tool) =>
      Effect.fail(
        new ToolSource.Failure({ code: "UNKNOWN_TOOL", message: `There is no tool "${tool}".`, retryable: true }),
      ),
    catalog,
    ...more,
  })

const result = (code: string, more: Partial<CodeMode.Execution> = {}) =>
  Effect.map(run(code, more), ({ result }) => result)

describe("in programs, search", () => {
  it.effect("is reached by its path and as a global function", () =>
    Effect.gen(function*() {
      const page = Search.find(catalog, { query: "cancel order", limit: 2 })
      expect(yield* result(`return search({ query: "cancel order", limit: 2 })`)).toEqual(page)
      expect(yield* result(`return tools.$codemode.search({ query: "cancel order", limit: 2 })`)).toEqual(page)
      expect(
        yield* result(
          `return tools["$codemode"]["search"]({ query: "cancel order", limit: null, namespace: null }).then(({ items }) => items.length)`,
        ),
      )
        .toBeGreaterThan(1)
      expect(yield* result("return (await search()).items.length")).toBe(10)
    }))

  it.effect("is no tool of theirs: not listed, and no obstacle to a name of their own", () =>
    Effect.gen(function*() {
      expect(
        yield* result(
          "return [Object.keys(tools), Reflect.ownKeys(tools).length, '$codemode' in tools, typeof search]",
        ),
      )
        .toEqual([["context7", "files", "search", "shop"], 4, true, "function"])
      expect(yield* result("const names = []; for (const name in tools) names.push(name); return names.length")).toBe(4)
      expect(yield* result("const search = 1; return search")).toBe(1)
      expect(yield* result("function search() { return 2 } return search()")).toBe(2)
    }))

  it.effect("has its input validated", () =>
    Effect.gen(function*() {
      const caught = (input: string) =>
        result(`try { await search(${input}) } catch (error) { return [error.code, error.message] }`)
      for (
        const [input, named] of [["{ limit: 0 }", "limit"], ["{ offset: -1 }", "offset"], ["{ query: 3 }", "query"], [
          "{ words: 'x' }",
          "words",
        ]]
      ) {
        expect(yield* caught(input!)).toEqual(["INVALID_TOOL_INPUT", expect.stringContaining(named!)])
      }
      expect(yield* caught("'order'")).toEqual(["INVALID_TOOL_INPUT", expect.stringContaining("object")])
    }))

  it.effect("counts among a run's calls", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(run("for (let i = 0; i < 6; i++) await search({ query: 'order' })"))
      expect(error.code).toBe("LIMIT_EXCEEDED")
    }))

  it.effect("is observed by the host, which may also refuse it", () =>
    Effect.gen(function*() {
      const seen: Array<[string, Schema.JsonObject]> = []
      const observe: CodeMode.Execution["observe"] = (tool, input, answer) =>
        Effect.tap(answer, () => Effect.sync(() => seen.push([tool, input])))
      yield* result(`await search({ query: "order" })`, { observe })
      expect(seen).toEqual([["$codemode.search", { query: "order" }]])
      const refuse: CodeMode.Execution["observe"] = () =>
        Effect.fail(new ToolSource.Failure({ code: "ACCESS_DENIED", message: "Not now", retryable: false }))
      expect((yield* Effect.flip(run("await search()", { observe: refuse }))).code).toBe("ACCESS_DENIED")
    }))

  it.effect("finds names where the host gave no catalog", () =>
    Effect.gen(function*() {
      const tools = catalog.entries.map(({ tool }) => tool)
      const outcome = yield* runtime.run({
        code: "return (await search({ query: 'cancel order' })).items[0].path",
        tools,
        call: () => Effect.succeed(null),
      })
      expect(outcome.result).toBe("tools.shop.cancel_order")
    }))

  it.effect("a name that is not there is told what it may mean", () =>
    Effect.gen(function*() {
      const message = (code: string) => Effect.map(Effect.flip(run(code)), ({ message }) => message)
      expect(yield* message("await tools.orders.fetch({})")).toMatch(
        /^There is no tool "orders\.fetch"\. These words are also those of: .*tools\.shop\.get_order/,
      )
      expect(yield* message("await tools.zzz.qqq({})")).toBe(`There is no tool "zzz.qqq".`)
      expect(yield* message("await tools.$codemode.serch({})")).toBe(
        `There is no tool "$codemode.serch". Nearest: tools.$codemode.search.`,
      )
    }))

  it("its name is not to be had by a global", () => {
    expect(() => InterpreterRuntime.make({ globals: { search: 1 } })).toThrow("search")
  })

  it("is told in the guide", () => {
    expect(runtime.guide?.search).toBe(true)
  })
})
