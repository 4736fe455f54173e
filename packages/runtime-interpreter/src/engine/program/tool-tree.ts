import { type PropertyKey, toKey } from "../object/index.ts"

/** A name that tools have, or a part of one: a tool, a namespace, or both. The same for all runs over the same tools. */
export class ToolNode {
  readonly children = new Map<PropertyKey, ToolNode>()
  isTool = false

  /** The whole name, dotted; the empty text for the root. */
  constructor(readonly name: string) {}
}

const build = (names: ReadonlyArray<string>): ToolNode => {
  const root = new ToolNode("")
  for (const name of names) {
    let node = root
    let end = -1
    do {
      const start = end + 1
      end = name.indexOf(".", start)
      const key = toKey(name.slice(start, end < 0 ? name.length : end))
      let child = node.children.get(key)
      if (child === undefined) {
        child = new ToolNode(end < 0 ? name : name.slice(0, end))
        node.children.set(key, child)
      }
      node = child
    } while (end >= 0)
    node.isTool = true
  }
  return root
}

// Hosts run many programs over one list of names.
const trees = new WeakMap<ReadonlyArray<string>, { readonly count: number; readonly root: ToolNode }>()

/** The tree of callable names, in which a dot separates namespaces. */
export const treeOf = (names: ReadonlyArray<string>): ToolNode => {
  const known = trees.get(names)
  if (known !== undefined && known.count === names.length) return known.root
  const root = build(names)
  trees.set(names, { count: names.length, root })
  return root
}

/** The node at a path from the root, if the path leads to one. */
export const nodeAt = (root: ToolNode, path: ReadonlyArray<string>): ToolNode | undefined => {
  let node: ToolNode | undefined = root
  for (const segment of path) node = node?.children.get(toKey(segment))
  return node
}
