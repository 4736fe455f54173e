import { inSteps } from "../machine/calls.ts"
import { type Member, method } from "./define.ts"
import { ElementCalls, Loop } from "./element-calls.ts"

const member = (name: string, loop: number, ascending = true): Member =>
  method(name, 1, (m, self, args) => inSteps(m, [], new ElementCalls(m, self, args, name, loop, ascending)))

/** The methods that call a function for each element, by name. */
export const callbackMethods = {
  /** https://tc39.es/ecma262/#sec-array.prototype.every */
  every: member("every", Loop.Every),
  /** https://tc39.es/ecma262/#sec-array.prototype.filter */
  filter: member("filter", Loop.Filter),
  /** https://tc39.es/ecma262/#sec-array.prototype.find */
  find: member("find", Loop.Find),
  /** https://tc39.es/ecma262/#sec-array.prototype.findindex */
  findIndex: member("findIndex", Loop.FindIndex),
  /** https://tc39.es/ecma262/#sec-array.prototype.findlast */
  findLast: member("findLast", Loop.Find, false),
  /** https://tc39.es/ecma262/#sec-array.prototype.findlastindex */
  findLastIndex: member("findLastIndex", Loop.FindIndex, false),
  /** https://tc39.es/ecma262/#sec-array.prototype.flatmap */
  flatMap: member("flatMap", Loop.FlatMap),
  /** https://tc39.es/ecma262/#sec-array.prototype.foreach */
  forEach: member("forEach", Loop.ForEach),
  /** https://tc39.es/ecma262/#sec-array.prototype.map */
  map: member("map", Loop.Map),
  /** https://tc39.es/ecma262/#sec-array.prototype.reduce */
  reduce: member("reduce", Loop.Reduce),
  /** https://tc39.es/ecma262/#sec-array.prototype.reduceright */
  reduceRight: member("reduceRight", Loop.Reduce, false),
  /** https://tc39.es/ecma262/#sec-array.prototype.some */
  some: member("some", Loop.Some),
} as const
