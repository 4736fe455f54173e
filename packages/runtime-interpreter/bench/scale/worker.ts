// Measures one part, named by the first argument, and writes what came out as JSON.
import { parts } from "./parts.ts"

const [name, isQuick] = process.argv.slice(2)
const listed = parts.find((part) => part.name === name)
if (listed === undefined) throw new Error(`There is no part "${String(name)}"`)
console.log(JSON.stringify(await listed.part(isQuick === "quick")))
