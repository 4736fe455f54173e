// Puts the scripts that are published into few files: npm run bundle. A host spends about as long on finding a file as on compiling it.
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { chunk, isCode, removeScripts, write } from "./bundle/chunk.ts"

// From `build/scripts`.
const packages = fileURLToPath(new URL("../../../", import.meta.url))

for (const name of ["toolkit", "runtime-interpreter"]) {
  const folder = `${packages}${name}`
  const files = await chunk(folder)
  removeScripts(`${folder}/dist`)
  write(files, `${folder}/dist`)
  // The compiler is to write its own files again at the next build, all of them.
  rmSync(`${folder}/build/src.tsbuildinfo`, { force: true })
  const code = files.filter(isCode)
  console.log(`${name}: ${code.length} files, ${code.reduce((sum, { text }) => sum + text.length, 0)} characters`)
}
