import { type JSObject, Kind } from "../object/index.ts"

/** The payload of an object that `JSON.rawJSON` made. */
export class RawJson {
  readonly brand = "RawJSON"
}

export const isRawJson = (o: JSObject): boolean => o.kind === Kind.Internal && o.data instanceof RawJson
