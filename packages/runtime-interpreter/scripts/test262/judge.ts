import type { Completion, Host } from "./host.ts"
import { harness, type Test } from "./suite.ts"

const finished = "Test262:AsyncTestComplete"
const needsHost = /\$262|\$DETACHBUFFER/

/**
 * The program of a test. Names that the top level of a program declares belong to that program, so the harness and the
 * test are one program and not one script after the other.
 */
export const program = (root: string, test: Test, host: Host): string => {
  if (test.flags.includes("raw")) {
    return test.source
  }
  const isAsync = test.flags.includes("async")
  const includes = ["assert.js", "sta.js", ...isAsync ? ["doneprintHandle.js"] : [], ...test.includes]
  return [
    `"use strict";\n`,
    needsHost.test(test.source) || test.includes.includes("detachArrayBuffer.js") ? host.preamble : "",
    ...[...new Set(includes)].map((name) => `${harness(root, name)}\n`),
    // asyncHelpers.js looks for it as a property of the global object.
    isAsync ? `globalThis.$DONE = $DONE;\n` : "",
    test.source,
  ].join("")
}

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
    // The harness compiles, as the other tests show, so it need not be compiled again.
    const completion = host.compile(test.flags.includes("raw") ? test.source : `"use strict";\n${test.source}`)
    return completion.type === "early" && completion.name === expected.type
      ? undefined
      : `expected an early ${expected.type}, but it ${completion.type === "normal" ? "compiles" : tell(completion)}`
  }
  const { completion } = host.run(program(root, test, host))
  return completion.type === "throw" && completion.name === expected.type
    ? undefined
    : `expected a ${expected.type}, but it ${tell(completion)}`
}

/** Runs one test. Gives `undefined` if it passes, else what went wrong in one line. */
export const judge = (root: string, test: Test, host: Host): string | undefined => {
  if (test.negative !== undefined) {
    return judgeNegative(root, test, host, test.negative)
  }
  const { completion, printed } = host.run(program(root, test, host))
  if (completion.type !== "normal") {
    return tell(completion)
  }
  if (!test.flags.includes("async") || printed.includes(finished)) {
    return undefined
  }
  return printed.find((line) => line.startsWith("Test262:AsyncTestFailure"))?.slice("Test262:AsyncTestFailure:".length)
    ?? "ended without calling $DONE"
}
