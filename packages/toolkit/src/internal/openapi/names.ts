/**
 * Names the tools of a description.
 */

export interface Named {
  readonly method: string
  readonly path: string
  readonly id: string | undefined
}

/**
 * Gives each operation a name of its own. It depends on no order, so that a description that is only sorted anew keeps its names.
 *
 * - An id is the name; its dots and slashes part namespaces: `issues/list` is `issues.list`.
 * - Without an id, the method and the path are: `GET /users/{id}` is `get_users_by_id`.
 * - An id that several have says which of them is meant with the method and the path behind it, for all of them.
 */
export const namesOf = (operations: ReadonlyArray<Named>): Array<string> => {
  const first = operations.map((operation) => ofId(operation.id) ?? ofPath(operation))
  const counts = new Map<string, number>()
  for (const name of first) counts.set(name, (counts.get(name) ?? 0) + 1)
  const second = first.map((name, i) => {
    const path = ofPath(operations[i]!)
    return counts.get(name) === 1 || name === path ? name : `${name}_${path}`
  })
  // Paths that differ in their signs alone.
  const order = operations.map((_, i) => i).sort((a, b) => compare(keyOf(operations[a]!), keyOf(operations[b]!)))
  const taken = new Set<string>()
  const names: Array<string> = []
  for (const i of order) {
    let name = second[i]!
    for (let n = 2; taken.has(name); n++) name = `${second[i]}_${n}`
    taken.add(name)
    names[i] = name
  }
  return names
}

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

const keyOf = ({ method, path }: Named): string => `${path} ${method}`

const ofId = (id: string | undefined): string | undefined => {
  const segments = (id ?? "").split(/[./]/u).map((segment) => segment.trim()).filter((segment) => segment !== "")
  return segments.length === 0 ? undefined : segments.join(".")
}

const ofPath = ({ method, path }: Named): string =>
  [method, ...path.split("/")]
    .map((segment) =>
      segment.replace(/\{([^}]*)\}/gu, "_by_$1_").replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/gu, "")
    )
    .filter((segment) => segment !== "")
    .join("_")
