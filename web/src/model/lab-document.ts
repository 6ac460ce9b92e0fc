import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { Recording } from './run.ts'

/** All that a link carries: what is simulated, with every change, and where one looks. */
export interface LabDocument {
  readonly version: 1
  readonly runs: readonly {
    readonly scenario: ScenarioInput
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
    runs.every(isRun) &&
    [shown, step].every(isCount) &&
    Number.isFinite(time)
  )
}

function isRun(value: unknown, index: number): boolean {
  if (!isObject(value)) return false
  const { scenario, own, recording, origin } = value
  return (
    isObject(scenario) &&
    (own === undefined || (isObject(own) && [own.path, own.source].every(isText))) &&
    (recording === undefined ||
      (isObject(recording) && isObject(recording.world) && Array.isArray(recording.events))) &&
    // A branch stands after what it came of.
    (origin === undefined ||
      (isObject(origin) && isCount(origin.run) && origin.run < index && isText(origin.change)))
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
