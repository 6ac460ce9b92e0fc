import type { UseEvidence } from '../core/language/validation/only-compared.ts'
import { readCache, writeCache } from './cache.ts'
import type { IdEvidence } from './checks/id-evidence.ts'
import type { CoveredSequence } from './coverage/code-coverage.ts'
import type { Insertion } from './loop-guard.ts'

/** An own file that went into compiled code. */
export interface OwnSource {
  readonly path: string
  readonly text: string
  /** What was added to the text before it was bundled. */
  readonly insertions: readonly Insertion[]
}

/** Code whose places in own files are known. */
export interface MappedCode {
  readonly path: string
  readonly code: string
  /** The `mappings` of the source map; it counts the sources. */
  readonly mappings: string
  readonly sources: readonly OwnSource[]
}

/** A file of the user and what it imports, ready to be executed. */
export interface CompiledFile extends MappedCode {
  /** Whether its types were checked. */
  readonly typed: boolean
  /** Whether its definitions use ids by comparison alone. */
  readonly ids: IdEvidence
  /** The same of all that a proof must know to be only compared. */
  readonly use: UseEvidence
  /** All numbers in its source. */
  readonly numbers: readonly number[]
  /** Where it tells which of its code runs. */
  readonly coverage?: readonly CoveredSequence[]
}

/**
 * Compiles the file at an absolute path, or finds the code in the cache. Mistakes in it are told in
 * one `UsageError` with their places. With coverage, the code tells which of it runs.
 */
export async function compiledFile(
  path: string,
  types: boolean,
  covered = false,
): Promise<CompiledFile> {
  const kept = readCache(path, types, covered)
  if (kept !== null) return kept
  const { compileFile } = await import('./compile.ts')
  const { compiled, inputs } = await compileFile(path, types, covered)
  writeCache(compiled, inputs)
  return compiled
}
