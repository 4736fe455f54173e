// How the host's data is read: it may be anything, and do anything while it is looked at.

/** What reading gives where the host's object threw. */
export const UNREADABLE: unique symbol = Symbol("unreadable")

/** Whether two lists of keys are the same. */
export const sameKeys = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** A property or an element of the host's data; `UNREADABLE` where it throws. */
export const read = (source: any, key: string | number): unknown => {
  try {
    return source[key]
  } catch {
    return UNREADABLE
  }
}

/** The values of an object, in a new array. */
export const valuesOf = (source: object, keys: ReadonlyArray<string>): Array<unknown> => {
  try {
    const values = Object.values(source)
    if (values.length === keys.length) return values
  } catch {
    // Some getter throws, or a proxy plays tricks: it is found out below which value cannot be read.
  }
  return keys.map((key) => read(source, key))
}

/** Whether a plain object has these keys, found out without an array of them. */
const hasKeys = (source: object, keys: ReadonlyArray<string>): boolean => {
  // What the loop below would give of this is not the object's own.
  for (const _ in Object.prototype) return false
  let i = 0
  for (const key in source) if (keys[i++] !== key) return false
  return i === keys.length
}

/**
 * The length of an array, the keys of a plain object, the class of another object; null if looking fails. The keys are `last`, if it
 * has these.
 */
export const inspect = (
  source: object,
  last: Array<string> | null,
): number | Array<string> | { readonly className: string } | null => {
  try {
    if (Array.isArray(source)) {
      // A proxy may say anything.
      const { length } = source
      return Number.isSafeInteger(length) && length >= 0 ? length : null
    }
    const proto: object | null = Object.getPrototypeOf(source)
    if (proto === Object.prototype && last !== null && hasKeys(source, last)) return last
    // The third case is a plain object of another realm.
    if (proto === null || proto === Object.prototype || Object.getPrototypeOf(proto) === null) {
      return Object.keys(source)
    }
    const className: unknown = (proto.constructor as { readonly name?: unknown } | undefined)?.name
    return { className: typeof className === "string" && /^[\w$]{1,64}$/.test(className) ? className : "a class" }
  } catch {
    return null
  }
}
