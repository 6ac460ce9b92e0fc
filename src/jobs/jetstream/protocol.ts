import { createHash } from 'node:crypto'
import type { UsageError } from '../../core/usage-error.ts'
import type { Work } from '../executor.ts'

/** Raised whenever messages of an older worker or caller would be misunderstood. */
const PROTOCOL = 1

/** The subjects of NATS; the last word is a study, or the id of a worker. */
export const SUBJECT = {
  /** Batches of jobs, in a stream. */
  jobs: 'conclave.jobs',
  /** Reports of workers, in a stream. */
  results: 'conclave.results',
  /** Descriptions of studies, in a stream. */
  studies: 'conclave.studies',
  /** Notices of callers: a study has jobs. */
  callers: 'conclave.callers',
  /** Asks whether a study has a caller; he answers. */
  attended: 'conclave.attended',
  /** Notices of workers: who they are and what they do. */
  workers: 'conclave.workers',
  /** Asks all workers for a notice. */
  rollCall: 'conclave.roll-call',
} as const

/** What a worker has to know before it takes jobs of a study. */
export interface StudyDescription {
  readonly study: string
  readonly version: string
  readonly caller: string
  readonly kind: string
  /** What all jobs share, or the name of an object that holds it. */
  readonly given: unknown
  readonly object: string | null
  /** The object with code that came with the study; only some workers execute such code. */
  readonly code: string | null
}

export interface BatchedJob {
  readonly id: string
  readonly input: unknown
}

export interface JobBatch {
  readonly study: string
  readonly batch: string
  /** How often its jobs were tried before in other batches. */
  readonly tries: number
  /** How long it should take; much longer, and the rest goes back. */
  readonly ms: number
  readonly jobs: readonly BatchedJob[]
}

/** What became of a job. A usage error is posted in parts; `failed` says why there is no result. */
export type JobOutcome =
  | { readonly output: unknown }
  | { readonly error: UsageError['parts'] }
  | { readonly failed: string }

export interface JobReport {
  readonly id: string
  readonly ms: number
  readonly outcome: JobOutcome
}

/** Why a batch comes back with jobs that have no outcome. */
export type ReturnReason = 'redelivered' | 'handed back'

/** What a worker says about a batch before it acknowledges it. */
export interface BatchReport {
  readonly study: string
  readonly batch: string
  readonly worker: string
  /** How often the batch was delivered. */
  readonly deliveries: number
  readonly returned: ReturnReason | null
  readonly jobs: readonly JobReport[]
}

/** What a worker tells about itself every two seconds, and when it leaves. */
export interface WorkerNotice {
  /** Unique, even if names are not. */
  readonly id: string
  readonly version: string
  readonly name: string
  readonly host: string
  readonly pid: number
  readonly parallel: number
  readonly busy: number
  /** Jobs done since its start. */
  readonly done: number
  /** Messages that were malformed or foreign. */
  readonly refused: number
  /** Whether it has a report for which the server has no space. */
  readonly full: boolean
  /** Whether it runs code that comes with a study. */
  readonly allowsCode: boolean
  readonly leaving: boolean
}

/** What a caller tells while it waits for results. */
export interface CallerNotice {
  readonly study: string
  readonly version: string
  readonly caller: string
  readonly ended: boolean
}

/** A message on our subjects that is none of ours, or is broken. */
export class ForeignMessage extends Error {}

/** The version of the messages, with the version of the package. */
export function protocolVersionText(version: string): string {
  return `${version} (protocol ${PROTOCOL})`
}

export function encode(message: object): Uint8Array {
  return Buffer.from(JSON.stringify({ protocol: PROTOCOL, ...message }))
}

/** A message whose content is too large for NATS: the name of the object that has it. */
export function encodeReference(object: string): Uint8Array {
  return encode({ object })
}

/** The name of the object that a message refers to; null if the message holds its content. */
export function referenceIn(data: Uint8Array): string | null {
  if (data.length > 300) return null
  const { object, study } = content(data)
  return object === undefined || study !== undefined ? null : name(object, 'object')
}

export function readDescription(data: Uint8Array): StudyDescription {
  const message = content(data)
  return {
    study: name(message.study, 'study'),
    version: text(message.version, 'version'),
    caller: text(message.caller, 'caller'),
    kind: name(message.kind, 'kind'),
    given: message.given,
    object: message.object === null ? null : name(message.object, 'object'),
    code: message.code === null ? null : name(message.code, 'code'),
  }
}

/** What all jobs of a study share, where its description was too large for a message. */
export function readGiven(data: Uint8Array): unknown {
  return content(data).given
}

const MOST_JOBS = 100_000

export function readBatch(data: Uint8Array): JobBatch {
  const message = content(data)
  const jobs = list(message.jobs, 'jobs').map((job) => {
    const { id, input } = record(job, 'jobs')
    return { id: name(id, 'id'), input }
  })
  if (jobs.length === 0) throw new ForeignMessage('jobs is empty')
  return {
    study: name(message.study, 'study'),
    batch: name(message.batch, 'batch'),
    tries: whole(message.tries, 'tries'),
    ms: whole(message.ms, 'ms'),
    jobs,
  }
}

export function readReport(data: Uint8Array): BatchReport {
  const message = content(data)
  const { returned } = message
  if (returned !== null && returned !== 'redelivered' && returned !== 'handed back')
    throw new ForeignMessage('returned is unknown')
  return {
    study: name(message.study, 'study'),
    batch: name(message.batch, 'batch'),
    worker: text(message.worker, 'worker'),
    deliveries: whole(message.deliveries, 'deliveries'),
    returned,
    jobs: list(message.jobs, 'jobs').map((job) => {
      const { id, ms, outcome } = record(job, 'jobs')
      return { id: name(id, 'id'), ms: amount(ms, 'ms'), outcome: readOutcome(outcome) }
    }),
  }
}

function readOutcome(value: unknown): JobOutcome {
  const outcome = record(value, 'outcome')
  if (outcome.failed !== undefined) return { failed: text(outcome.failed, 'failed') }
  if (outcome.error === undefined) return { output: outcome.output }
  const [where, problem, hint] = list(outcome.error, 'error')
  return { error: [text(where, 'error'), text(problem, 'error'), text(hint, 'error')] }
}

export function readWorkerNotice(data: Uint8Array): WorkerNotice {
  const message = content(data, false)
  return {
    id: name(message.id, 'id'),
    version: text(message.version, 'version'),
    name: text(message.name, 'name'),
    host: text(message.host, 'host'),
    pid: whole(message.pid, 'pid'),
    parallel: whole(message.parallel, 'parallel'),
    busy: whole(message.busy, 'busy'),
    done: whole(message.done, 'done'),
    refused: whole(message.refused, 'refused'),
    full: message.full === true,
    allowsCode: message.allowsCode === true,
    leaving: message.leaving === true,
  }
}

export function readCallerNotice(data: Uint8Array): CallerNotice {
  const message = content(data, false)
  return {
    study: name(message.study, 'study'),
    version: text(message.version, 'version'),
    caller: text(message.caller, 'caller'),
    ended: message.ended === true,
  }
}

/** Notices are understood in all versions: they say which version somebody has. */
function content(data: Uint8Array, sameProtocol = true): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString())
  } catch {
    throw new ForeignMessage('not JSON')
  }
  const message = record(value, 'message')
  if (sameProtocol && message.protocol !== PROTOCOL) throw new ForeignMessage('another protocol')
  return message
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ForeignMessage(`${what} is no object`)
  return value as Record<string, unknown>
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MOST_JOBS)
    throw new ForeignMessage(`${what} is no list`)
  return value
}

/** Part of a subject or of the name of an object. */
function name(value: unknown, what: string): string {
  if (typeof value !== 'string' || !/^[\w/=-]{1,200}$/.test(value))
    throw new ForeignMessage(`${what} is no name`)
  return value
}

/** Printed on terminals: without control characters, apart from line breaks. */
function text(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.length > 100_000)
    throw new ForeignMessage(`${what} is no text`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them
  return value.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ')
}

function whole(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new ForeignMessage(`${what} is no number`)
  return value as number
}

function amount(value: unknown, what: string): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new ForeignMessage(`${what} is no number`)
  return value
}

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
