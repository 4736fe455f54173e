// Writes docs/api from the docstrings of the public modules: `npm run docs:api`. With `--check`, writes nothing and fails if what is
// there is out of date. Options are in typedoc.json; here is what no option says.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Application, Comment, CommentTag, Converter, ReflectionKind, TypeDocReader } from "typedoc"

const root = fileURLToPath(new URL("../../", import.meta.url))
const target = join(root, "docs", "api")

const sourceOf = (module) => {
  const path = join(root, "packages", module.name)
  return readFileSync(existsSync(`${path}.ts`) ? `${path}.ts` : join(path, "index.ts"), "utf8")
}

const textOf = (docstring) => docstring.replaceAll(/^ *\* ?/gm, "").replaceAll(/^@.*$/gm, "").trim()

// A module is named as it is imported, `toolkit/CodeMode`, and begins with what its file begins with.
const present = (module) => {
  const docstring = /^\/\*\*([^]*?)\*\//.exec(sourceOf(module))?.[1]
  if (docstring !== undefined) module.comment = new Comment([{ kind: "text", text: textOf(docstring) }])
  module.name = module.name.replace("/src/", "/")
}

// The docstrings of names that a module exports from elsewhere: what is declared elsewhere may say more, and belongs to no category.
const exported = (module) =>
  new Map(
    Array.from(
      sourceOf(module).matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:type )?(?:\w+ as )?(\w+),/g),
      ([, docstring, name]) => [name, docstring],
    ),
  )

// Every export has a text, since when it is there, and the category by which the page orders it.
const complete = (logger, module, docstring, each) => {
  const places = each.signatures ?? [each]
  for (const place of places) {
    if (docstring !== undefined) {
      place.comment ??= new Comment([{ kind: "text", text: textOf(docstring) }])
      for (const [, tag, text] of docstring.matchAll(/(@since|@category) (.*)$/gm)) {
        if (place.comment.getTag(tag) === undefined) {
          place.comment.blockTags.push(new CommentTag(tag, [{ kind: "text", text: text.trim() }]))
        }
      }
    }
    for (const tag of ["@since", "@category"]) {
      if (place.comment?.getTag(tag) === undefined) logger.error(`${module.name}.${each.name} has no ${tag}`)
    }
    if (!(place.comment?.summary.length > 0)) logger.error(`${module.name}.${each.name} has no docstring`)
  }
}

// Errors are classes of schemas: how they are constructed and what they inherit is the schema's business.
const simplify = (project, error) => {
  delete error.extendedTypes
  delete error.typeHierarchy
  for (const member of [...error.children ?? []]) {
    if (member.kindOf(ReflectionKind.Constructor)) project.removeReflection(member)
    else {
      delete member.inheritedFrom
      delete member.defaultValue
    }
  }
}

// Their members are the engine's own business, and change with it.
const opaque = new Set(["JSObject", "Machine", "Template"])

const app = await Application.bootstrapWithPlugins({ options: join(root, "typedoc.json") }, [new TypeDocReader()])
app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
  for (const module of project.children) {
    const docstrings = exported(module)
    for (const each of module.children) {
      if (module.name.endsWith("engine") && opaque.has(each.name)) {
        for (const member of [...each.children ?? []]) project.removeReflection(member)
      }
      if (!each.isReference()) complete(app.logger, module, docstrings.get(each.name), each)
      if (each.kindOf(ReflectionKind.Class) && each.extendedTypes !== undefined) simplify(project, each)
    }
    present(module)
  }
})

const project = await app.convert()
if (project === undefined) process.exit(1)
app.validate(project)
const isChecked = process.argv.includes("--check")
const out = isChecked ? mkdtempSync(join(tmpdir(), "api-")) : target
app.options.setValue("out", out)
await app.generateOutputs(project)

const read = (folder) =>
  new Map(
    (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
      .filter((name) => name.endsWith(".md"))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  )

if (isChecked) {
  const [now, then] = [read(out), read(target)]
  rmSync(out, { recursive: true })
  const stale = Array.from(new Set([...now.keys(), ...then.keys()])).filter((name) => now.get(name) !== then.get(name))
  if (stale.length > 0) {
    console.error(`Out of date in docs/api: ${stale.join(", ")}. Run: npm run docs:api`)
    process.exitCode = 1
  }
}
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1
