import type { JSObject, Value } from "./value.ts"

/** https://tc39.es/ecma262/#table-internal-slots-of-bound-function-exotic-objects */
export class BoundData {
  constructor(
    readonly target: JSObject,
    readonly thisValue: Value,
    readonly args: ReadonlyArray<Value>,
    readonly constructor_: boolean,
  ) {}
}
