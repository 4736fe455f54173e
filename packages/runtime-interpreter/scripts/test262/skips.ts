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

/** The rules, in order. */
export const rules: ReadonlyArray<Rule> = [
  { reason: "sloppy mode", matches: flag("noStrict") },
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
      code(/\beval\s*(\?\.)?\s*\(|\(\s*0\s*,\s*eval\s*\)|[=(,]\s*eval\s*[;,)]/),
    ),
  },
  {
    reason: "functions from text",
    matches: any(
      code(/\b(Async|Generator|AsyncGenerator)?Function\s*\(/),
      code(
        /\b(Async|Generator|AsyncGenerator)?Function\.(call|apply|bind)\(|Reflect\.construct\((Async|Generator)*Function\b/,
      ),
      include("fnGlobalObject.js", "wellKnownIntrinsicObjects.js"),
    ),
  },
  { reason: "global code", matches: any(path("language/global-code/"), code(/\$262\.evalScript/)) },
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
