import { Catalog, CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Schema } from "effect"
import { Tool, type Toolkit } from "effect/ai"
import { catching, execute, stub } from "./fixtures.ts"

const description = "Does one thing.\nAnd tells about it at length."

const tool = (name: string, fields = 1): Catalog.Definition => ({
  tool: name,
  description,
  input: {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: fields }, (_, i) => [`field${i}`, { type: "string", description: `Field ${i}` }]),
    ),
  },
})

const namespaces = (...names: ReadonlyArray<string>): Catalog.Catalog =>
  Catalog.fromDefinitions(
    names.flatMap((name) =>
      Array.from({ length: 20 }, (_, i) => tool(`${name}.t${String(i).padStart(2, "0")}`, 1 + i % 4))
    ),
  )

const heads = (text: string): Array<string> => text.split("\n").filter((line) => /^\/\/ .*tools?[,)]/.test(line))

describe("a catalog's text", () => {
  it("is complete where everything fits", () => {
    const { shown, text, total } = Catalog.render(
      Catalog.fromDefinitions([tool("b.two"), tool("now", 0), tool("b.one")]),
    )
    expect([shown, total]).toEqual([3, 3])
    expect(text).toBe(`## Tools (COMPLETE: all 3 shown)

\`\`\`ts
// (no namespace) (1 tool)
// Does one thing.
tools.now(): Promise<unknown>

// b (2 tools)
// Does one thing.
tools.b.one(input?: {
  /** Field 0 */
  field0?: string,
}): Promise<unknown>
// Does one thing.
tools.b.two(input?: {
  /** Field 0 */
  field0?: string,
}): Promise<unknown>
\`\`\``)
  })

  it("stays within the budget, says what is shown, and shows something of every namespace before it shows all of any", () => {
    const catalog = namespaces("a", "b", "c", "d")
    for (const budget of [0, 50, 200, 500, 1000, 2000, 5000]) {
      const { shown, text, total } = Catalog.render(catalog, { budget })
      const counts = heads(text).map((line) => /, (\w+) shown/.exec(line)?.[1] ?? "20").map((count) =>
        count === "none" ? 0 : Number(count)
      )
      expect(counts).toHaveLength(4)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(shown)
      expect(text).toContain(
        shown === total ? `(COMPLETE: all ${total} shown)` : `(PARTIAL: ${shown} of ${total} shown)`,
      )
      // What is always there takes about fifty tokens.
      expect(text.length).toBeLessThanOrEqual(Math.max(budget, 60) * 4)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(shown === total ? 0 : 1)
    }
    expect(heads(Catalog.render(catalog, { budget: 0 }).text)).toEqual([
      "// a (20 tools, none shown)",
      "// b (20 tools, none shown)",
      "// c (20 tools, none shown)",
      "// d (20 tools, none shown)",
    ])
  })

  it("takes each namespace's shortest entries first, ties by name, and goes on where one has nothing that fits", () => {
    const catalog = Catalog.fromDefinitions([
      tool("a.big", 90),
      ...["d", "c", "b"].map((name) => tool(`b.${name}`)),
      tool("b.more", 3),
    ])
    const { text } = Catalog.render(catalog, { budget: 85 })
    expect(heads(text)).toEqual(["// a (1 tool, none shown)", "// b (4 tools, 2 shown)"])
    expect(text).toContain("tools.b.b(")
    expect(text).toContain("tools.b.c(")
    expect(text).not.toContain("tools.b.more(")
  })

  it("is the same for the same tools, in whatever order they come", () => {
    const { entries } = namespaces("a", "b", "c")
    const definitions = entries.map(({ description, input, tool }) => ({ description, input, tool }))
    const texts = [definitions, definitions.toReversed()].map((tools) =>
      Catalog.render(Catalog.fromDefinitions(tools)).text
    )
    expect(texts[0]).toBe(texts[1])
  })

  it("lists the paths of all tools where it is asked to, whatever the budget", () => {
    const catalog = namespaces("a", "b-c")
    const { text } = Catalog.render(catalog, { budget: 300, paths: true })
    for (const { path } of catalog.entries) expect(text).toContain(path)
  })

  it("cuts descriptions at the first line and at 120 characters", () => {
    const text =
      Catalog.render(Catalog.fromDefinitions([{ tool: "t", description: `\n  ${"word ".repeat(60)}\nsecond` }])).text
    const line = text.split("\n").find((line) => line.startsWith("// word"))!
    expect(line.length).toBeLessThanOrEqual("// ".length + 120)
    expect(line.endsWith("…")).toBe(true)
    expect(text).not.toContain("second")
  })

  it("tells of a namespace what its server says, cut at 300 characters", () => {
    const made = Tool.make("wiki.read").annotate(Catalog.Namespace, {
      path: "wiki",
      notes: `Search first.\n${"x".repeat(1000)}`,
    })
    const { text } = Catalog.render(Catalog.make([[made.name, made]]))
    const line = text.split("\n").find((line) =>
      line.startsWith("// Its server says (call its tools by the paths given here): Search first. xxx")
    )!
    expect(line.length).toBeLessThan(400)
  })

  it("tells what a server says once, where its tools are, in whatever namespaces they are", () => {
    const of = (namespace: string, notes: string, ...names: ReadonlyArray<string>) =>
      names.map((name): readonly [string, Tool.Any] => [
        `${namespace}.${name}`,
        Tool.make(`${namespace}__${name.replaceAll(".", "__")}`)
          .annotate(Catalog.Path, `${namespace}.${name}`)
          .annotate(Catalog.Namespace, { path: namespace, notes }),
      ])
    const tools = [
      ...of("api", "I am the API.", "users.list", "users.get", "groups.list"),
      ...of("wiki", "I am the wiki.", "pages.read", "search"),
    ]
    expect(Catalog.render(Catalog.make(tools)).text.split("\n").filter((line) => line.startsWith("//"))).toEqual([
      "// api.groups (1 tool)",
      "// Its server says (call its tools by the paths given here): I am the API.",
      "// api.users (2 tools)",
      "// wiki (1 tool)",
      "// Its server says (call its tools by the paths given here): I am the wiki.",
      "// wiki.pages (1 tool)",
    ])
    const many = of("api", "I am the API.", ...Array.from({ length: 100 }, (_, i) => `group${i}.run`))
    const { text } = Catalog.render(Catalog.make(many), { budget: 1_000 })
    expect(text).toMatch(/^\/\/ api \(100 tools, \d+ shown\)\n\/\/ Its server says [^:]+: I am the API\./m)
    expect(text.match(/I am the API/g)).toHaveLength(1)
  })

  it("tells which namespaces are not there now, whatever the budget, and where there is nothing else", () => {
    const there = Catalog.make([["wiki.read", Tool.make("wiki.read")]], ["mail", "calendar", "odd\n*/"])
    for (const budget of [0, 2_000]) {
      expect(Catalog.render(there, { budget }).text.split("\n").filter((line) => line.endsWith("(not available now)")))
        .toEqual([
          "// calendar (not available now)",
          "// mail (not available now)",
          "// odd *\\/ (not available now)",
        ])
    }
    const { text, total } = Catalog.render(Catalog.make([], ["mail"]))
    expect(total).toBe(0)
    expect(text).toBe("There are no tools to call from code.\n\n```ts\n// mail (not available now)\n```")
    expect(Catalog.render(Catalog.make([])).text).toBe("There are no tools to call from code.")
  })

  it("tells namespaces inside one another as one where there are very many", () => {
    const catalog = Catalog.fromDefinitions(Array.from({ length: 200 }, (_, i) => tool(`api.group${i}.run`)))
    expect(heads(Catalog.render(catalog, { budget: 200 }).text)).toEqual([
      expect.stringMatching(/^\/\/ api \(200 tools, \d shown\)$/),
    ])
  })
})

describe("the instructions", () => {
  const presented = (count: number): Toolkit.WithHandler<Record<string, Tool.Any>> => ({
    tools: Object.fromEntries(
      Array.from(
        { length: count },
        (_, i) => [`many.tool_${i}`, Tool.dynamic(`many.tool_${i}`, { description, parameters: tool("", 3).input! })],
      ),
    ),
    handle: () => Effect.die(new Error("called")),
  })
  const mode = (count: number, search: boolean, options?: CodeMode.Options) =>
    Effect.runSync(
      CodeMode.make(
        presented(count),
        stub(() => Effect.succeed(null), { guide: { language: "Any.", search } }),
        options,
      ) as Effect.Effect<
        CodeMode.CodeMode
      >,
    )

  it("are the parts that a host can also put together itself", () => {
    const { instructions, texts } = mode(500, true)
    expect(instructions).toBe([texts.summary, texts.workflow, texts.rules, texts.language, texts.catalog].join("\n\n"))
    expect(instructions.replace(texts.catalog, "").length / 4).toBeLessThan(700)
  })

  it("advertise search where not everything is shown, and the runtime has it", () => {
    expect(mode(500, true).instructions).toContain("await search({ query:")
    expect(mode(500, true).texts.catalog).toContain("search(input: { query?: string")
    expect(mode(3, true).instructions).not.toContain("search")
    const listed = mode(500, false).instructions
    expect(listed).not.toContain("search")
    for (let i = 0; i < 500; i++) expect(listed).toContain(`tools.many.tool_${i}`)
  })

  it("do not grow with the toolkit", () => {
    const lengths = [100, 1000].map((count) => mode(count, true).instructions.length)
    expect(Math.abs(lengths[0]! - lengths[1]!)).toBeLessThan(400)
    expect(mode(1000, true, { catalogBudget: 500 }).texts.catalog.length).toBeLessThanOrEqual(2000)
  })

  it("name no tool that is not there", () => {
    const { rules, summary, workflow } = mode(500, true).texts
    const named = Array.from(`${summary}${workflow}${rules}`.matchAll(/tools\.([\w.<>]+)/g), ([, name]) => name)
    expect(named).toEqual(["<namespace>.<tool>"])
  })
})

describe("the option `namespaces`", () => {
  const presented: Toolkit.WithHandler<Record<string, Tool.Any>> = {
    tools: {
      github_list_issues: Tool.make("github_list_issues"),
      github_delete_repo: Tool.make("github_delete_repo", { needsApproval: true }),
    },
    handle: (name) => Effect.die(new Error(`called ${String(name)}`)),
  }
  const options = { namespaces: ["github"] }

  it.effect("gives programs the names, and the toolkit its own", () =>
    Effect.gen(function*() {
      const runtime = stub(catching("github.list_issues"))
      const mode = yield* CodeMode.make(presented, runtime, options) as Effect.Effect<CodeMode.CodeMode>
      yield* Effect.exit(mode.execute(""))
      expect(runtime.executions[0]!.tools).toEqual(["github.list_issues"])
      expect(mode.instructions).toContain("tools.github.list_issues()")
      expect(Object.keys(mode.sideTools)).toEqual(["github_delete_repo"])
    }))

  it.effect.each(["github.delete_repo", "github_delete_repo"])(
    "a side tool is known by both names: %s",
    (name) =>
      Effect.gen(function*() {
        const { result } = yield* execute(presented, catching(name), options) as Effect.Effect<
          CodeMode.Outcome,
          CodeMode.CodeError
        >
        expect(result).toMatchObject({
          code: "APPROVAL_REQUIRED",
          message: expect.stringContaining("github_delete_repo"),
        })
      }),
  )

  it.effect("two tools of one name are a defect, as is a claim to the reserved namespace", () =>
    Effect.gen(function*() {
      const make = (names: ReadonlyArray<string>, namespaces: ReadonlyArray<string>) =>
        Effect.exit(
          CodeMode.make(
            { tools: Object.fromEntries(names.map((name) => [name, Tool.make(name)])), handle: presented.handle },
            stub(() => Effect.succeed(null)),
            { namespaces },
          ) as Effect.Effect<CodeMode.CodeMode>,
        )
      const message = (exit: Exit.Exit<unknown>) => Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
      expect(message(yield* make(["a_b", "a.b"], ["a"]))).toContain(`the same name "a.b": "a_b" and "a.b"`)
      expect(message(yield* make(["$codemode_search"], ["$codemode"]))).toContain("reserved")
    }))

  it.effect.each([-1, Number.NaN])(
    "a budget of %s is a defect that names it",
    (catalogBudget) =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(
          CodeMode.make(presented, stub(() => Effect.succeed(null)), { catalogBudget }) as Effect.Effect<
            CodeMode.CodeMode
          >,
        )
        expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("catalogBudget")
      }),
  )
})

describe("many tools", () => {
  // Real schemas, so that each has to be written as JSON Schema first.
  const many = (count: number): Toolkit.WithHandler<Record<string, Tool.Any>> => ({
    tools: Object.fromEntries(
      Array.from({ length: count }, (_, i) => `area${i % 7}.tool_${i}`).map((name) => [
        name,
        Tool.make(name, {
          description: `What ${name} does`,
          parameters: Schema.Struct({ id: Schema.String, tags: Schema.optionalKey(Schema.Array(Schema.String)) }),
        }),
      ]),
    ),
    handle: () => Effect.die("not called"),
  })
  const make = (toolkit: Toolkit.WithHandler<Record<string, Tool.Any>>) =>
    CodeMode.make(toolkit, stub(() => Effect.succeed(null))) as Effect.Effect<CodeMode.CodeMode>

  it.live("are described while others have their turns", () =>
    Effect.gen(function*() {
      let turns = 0
      const others = yield* Effect.forkChild(
        Effect.forever(Effect.andThen(Effect.yieldNow, Effect.sync(() => turns++))),
      )
      yield* make(many(40))
      const few = turns
      yield* make(many(2000))
      yield* Fiber.interrupt(others)
      expect(few).toBeLessThan(5)
      expect(turns - few).toBeGreaterThan(2000 / 100)
    }))

  it("are described the same by an effect that is run at a stretch, and by one that is not", async () => {
    const toolkit = many(300)
    const { instructions } = Effect.runSync(make(toolkit))
    expect(instructions).toContain("of 300 shown")
    expect((await Effect.runPromise(make(toolkit))).instructions).toBe(instructions)
  })

  it("of one namespace that are all alike are shown in the order of their names", () => {
    const all = Catalog.fromDefinitions(Array.from({ length: 3000 }, (_, i) => tool(`t${String(i).padStart(4, "0")}`)))
    const { shown, text } = Catalog.render(all, { budget: 1000 })
    const names = Array.from(text.matchAll(/^tools\.(t\d+)/gm), ([, name]) => name)
    expect(names).toEqual(Array.from({ length: shown }, (_, i) => `t${String(i).padStart(4, "0")}`))
    expect(shown).toBeGreaterThan(20)
  })
})
