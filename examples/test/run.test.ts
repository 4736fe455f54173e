import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const examples = fileURLToPath(new URL("../", import.meta.url))
const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [`${examples}run.js`, ...args], { encoding: "utf8" })

describe("the list of examples", () => {
  const names = readdirSync(examples).filter((name) => existsSync(`${examples}${name}/main.ts`))

  it("names each with what it shows, when none is named", () => {
    const { status, stdout } = run()
    expect(status).toBe(0)
    expect(stdout.match(/^ {2}[\w-]+ {2,}\S.*\.$/gm)!.map((line) => line.trim().split(" ")[0]!).sort()).toEqual(names)
  })

  it("says so when the name is none", () => {
    for (const name of ["nope", "constructor", "terminal"]) {
      const { status, stderr } = run(name)
      expect(status).toBe(1)
      expect(stderr).toContain(`There is no example "${name}".`)
    }
  })

  it("every example has a test", () => {
    for (const name of names) expect(existsSync(`${examples}test/${name}.test.ts`)).toBe(true)
  })
})
