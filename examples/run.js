// Runs one example by its name: `npm run example -- NAME`.
import { existsSync, readdirSync } from "node:fs"

const build = new URL("./build/", import.meta.url)
const names = readdirSync(build, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`./${entry.name}/main.js`, build)))
  .map((entry) => entry.name)
const name = process.argv[2]
if (name === undefined || !names.includes(name)) {
  console.error(`${name === undefined ? "Name an example" : `There is no example "${name}"`}: ${names.join(", ")}`)
  process.exit(1)
}
await import(new URL(`./${name}/main.js`, build).href)
