/**
 * Finds the names most like a wrong one, by the pairs of letters they share. Comparing through an index of the pairs keeps
 * a guess cheap among thousands of names, since a program may guess in a loop.
 */
export interface Nearest {
  readonly find: (name: string, count: number) => Array<string>
}

const pairs = (name: string): Set<string> => {
  const text = `^${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")}$`
  const found = new Set<string>()
  for (let i = 0; i + 1 < text.length; i++) found.add(text.slice(i, i + 2))
  return found
}

/** Builds the index on the first question. */
export const make = (names: ReadonlyArray<string>): Nearest => {
  let sizes: Array<number> | undefined
  const postings = new Map<string, Array<number>>()
  const index = () => {
    sizes = names.map((name, i) => {
      const own = pairs(name)
      for (const pair of own) {
        const list = postings.get(pair)
        if (list === undefined) postings.set(pair, [i])
        else list.push(i)
      }
      return own.size
    })
    return sizes
  }
  return {
    find: (name, count) => {
      const known = sizes ?? index()
      const asked = pairs(name.slice(0, 200))
      const shared = new Map<number, number>()
      for (const pair of asked) {
        for (const i of postings.get(pair) ?? []) shared.set(i, (shared.get(i) ?? 0) + 1)
      }
      return Array.from(shared, ([i, same]) => ({ name: names[i]!, score: 2 * same / (asked.size + known[i]!) }))
        .filter((candidate) => candidate.score >= 0.3)
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
        .slice(0, count)
        .map((candidate) => candidate.name)
    },
  }
}
