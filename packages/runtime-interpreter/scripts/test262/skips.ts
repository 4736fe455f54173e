// What this runner leaves out of the suite, and why: everything that docs and diagnostics call "not in programs", and
// proposals that are not in the standard yet. The first rule that matches gives the reason. A test that we should pass
// and do not is a failure, never a rule here.
import type { Test } from "./suite.ts"

/** One reason to leave tests out. */
export interface Rule {
  readonly reason: string
  readonly matches: (test: Test) => boolean
}

const flag = (...names: ReadonlyArray<string>) => (test: Test) => names.some((name) => test.flags.includes(name))
const feature = (...names: ReadonlyArray<string>) => (test: Test) => names.some((name) => test.features.includes(name))
const include = (...names: ReadonlyArray<string>) => (test: Test) => names.some((name) => test.includes.includes(name))
const path = (...prefixes: ReadonlyArray<string>) => (test: Test) => prefixes.some((it) => test.file.startsWith(it))
const code = (pattern: RegExp) => (test: Test) => pattern.test(test.code)
const any = (...conditions: ReadonlyArray<(test: Test) => boolean>) => (test: Test) => conditions.some((it) => it(test))
const all = (...conditions: ReadonlyArray<(test: Test) => boolean>) => (test: Test) =>
  conditions.every((it) => it(test))
/** A test that does not compile does nothing else, whatever is in it. */
const runs = (test: Test) => test.negative?.phase !== "parse"

// The ways in which a test makes a function from text: with one of the four constructors, by name or as what the
// `constructor` of a function is, by itself or as the class that another extends.
const maker = "(?:Async|Generator|AsyncGenerator)?Function"
const fromText: ReadonlyArray<RegExp> = [
  `\\b${maker}\\s*\\(`,
  `\\b${maker}\\.(?:call|apply|bind)\\(`,
  `\\bnew\\s+${maker}\\s*[;,)]`,
  `\\bextends\\s+${maker}\\s*\\{`,
  `\\bof\\s*\\[\\s*${maker}\\b`,
  `\\bReflect\\.construct\\(${maker}\\b`,
  // `new (Object.getPrototypeOf(() => {}).constructor)()`, and what the constructor of an async generator is called.
  "\\bnew \\(Object\\.getPrototypeOf\\(.*\\.constructor\\)\\(",
  "\\bAsyncGenerator\\(",
].map((pattern) => new RegExp(pattern))

// The ways in which a test looks for a variable of its top level on the global object. Only a script puts it there: the top
// level of a program is a function's, with variables of its own.
const onGlobal = (name: string): ReadonlyArray<RegExp> =>
  [
    `\\bglobalThis\\.${name}\\b`,
    `\\bthis\\.hasOwnProperty\\("${name}"\\)`,
    `^(?:if \\()?this\\['${name}'\\]`,
    `\\bin this\\b[^]*=== "${name}"`,
    // A callback finds it on the object that it is given as `this`.
    `\\bthis\\.${name}\\b[^]*, this\\)`,
    ...name === "toString" ? ["^var \\w+ = String\\(this\\)"] : [],
  ].map((pattern) => new RegExp(pattern, "m"))

const globalVariable = ({ code }: Test): boolean =>
  Array.from(code.matchAll(/^var (\w+)/gm)).some(([, name]) => onGlobal(name!).some((pattern) => pattern.test(code)))

/** The rules, in order. */
export const rules: ReadonlyArray<Rule> = [
  // A raw test runs as it is, without "use strict", and one that is valid with a `with` is sloppy.
  { reason: "sloppy mode", matches: any(flag("noStrict"), all(flag("raw"), runs, code(/^with \(/m))) },
  {
    reason: "modules",
    matches: any(flag("module"), path("language/module-code/", "language/import/", "language/export/")),
  },
  {
    reason: "dynamic import and import.meta",
    matches: any(
      feature("dynamic-import", "import.meta", "import-attributes", "json-modules"),
      path("language/expressions/dynamic-import/", "language/expressions/import.meta/"),
    ),
  },
  {
    reason: "not in the standard yet",
    matches: any(
      feature(
        "Intl.Era-monthcode",
        "Intl.Locale-info",
        "Iterator.prototype.join",
        "Temporal",
        "ShadowRealm",
        "await-dictionary",
        "decorators",
        "error-stack-accessor",
        "export-defer",
        "immutable-arraybuffer",
        "import-bytes",
        "import-defer",
        "import-text",
        "legacy-regexp",
        "nonextensible-applies-to-private",
        "source-phase-imports",
        "source-phase-imports-module-source",
      ),
      path("built-ins/AbstractModuleSource/", "built-ins/ShadowRealm/", "built-ins/Temporal/"),
    ),
  },
  {
    reason: "eval",
    matches: any(
      path("language/eval-code/", "built-ins/eval/"),
      all(runs, code(/\beval\s*(\?\.)?\s*\(|\(\s*0\s*,\s*eval\s*\)|[=(,]\s*eval\s*[;,)]/)),
    ),
  },
  {
    reason: "functions from text",
    matches: all(runs, any(...fromText.map(code), include("fnGlobalObject.js", "wellKnownIntrinsicObjects.js"))),
  },
  { reason: "global code", matches: any(path("language/global-code/"), code(/\$262\.evalScript/), globalVariable) },
  { reason: "other realms", matches: any(feature("cross-realm"), code(/\$262\.createRealm/)) },
  {
    reason: "shared memory and agents",
    matches: any(
      feature("Atomics", "Atomics.pause", "Atomics.waitAsync", "SharedArrayBuffer"),
      flag("CanBlockIsFalse", "CanBlockIsTrue"),
      path("built-ins/Atomics/", "built-ins/SharedArrayBuffer/"),
      code(/\$262\.agent/),
    ),
  },
  {
    reason: "weak references",
    matches: any(
      feature("WeakRef", "FinalizationRegistry", "host-gc-required"),
      path("built-ins/WeakRef/", "built-ins/FinalizationRegistry/"),
    ),
  },
  { reason: "tail calls", matches: feature("tail-call-optimization") },
  { reason: "document.all", matches: feature("IsHTMLDDA") },
  { reason: "Function.prototype.caller", matches: feature("caller") },
]

/** Why a test is left out, if it is. */
export const skipped = (test: Test): string | undefined => rules.find((rule) => rule.matches(test))?.reason
