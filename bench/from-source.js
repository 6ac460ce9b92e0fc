import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** What a file in TypeScript exports; the path begins at the root of the repository. */
export async function fromSource(path) {
  const entry = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const options = { bundle: true, write: false, platform: 'node', format: 'esm' }
  const { outputFiles } = await build({ entryPoints: [entry], ...options })
  const code = Buffer.from(outputFiles[0].text).toString('base64')
  return import(`data:text/javascript;base64,${code}`)
}
