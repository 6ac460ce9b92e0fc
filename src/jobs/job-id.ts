import { createHash } from 'node:crypto'
import type { Work } from './executor.ts'

/**
 * The ids of the jobs of a study by their inputs: the same content has the same id, on every
 * machine and in every process.
 */
export function jobIds({ kind, given }: Work): (input: unknown) => string {
  // What all share may be large, and is read once.
  const shared = contentHash(given)
  return (input) => contentHash([kind, shared, input])
}

/** The SHA-256 of a value in canonical JSON. */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** JSON with the names of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
