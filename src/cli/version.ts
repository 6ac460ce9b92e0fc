import { fileURLToPath } from 'node:url'
import { BUILT } from '../core/built.ts'
import { readText } from './input/read-file.ts'

/** The version of the package. */
export const VERSION = String(
  JSON.parse(readText(fileURLToPath(new URL('../package.json', BUILT)))).version,
)
