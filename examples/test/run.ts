import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect } from "vitest"

const runner = fileURLToPath(new URL("../run.js", import.meta.url))

/** Runs an example as a user does, without a terminal, and gives what it printed. It has to end well and say nothing else. */
export const example = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [runner, ...args], { maxBuffer: 16 << 20 })
  expect(stderr).toBe("")
  expect(stdout).not.toContain("\u001b[")
  return stdout
}

/** A section of what an example printed, by its title. */
export const section = (output: string, title: string): string => {
  const [, text] = output.split(`── ${title} `)
  expect(text).toBeDefined()
  return text!.split("\n── ")[0]!
}
