/**
 * The well-known symbols. As in the standard all realms have the same ones: they carry no state, and none is the host's own.
 */
export const SymbolAsyncIterator: symbol = Symbol("Symbol.asyncIterator")
export const SymbolHasInstance: symbol = Symbol("Symbol.hasInstance")
export const SymbolIsConcatSpreadable: symbol = Symbol("Symbol.isConcatSpreadable")
export const SymbolIterator: symbol = Symbol("Symbol.iterator")
export const SymbolMatch: symbol = Symbol("Symbol.match")
export const SymbolMatchAll: symbol = Symbol("Symbol.matchAll")
export const SymbolReplace: symbol = Symbol("Symbol.replace")
export const SymbolSearch: symbol = Symbol("Symbol.search")
export const SymbolSpecies: symbol = Symbol("Symbol.species")
export const SymbolSplit: symbol = Symbol("Symbol.split")
export const SymbolToPrimitive: symbol = Symbol("Symbol.toPrimitive")
export const SymbolToStringTag: symbol = Symbol("Symbol.toStringTag")
export const SymbolUnscopables: symbol = Symbol("Symbol.unscopables")
export const SymbolDispose: symbol = Symbol("Symbol.dispose")
export const SymbolAsyncDispose: symbol = Symbol("Symbol.asyncDispose")

/** By the name of the property of `Symbol`. */
export const wellKnownSymbols: Readonly<Record<string, symbol>> = {
  asyncDispose: SymbolAsyncDispose,
  asyncIterator: SymbolAsyncIterator,
  dispose: SymbolDispose,
  hasInstance: SymbolHasInstance,
  isConcatSpreadable: SymbolIsConcatSpreadable,
  iterator: SymbolIterator,
  match: SymbolMatch,
  matchAll: SymbolMatchAll,
  replace: SymbolReplace,
  search: SymbolSearch,
  species: SymbolSpecies,
  split: SymbolSplit,
  toPrimitive: SymbolToPrimitive,
  toStringTag: SymbolToStringTag,
  unscopables: SymbolUnscopables,
}
