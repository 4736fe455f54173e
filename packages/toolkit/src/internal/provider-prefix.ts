/** Between the segments of a path, as providers are told it. No segment that stands as it is has it, nor borders on one of its characters. */
export const BETWEEN = "__"

/** What the spellings of a namespace's tools begin with, where they need no hash. */
export const providerPrefix = (namespace: string): string => `${namespace.split(".").join(BETWEEN)}${BETWEEN}`
