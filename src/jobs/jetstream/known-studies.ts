import type { StudyCode } from './batch-execution.ts'
import { type CallerNotice, ForeignMessage, jobIds, type StudyDescription } from './protocol.ts'
import type { Delivery } from './pull-inbox.ts'
import type { StudyQueue } from './study-queue.ts'

/** A study without a notice of its caller for this long has none. */
const UNATTENDED_MS = 15_000

/** A study of which this worker takes jobs. */
export interface KnownStudy extends StudyCode {
  readonly caller: string
  readonly idOf: (input: unknown) => string
  attendedAt: number
  /** A study that has ended does not answer any more. */
  readonly ended: Promise<undefined>
  end(): void
}

/** Which studies a worker takes part in. */
export interface StudyRules {
  readonly version: string
  readonly allowsCode: boolean
  /** Told once for each study that is left to others. */
  refused(reason: string): void
}

/** The studies of a server, from which a worker takes jobs in turn. */
export class KnownStudies {
  private readonly studies = new Map<string, KnownStudy>()
  private readonly refusedStudies = new Set<string>()
  private readonly loading = new Set<string>()
  /** In turn: the next one is at the beginning. */
  private order: string[] = []
  private stopped = false

  constructor(
    private readonly queue: StudyQueue,
    private readonly rules: StudyRules,
  ) {}

  /** All studies of the server, whether their callers are there or not. */
  async refresh(): Promise<void> {
    for (const study of await this.queue.studies()) await this.add(study, 0)
  }

  /** A caller says that it waits for results; true if there may be new jobs. */
  async heard({ study, ended }: CallerNotice): Promise<boolean> {
    if (ended) {
      this.remove(study)
      return false
    }
    const known = this.studies.get(study)
    if (known === undefined) return this.add(study, Date.now())
    known.attendedAt = Date.now()
    return true
  }

  /** A batch of the study whose turn it is, or of the next one that has any. */
  async next(): Promise<{ study: KnownStudy; delivery: Delivery } | null> {
    for (const id of [...this.order]) {
      const study = this.studies.get(id)
      if (this.stopped) return null
      if (study === undefined) continue
      this.order = [...this.order.filter((other) => other !== id), id]
      const delivery = await Promise.race([this.queue.pull(id), study.ended])
      if (delivery) return { study, delivery }
      const unattended = Date.now() - study.attendedAt > UNATTENDED_MS
      // A caller may have begun the same study anew.
      if ((delivery === undefined || unattended) && this.studies.get(id) === study) this.remove(id)
    }
    return null
  }

  /** Asks for no more batches; one that was asked for still comes, and is handed back. */
  stop(): void {
    this.stopped = true
  }

  private async add(study: string, attendedAt: number): Promise<boolean> {
    if (this.studies.has(study) || this.loading.has(study)) return false
    this.loading.add(study)
    try {
      const description = await this.queue.description(study)
      if (description === null || this.isRefused(description)) return false
      const { kind, caller } = description
      const work = { kind, given: await this.queue.given(description) }
      const { objects } = this.queue
      const code = description.code === null ? null : await objects.read(description.code)
      let end = () => {}
      const ended = new Promise<undefined>((resolve) => {
        end = () => resolve(undefined)
      })
      const idOf = jobIds(work)
      const found = { study, work, code, caller }
      this.studies.set(study, { ...found, idOf, attendedAt, ended, end })
      this.order.unshift(study)
      return true
    } catch (error) {
      if (!(error instanceof ForeignMessage)) throw error
      this.refuse(study, `the description of a study: ${error.message}`)
      return false
    } finally {
      this.loading.delete(study)
    }
  }

  private isRefused({ study, version, caller, code }: StudyDescription): boolean {
    const { rules } = this
    const reason =
      version !== rules.version
        ? `the study of ${caller} has version ${version}, not ${rules.version}`
        : code !== null && !rules.allowsCode
          ? `the study of ${caller} brings code of its own, which this worker does not run`
          : null
    if (reason !== null) this.refuse(study, reason)
    return reason !== null
  }

  private refuse(study: string, reason: string): void {
    if (this.refusedStudies.has(study)) return
    this.refusedStudies.add(study)
    this.rules.refused(reason)
  }

  private remove(study: string): void {
    this.studies.get(study)?.end()
    this.studies.delete(study)
    this.order = this.order.filter((other) => other !== study)
  }
}
