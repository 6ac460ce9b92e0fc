import { realpathSync } from 'node:fs'
import type { LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compiledFile } from './compiled-file.ts'
import { publicModules } from './public-modules.ts'
import { isOwn } from './source-files.ts'

/* Hooks of Node's module loader, in the thread that Node keeps for them. */

const modules = new Map(publicModules().map(({ name, code }) => [name, code]))

/** `conclave` is this program, wherever the file that imports it lies. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const url = modules.get(specifier)
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
}

/** Own files in TypeScript are checked and compiled as the command line does it. */
export const load: LoadHook = async (url, context, next) => {
  const path = url.startsWith('file:') ? fileURLToPath(url) : ''
  if (!/\.[mc]?ts$/.test(path) || !isOwn(path)) return next(url, context)
  const { code } = await compiledFile(realpathSync(path), true)
  return { format: 'module', source: code, shortCircuit: true }
}
