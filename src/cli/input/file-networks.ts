import { dirname, isAbsolute, join } from 'node:path'
import type { Topology } from '../../core/index.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import type { Io } from '../io.ts'

/** Fields whose text may name a file, and how such a text begins. */
const NAMING = { topology: /^file:/, delay: /^(?:file|links):/ } as const

/** The fields of a document, with the files that it names relative to the document. */
export function besideDocument<T extends ScenarioInput>(fields: T, document: string): T {
  const folder = dirname(document)
  if (folder === '.') return fields
  const moved = Object.entries(NAMING).flatMap(([field, pattern]) =>
    fields[field] === undefined ? [] : [[field, movedText(fields[field], pattern, folder)]],
  )
  return { ...fields, ...Object.fromEntries(moved) }
}

/** Texts of files move; so do those in a list, as a sweep has them. */
function movedText(value: unknown, pattern: RegExp, folder: string): unknown {
  if (Array.isArray(value)) return value.map((one) => movedText(one, pattern, folder))
  if (typeof value !== 'string') return value
  const [prefix] = pattern.exec(value) ?? []
  if (prefix === undefined) return value
  const path = value.slice(prefix.length)
  return isAbsolute(path) ? value : `${prefix}${join(folder, path)}`
}

/** Says how a network differs from the file that it was read from. */
export function noteNetwork({ name, listed }: Pick<Topology, 'name' | 'listed'>, io: Io): void {
  if (listed === undefined || listed.notes.length === 0) return
  io.err(`${name.replace(/^file:/, '')}: ${listed.notes.join('; ')}.\n`)
}
