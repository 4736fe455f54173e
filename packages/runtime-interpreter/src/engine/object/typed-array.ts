import { type InternalMethods, ordinary } from "./operations.ts"

/** https://tc39.es/ecma262/#sec-typedarray-exotic-objects */
export const typedArrayMethods: InternalMethods = { ...ordinary }
