import { stemOf } from "./words.ts"

/** Words that are used for one another when tools are named and asked for. General English, nothing of any one service. */
const groups = [
  "create add new make insert open schedule",
  "delete remove destroy erase drop forget cancel",
  "get fetch read retrieve show view",
  "list all enumerate browse every",
  "update edit modify change set rename",
  "search find query lookup locate look",
  "send post publish",
  "run execute invoke evaluate call",
  "move rename",
  "start begin launch open",
  "stop end cancel close kill terminate",
  "select choose pick",
  "type write enter",
  "go navigate visit open",
  "many several multiple bulk batch",
  "folder directory",
  "image picture photo",
  "user person people member",
  "page site website web url link",
  "issue ticket bug",
  "message chat",
  "comment reply note",
  "info metadata detail describe schema",
  "status state progress",
  "history past recent",
  "upload attach",
  "download export save",
  "javascript js script",
  "code source program",
  "email mail",
  "event meeting appointment",
  "row record entry",
  "column field",
  "place location position",
  "duplicate copy clone",
  "accept approve confirm",
] as const

const none: ReadonlySet<string> = new Set()

const grouped = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const byStem = new Map<string, Set<string>>()
  for (const group of groups) {
    const stems = group.split(" ").map(stemOf)
    for (const stem of stems) {
      const others = byStem.get(stem) ?? new Set()
      for (const other of stems) if (other !== stem) others.add(other)
      byStem.set(stem, others)
    }
  }
  return byStem
}

// Most processes that run programs search nothing.
let byStem: ReadonlyMap<string, ReadonlySet<string>> | undefined
let reading: ReadonlySet<string> | undefined

/** The stems that are used for a stem. */
export const synonymsOf = (stem: string): ReadonlySet<string> => (byStem ??= grouped()).get(stem) ?? none

/** Whether a stem is of a verb that asks for something and changes nothing. */
export const isReading = (stem: string): boolean =>
  (reading ??= new Set(
    ["get", "list", "read", "fetch", "retrieve", "show", "view", "search", "find", "query"].map(stemOf),
  )).has(stem)
