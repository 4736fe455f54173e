import type { Completion, Host } from "./host.ts"
import { harness, type Test } from "./suite.ts"

const finished = "Test262:AsyncTestComplete"
const needsHost = /\$262|\$DETACHBUFFER/

const strict = `"use strict";\n`

/** What a test relies on, as one script. */
const harnessOf = (root: string, test: Test, host: Host): string => {
  if (test.flags.includes("raw")) {
    return ""
  }
  const isAsync = test.flags.includes("async")
  const includes = ["assert.js", "sta.js", ...isAsync ? ["doneprintHandle.js"] : [], ...test.includes]
  return [
    strict,
    needsHost.test(test.source) || test.includes.includes("detachArrayBuffer.js") ? host.preamble : "",
    ...[...new Set(includes)].map((name) => `${harness(root, name)}\n`),
  ].join("")
}

const scriptOf = (test: Test): string => test.flags.includes("raw") ? test.source : strict + test.source

const tell = (completion: Completion): string => {
  switch (completion.type) {
    case "normal":
      return "ended normally"
    case "halt":
      return `stopped: ${completion.reason}`
    case "early":
      return `does not compile: ${completion.name}: ${completion.message}`
    case "throw":
      return `${completion.name === "" ? "threw" : completion.name}: ${completion.message}`
  }
}

const judgeNegative = (root: string, test: Test, host: Host, expected: NonNullable<Test["negative"]>) => {
  if (expected.phase === "parse") {
    const completion = host.compile(scriptOf(test))
    return completion.type === "early" && completion.name === expected.type
      ? undefined
      : `expected an early ${expected.type}, but it ${completion.type === "normal" ? "compiles" : tell(completion)}`
  }
  const { completion } = host.run(harnessOf(root, test, host), scriptOf(test))
  return completion.type === "throw" && completion.name === expected.type
    ? undefined
    : `expected a ${expected.type}, but it ${tell(completion)}`
}

/** Runs one test. Gives `undefined` if it passes, else what went wrong in one line. */
export const judge = (root: string, test: Test, host: Host): string | undefined => {
  if (test.negative !== undefined) {
    return judgeNegative(root, test, host, test.negative)
  }
  const { completion, printed } = host.run(harnessOf(root, test, host), scriptOf(test))
  if (completion.type !== "normal") {
    return tell(completion)
  }
  if (!test.flags.includes("async") || printed.includes(finished)) {
    return undefined
  }
  return printed.find((line) => line.startsWith("Test262:AsyncTestFailure"))?.slice("Test262:AsyncTestFailure:".length)
    ?? "ended without calling $DONE"
}
