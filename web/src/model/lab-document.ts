import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { Recording } from './run.ts'

/** The content of a link: scenarios, changes, and the moment that is shown. */
export interface LabDocument {
  readonly version: 1
  readonly runs: readonly {
    readonly scenario: ScenarioInput
    /** The source of an own definition. */
    readonly own?: { readonly path: string; readonly source: string }
    /** Events that are only shown. */
    readonly recording?: Recording
    /** The changed run by its number, the moment of the change, and its words. */
    readonly origin?: { readonly run: number; readonly at: number; readonly change: string }
  }[]
  readonly shown: number
  readonly step: number
  readonly time: number
}

/** Validates a document from outside. */
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
    // A branch comes after the run that it changes.
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
