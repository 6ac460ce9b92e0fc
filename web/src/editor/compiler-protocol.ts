import type { InstrumentedSource } from '../../../src/compiler/coverage/instrument.ts'
import type { UseEvidence } from '../../../src/core/language/validation/only-compared.ts'

/** Questions of the editor to the worker of the compiler, about the current text of one file. */
export type CompilerQuestion = {
  readonly number: number
  readonly path: string
  readonly source: string
} & (
  | { readonly what: 'compile' | 'cover' | 'standalone' }
  | { readonly what: 'complete' | 'explain'; readonly position: number }
)

/** A diagnostic of the compiler about a part of the source. */
export interface Diagnosis {
  readonly from: number
  readonly to: number
  readonly message: string
  readonly grave: boolean
}

export interface Compiled {
  readonly diagnoses: readonly Diagnosis[]
  /** JavaScript, and for each of its lines the line of the source. */
  readonly compiled: string
  readonly lines: readonly number[]
  /** Whether it only compares ids and the like: a proof asks for it. */
  readonly use: UseEvidence
}

/** Instrumented JavaScript, and the pieces and functions of its source. */
export type Covered = Omit<InstrumentedSource, 'text'> & {
  readonly compiled: string
}

export interface Completions {
  readonly completions: readonly { readonly name: string; readonly kind: string }[]
}

/** A definition that imports `conclave` alone. */
export interface Standalone {
  readonly standalone: string
}

export interface Explanation {
  readonly text: string
}

export type Reply = { readonly number: number } & (
  | Compiled
  | Covered
  | Standalone
  | Completions
  | Explanation
)
