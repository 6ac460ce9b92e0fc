import type { AbortSignal } from '../core/platform-types.ts'

/**
 * What all jobs of a study have in common, as plain data: the kind of work, and what every job of
 * it needs. Where it is executed, the kind is looked up in a table of functions.
 */
export interface Work {
  readonly kind: string
  readonly given: unknown
}

/** Gets what becomes of the jobs of a study. */
export interface StudyListener<Output> {
  /** Called once for each job that ended, in any order; jobs are numbered as they were taken. */
  done(index: number, output: Output): void
  /** A job that was given up, with the reason; without this function the study fails. */
  failed?(index: number, reason: string): void
  /** What a job does just now, from executors that can tell. */
  doing?(index: number, what: string): void
  /** What happened to workers and deliveries, for a line of progress and the report. */
  event?(event: ExecutorEvent): void
}

/** What happens where the jobs are executed. */
export type ExecutorEvent =
  | { readonly what: 'progress'; readonly progress: ExecutorProgress }
  | { readonly what: 'worker-joined' | 'worker-left'; readonly worker: string }
  /** A job was delivered once more, since its worker did not answer. */
  | { readonly what: 'redelivered'; readonly jobs: number; readonly worker: string }
  | { readonly what: 'refused'; readonly reason: string; readonly count: number }
  | { readonly what: 'disconnected' | 'reconnected' | 'waiting'; readonly reason: string }

export interface ExecutorProgress {
  readonly workers: number
  readonly machines: number
  readonly redeliveries: number
}

/** The jobs of a study. Those of unknown number may be very many. */
export type Jobs<Input> = (Iterable<Input> | AsyncIterable<Input>) & { readonly length?: number }

/**
 * Executes jobs: in this thread, in several, or on other machines. Jobs are plain data and
 * independent of each other.
 */
export interface Executor {
  /**
   * Executes the jobs until all have ended or `signal` is aborted, and resolves in both cases;
   * after an abort the listener is not called any more. A UsageError that a job throws rejects the
   * study with it. Jobs are taken from the iterable as they are needed, each only once.
   */
  execute<Input, Output>(
    work: Work,
    jobs: Jobs<Input>,
    listener: StudyListener<Output>,
    signal: AbortSignal,
  ): Promise<void>
  /** Ends all threads and connections; studies end as if they were aborted. */
  close(): Promise<void>
}

/** The place where jobs are executed. */
export interface WorkPlace {
  /** The number of jobs at the same time, which share the memory of the machine. */
  readonly parallel: number
}

/** What the execution of one job is given besides its input. */
export interface JobContext {
  /**
   * The time (of `Date.now`) until which the result is wanted. A job that can end early then throws
   * `Unfinished`, and is executed again elsewhere.
   */
  readonly until?: number
  /** Aborted when nobody wants the result any more. */
  readonly signal?: AbortSignal
  doing?(what: string): void
}

/** Executes one job. */
export type JobFunction<Input = never, Output = unknown> = (
  input: Input,
  context: JobContext,
) => Output | Promise<Output>

/** A kind of work: prepares what its jobs share, and returns the function for one of them. */
export interface WorkModule<Given = unknown, Input = unknown, Output = unknown> {
  /** Whether its jobs respect `until`: then short studies need no thread of their own. */
  readonly endsEarly?: boolean
  open(given: Given, place: WorkPlace): Promise<JobFunction<Input, Output>>
}

/** The kinds of work by their names; each is loaded when it is needed. */
export type WorkKinds = Readonly<Record<string, () => Promise<WorkModule<never, never, unknown>>>>

/** Thrown by a job whose time ended before it was done. */
export class Unfinished extends Error {}
