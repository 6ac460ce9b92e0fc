import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { eventError } from '../recording/events.ts'
import type { Recording } from './run.ts'

/** The source of an own definition. */
export interface LinkedCode {
  readonly path: string
  readonly source: string
  /** In saved pages only: what was compiled, and the lines of the source that it came from. */
  readonly compiled?: string
  readonly lines?: readonly number[]
}

/** A run in a document. */
export interface LinkedRun {
  readonly scenario: ScenarioInput
  readonly own?: LinkedCode
  /** Events that are only shown. */
  readonly recording?: Recording
  /** The changed run by its number, the moment of the change, and its words. */
  readonly origin?: { readonly run: number; readonly at: number; readonly change: string }
}

/** The content of a link: scenarios, changes, and the moment that is shown. */
export interface LabDocument {
  readonly version: 1
  readonly runs: readonly LinkedRun[]
  readonly shown: number
  /** The runs beside the shown one: branches by their numbers, or others. */
  readonly compared?: readonly (number | LinkedRun)[]
  readonly step: number
  readonly time: number
}

/** Each run has a worker: a link must not start hundreds of them. */
const [MOST_RUNS, MOST_COMPARED] = [60, 8]

/** Validates a document from outside. */
export function isDocument(value: unknown): value is LabDocument {
  const { version, runs, shown, compared, step, time } = (value ?? {}) as Partial<LabDocument>
  return (
    version === 1 &&
    Array.isArray(runs) &&
    runs.length > 0 &&
    runs.length <= MOST_RUNS &&
    runs.every(isRun) &&
    (compared === undefined ||
      (Array.isArray(compared) &&
        compared.length <= MOST_COMPARED &&
        compared.every((one) => isCount(one) || isRun(one, 0)))) &&
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
    (recording === undefined || isRecording(recording)) &&
    // A branch comes after the run that it changes.
    (origin === undefined ||
      (isObject(origin) && isCount(origin.run) && origin.run < index && isText(origin.change)))
  )
}

/** More nodes than a recording of the page has. */
const MOST_NODES = 100_000

/** Views draw a recording as it is: whatever they rely on must be there. */
function isRecording(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.world)) return false
  const { world, events, snapshots, scenes = snapshots, broken } = value
  const { n, kind, unit, types, messageTypes, ids, edges, places } = world
  const isEvent = (event: unknown) => isObject(event) && eventError(event, Number(n)) === null
  const isPosition = (node: unknown) => isCount(node) && node < Number(n)
  return (
    isCount(n) &&
    n > 0 &&
    n <= MOST_NODES &&
    ['ring', 'complete', 'graph'].some((one) => one === kind) &&
    ['round', 'time', 'cycle', 'step'].some((one) => one === unit) &&
    [world.algorithm, world.topology].every(isText) &&
    isListOf(isText)(types) &&
    isCount(messageTypes) &&
    messageTypes <= types.length &&
    isListOf(isPosition)(edges) &&
    [ids, places].every((one) => one === null || isListOf(Number.isFinite)(one)) &&
    isListOf(isEvent)(events) &&
    (scenes === undefined || isListOf(isSnapshot)(scenes)) &&
    (broken === undefined || (isObject(broken) && [broken.property, broken.detail].every(isText)))
  )
}

function isSnapshot(value: unknown): boolean {
  return isObject(value) && isCount(value.events) && Array.isArray(value.states)
}

function isListOf(isOne: (value: unknown) => boolean) {
  return (value: unknown): value is readonly unknown[] =>
    Array.isArray(value) && value.every((one) => isOne(one))
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

/** The own definitions in a document, each once. */
export function codeIn({ runs, compared = [] }: LabDocument): readonly LinkedCode[] {
  const all = [...runs, ...compared].flatMap((one) =>
    typeof one === 'number' || one.own === undefined ? [] : [one.own],
  )
  return all.filter(({ source }, i) => all.findIndex((one) => one.source === source) === i)
}
