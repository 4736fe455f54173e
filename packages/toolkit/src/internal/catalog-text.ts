import type { Catalog, Entry, Rendered } from "../Catalog.ts"
import { entryText, isAllWithin, Queue } from "./catalog-queue.ts"
import { oneLine } from "./safe-text.ts"
import type { Steps } from "./turns.ts"

/** Characters to an estimated token. */
const CHARACTERS = 4
const MAX_NOTES = 300
const MAX_NAME = 100
/** With more namespaces than so many, those inside one another are told as one. */
const MAX_NAMESPACES = 60

interface Group {
  readonly name: string
  readonly entries: Array<Entry>
  /** What is told of it beside its tools. */
  notes: string
  readonly shown: Set<Entry>
}

/** How it is written: `RenderOptions` with everything said. */
export interface Settings {
  readonly budget: number
  readonly paths: boolean
  readonly footer: string
}

/** Writes a catalog within a budget of estimated tokens. Lines of namespaces, and with `paths` all paths, are there whatever it is. */
export function* render(catalog: Catalog, { budget, footer, paths }: Settings): Steps<Rendered> {
  const total = catalog.entries.length
  const absent = (catalog.unavailable ?? []).map((name) => `// ${oneLine(name, MAX_NAME)} (not available now)`)
  if (total === 0) {
    const nothing = "There are no tools to call from code."
    return { text: absent.length === 0 ? nothing : `${nothing}\n\n${fenced(absent)}`, shown: 0, total }
  }
  const groups = grouped(catalog)
  // As long as they can get.
  let left = budget * CHARACTERS - heading(total, total + 1).length - FENCE_LENGTH
  for (const line of absent) left -= line.length + 2
  for (const group of groups) left -= headOf(group).length + 2
  left = placeNotes(groups, catalog, left)
  yield* place(groups, left, footer.length + 2)
  const shown = groups.reduce((sum, group) => sum + group.shown.size, 0)
  const sections = [...groups.map((group) => section(group, paths)), ...absent]
  if (shown < total && footer !== "") sections.push(footer)
  return { text: `${heading(shown, total)}\n\n${fenced(sections)}`, shown, total }
}

const fenced = (sections: ReadonlyArray<string>): string => `\`\`\`ts\n${sections.join("\n\n")}\n\`\`\``

const FENCE_LENGTH = "\n\n```ts\n\n```".length

const heading = (shown: number, total: number): string =>
  shown === total ? `## Tools (COMPLETE: all ${total} shown)` : `## Tools (PARTIAL: ${shown} of ${total} shown)`

const grouped = ({ entries }: Catalog): Array<Group> => {
  const names = new Set(entries.map(({ namespace }) => namespace))
  const name = names.size <= MAX_NAMESPACES
    ? ({ namespace }: Entry) => namespace
    : ({ namespace }: Entry) => namespace.split(".", 1)[0]!
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    const own = name(entry)
    let group = groups.get(own)
    if (group === undefined) groups.set(own, group = { name: own, entries: [], notes: "", shown: new Set() })
    group.entries.push(entry)
  }
  return Array.from(groups.values()).sort((a, b) => a.name < b.name ? -1 : 1)
}

const headOf = ({ entries, name, shown }: Group): string => {
  const all = entries.length
  const how = shown.size === all ? "" : shown.size === 0 ? ", none shown" : `, ${shown.size} shown`
  return `// ${name === "" ? "(no namespace)" : oneLine(name, MAX_NAME)} (${all} ${all === 1 ? "tool" : "tools"}${how})`
}

// Servers may say as much as fits into a quarter of the budget.
const placeNotes = (groups: ReadonlyArray<Group>, { notes }: Catalog, left: number): number => {
  let room = left / 4
  const told = notes === undefined || notes.size === 0 ? new Map<Group, string>() : placed(groups, notes)
  for (const group of groups) {
    const note = oneLine(told.get(group) ?? "", MAX_NOTES)
    if (note === "") continue
    const text = `\n// Its server says (call its tools by the paths given here): ${note}`
    if (text.length > room) continue
    group.notes = text
    room -= text.length
    left -= text.length
  }
  return left
}

// Where a namespace has no line of its own, its notes stand at the first of those within it, or at the one it is within.
const placed = (groups: ReadonlyArray<Group>, notes: ReadonlyMap<string, string>): Map<Group, string> => {
  const own = new Map(groups.map((group) => [group.name, group]))
  const told = new Map<Group, string>()
  for (const [name, note] of notes) {
    const group = own.get(name) ?? groups.find((group) => group.name.startsWith(`${name}.`)) ??
      own.get(name.split(".", 1)[0]!)
    if (group !== undefined && (!told.has(group) || group.name === name)) told.set(group, note)
  }
  return told
}

/** Chooses what is shown. If that is not everything, so many characters are kept free. */
function* place(groups: ReadonlyArray<Group>, left: number, reserve: number): Steps<void> {
  if (left <= 0) return
  const queues = new Map<Group, Queue>()
  for (const group of groups) queues.set(group, yield* Queue.of(group.entries))
  if (!(yield* isAllWithin(Array.from(queues.values()), left))) left -= reserve
  // A namespace that has nothing more, or nothing that fits, is done, and the others go on.
  while (queues.size > 0) {
    for (const [group, queue] of queues) {
      const next = yield* queue.next(left)
      if (next === undefined) {
        queues.delete(group)
        continue
      }
      left -= next.length
      group.shown.add(next.entry)
    }
  }
}

const section = (group: Group, paths: boolean): string => {
  let text = headOf(group) + group.notes
  const others: Array<string> = []
  for (const entry of group.entries) {
    if (group.shown.has(entry)) text += entryText(entry)
    else if (paths) others.push(entry.path)
  }
  return others.length === 0 ? text : `${text}\n// Not shown: ${others.join(" ")}`
}
