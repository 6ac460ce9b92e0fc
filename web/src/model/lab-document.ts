import type { Given } from '../../../src/scenario/index.ts'
import type { Recording } from './run.ts'

/** All that a link carries: what is simulated, with every change, and where one looks. */
export interface LabDocument {
  readonly version: 1
  readonly runs: readonly {
    readonly scenario: Given
    /** Own definition, as it was written. */
    readonly own?: { readonly path: string; readonly source: string }
    /** Events that are only shown. */
    readonly recording?: Recording
    /** The run that it changes, by its number, since when, and how. */
    readonly origin?: { readonly run: number; readonly at: number; readonly change: string }
  }[]
  readonly shown: number
  readonly step: number
  readonly time: number
}

/** Whether a value that came from outside is such a document. */
export function isDocument(value: unknown): value is LabDocument {
  const { version, runs, shown, step, time } = (value ?? {}) as Partial<LabDocument>
  return (
    version === 1 &&
    Array.isArray(runs) &&
    runs.length > 0 &&
    runs.every(({ scenario }) => typeof scenario === 'object' && scenario !== null) &&
    [shown, step, time].every((number) => Number.isFinite(number))
  )
}
