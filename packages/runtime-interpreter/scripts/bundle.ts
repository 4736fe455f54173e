// Makes of each package the folder that is published, its scripts in few files: npm run bundle. A host spends about as long on finding
// a file as on compiling it. The package's own `dist` stays as the compiler leaves it.
import { fileURLToPath } from "node:url"
import { isCode, publish } from "./bundle/chunk.ts"

// From `build/scripts`.
const packages = fileURLToPath(new URL("../../../", import.meta.url))

for (const name of ["toolkit", "runtime-interpreter"]) {
  const folder = `${packages}${name}`
  const code = (await publish(folder, `${folder}/build/package`)).filter(isCode)
  console.log(`${name}: ${code.length} files, ${code.reduce((sum, { text }) => sum + text.length, 0)} characters`)
}
