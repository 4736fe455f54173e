/** The only ways for data into and out of a program: the host's JSON to guest values, and guest values to JSON. */
export * from "./boundary-error.ts"
export * from "./from-json.ts"
export * from "./to-json.ts"
