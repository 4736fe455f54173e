import type { Summary } from "../test262/report.ts"
import { fromCode, fromReport } from "./blocks.ts"

const block = /(<!-- begin ([\w-]+) -->\n)([^]*?)(<!-- end \2 -->)/g

/** The text with its marked blocks written anew. Blocks of numbers stay as they are without a report. */
export const fill = async (text: string, report?: Summary): Promise<string> => {
  const blocks = new Map<string, string>()
  for (const [, , name, old] of text.matchAll(block)) {
    const made = Object.hasOwn(fromCode, name!)
      ? await fromCode[name!]!()
      : Object.hasOwn(fromReport, name!)
      ? report === undefined ? old!.trim() : fromReport[name!]!(report)
      : undefined
    if (made === undefined) throw new Error(`There is no block "${name}"`)
    blocks.set(name!, made)
  }
  return text.replace(
    block,
    (_all, begin: string, name: string, _old, end: string) => `${begin}\n${blocks.get(name)!}\n\n${end}`,
  )
}
