/**
 * The fewest parts with which something still is so, found by leaving out ever smaller stretches of them. `tries` bounds how often
 * it is looked.
 */
export const shrink = async <A>(
  parts: ReadonlyArray<A>,
  isSo: (parts: ReadonlyArray<A>) => Promise<boolean>,
  tries = 400,
): Promise<ReadonlyArray<A>> => {
  let kept = parts
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < kept.length && tries > 0;) {
      const fewer = [...kept.slice(0, start), ...kept.slice(start + size)]
      tries--
      if (await isSo(fewer)) kept = fewer
      else start += size
    }
  }
  return kept
}
