import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { withBundle } from "../native.ts"
import { kinds, type Size } from "./sizes.ts"

it(
  "what is counted for a value is what the host takes for it, within a factor of two",
  { timeout: 120_000 },
  async () => {
    const { stdout } = await withBundle(
      "../test/containment/sizes.ts",
      (file) =>
        promisify(execFile)(process.execPath, [
          ...process.execArgv,
          "--expose-gc",
          "--input-type=module",
          "--eval",
          `const { sizes } = await import(${
            JSON.stringify(`file://${file}`)
          }); console.log(JSON.stringify(await sizes(2500)))`,
        ]),
    )
    const all = JSON.parse(stdout) as ReadonlyArray<Size>
    expect(all.length).toBe(kinds.length)
    const off = all.filter(({ counted, host }) => counted < host / 2 || counted > host * 2)
    expect(off).toEqual([])
  },
)
