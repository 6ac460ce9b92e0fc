import type { Given } from '../../../src/scenario/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import type { Chunk } from './chunk.ts'
import type { WorldFacts } from './run-log.ts'

/** What the page asks of the engine's worker. Each request has a number; answers carry it. */
export interface Request {
  readonly request: number
  readonly scenario: Given
  /** Own definition, compiled to JavaScript; null for one of the catalogue. */
  readonly code: string | null
}

export type Answer = {
  readonly request: number
} /** The scenario was understood: all of it, with every default, and its world. */ & (
  | { readonly what: 'begun'; readonly scenario: Given; readonly world: WorldFacts }
  | { readonly what: 'chunk'; readonly chunk: Chunk }
  | { readonly what: 'ended'; readonly result: RunResult; readonly cut: boolean }
  /** A complaint in words; `field` is what it is about, if it is about one. */
  | { readonly what: 'refused'; readonly message: string; readonly field: string | null }
)
