import { fileURLToPath } from 'node:url'
import { BUILT } from '../core/built.ts'
import { readJsonObject } from './input/read-file.ts'

/** The version of the package. */
export const VERSION = String(
  readJsonObject(fileURLToPath(new URL('../package.json', BUILT))).version,
)
