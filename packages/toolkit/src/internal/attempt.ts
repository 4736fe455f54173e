/** Reads what may throw, such as a schema of a stranger, and gives something else where it does. */
export const attempt = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Reads a text that is written as in an address. What is not written so stands for itself. */
export const unescaped = (text: string): string => attempt(() => decodeURIComponent(text), text)
