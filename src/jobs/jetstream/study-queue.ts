import {
  createInbox,
  type JetStreamAccess,
  type NatsConnection,
  nanos,
  openJetStream,
} from '../../nats/jetstream.ts'
import { Objects } from './objects.ts'
import { TRIES } from './outstanding-jobs.ts'
import {
  type BatchReport,
  encode,
  type JobBatch,
  readDescription,
  readGiven,
  type StudyDescription,
  SUBJECT,
} from './protocol.ts'
import { type Delivery, PullInbox } from './pull-inbox.ts'

const JOBS = 'CONCLAVE_JOBS'
const RESULTS = 'CONCLAVE_RESULTS'
const STUDIES = 'CONCLAVE_STUDIES'
const MB = 2 ** 20

/** A worker that says nothing for this long has lost its batch: it goes to another one. */
export const ACK_WAIT_MS = 10_000
/** Consumers that nobody uses any more are removed by the server. */
const UNUSED_MS = 600_000
const REQUEST_MS = 5000

/** The streams and consumers of all studies on a server. */
export class StudyQueue {
  private readonly inbox: PullInbox

  private constructor(
    readonly connection: NatsConnection,
    private readonly access: JetStreamAccess,
    readonly objects: Objects,
  ) {
    this.inbox = new PullInbox(connection, JOBS)
  }

  /** Makes the streams where they are missing; `where` names the server in messages. */
  static async open(connection: NatsConnection, where: string): Promise<StudyQueue> {
    const access = await openJetStream(connection, where)
    const largest = connection.info?.max_payload ?? MB
    const queue = new StudyQueue(connection, access, new Objects(access, largest))
    await queue.ensureStreams()
    return queue
  }

  /** Also after a server has lost its store. */
  async ensureStreams(): Promise<void> {
    const { access } = this
    const subjects = (subject: string) => [`${subject}.*`]
    await access.ensureStream({
      name: STUDIES,
      subjects: subjects(SUBJECT.studies),
      last: true,
      bytes: [64 * MB, 4 * MB, MB],
    })
    await access.ensureStream({
      name: RESULTS,
      subjects: subjects(SUBJECT.results),
      bytes: [1024 * MB, 64 * MB, 4 * MB],
    })
    await access.ensureStream({
      name: JOBS,
      subjects: subjects(SUBJECT.jobs),
      queue: true,
      bytes: [256 * MB, 16 * MB, 2 * MB],
    })
  }

  /** The studies that have a consumer: there may be jobs of them. */
  async studies(): Promise<string[]> {
    const names: string[] = []
    for await (const { name } of this.access.manager.consumers.list(JOBS)) names.push(name)
    return names
  }

  /** Null where there is none. */
  async description(study: string): Promise<StudyDescription | null> {
    const message = await this.storedDescription(study)
    return message && readDescription(message.data)
  }

  /** What a study gives its jobs; if it is large, it is read from the object store. */
  async given({ given, object }: StudyDescription): Promise<unknown> {
    return object === null ? given : readGiven(await this.objects.read(object))
  }

  /** The number of the last description of a study; 0 if there is none. */
  async lastDescription(study: string): Promise<number> {
    return (await this.storedDescription(study))?.seq ?? 0
  }

  private storedDescription(study: string) {
    const query = { last_by_subj: `${SUBJECT.studies}.${study}` }
    return this.access.manager.streams.getMessage(STUDIES, query)
  }

  /** Fails if somebody else has written a description after the one with this number. */
  async describe(description: StudyDescription, after: number): Promise<void> {
    await this.access.client.publish(
      `${SUBJECT.studies}.${description.study}`,
      encode(description),
      {
        expect: { lastSubjectSequence: after },
        timeout: REQUEST_MS,
      },
    )
  }

  /** The consumer of a study, from which all workers take batches. */
  async openJobs(study: string): Promise<void> {
    await this.access.manager.consumers.add(JOBS, {
      durable_name: study,
      filter_subject: `${SUBJECT.jobs}.${study}`,
      ack_policy: 'explicit',
      ack_wait: nanos(ACK_WAIT_MS),
      max_deliver: TRIES,
      max_ack_pending: 10_000,
      inactive_threshold: nanos(UNUSED_MS),
    })
  }

  /** Publishes a batch; returns its number in the stream. */
  async publishBatch(batch: JobBatch): Promise<number> {
    const data = await this.objects.packed(batch.study, encode(batch))
    const { seq } = await this.access.client.publish(`${SUBJECT.jobs}.${batch.study}`, data, {
      msgID: batch.batch,
      timeout: REQUEST_MS,
    })
    return seq
  }

  /** The next batch of a study; null if there is none, undefined if the study does not answer. */
  pull(study: string): Promise<Delivery | null | undefined> {
    return this.inbox.pull(study)
  }

  async publishReport(report: BatchReport): Promise<void> {
    const data = await this.objects.packed(report.study, encode(report))
    await this.access.client.publish(`${SUBJECT.results}.${report.study}`, data, {
      msgID: `${report.batch}.${report.worker}.${report.deliveries}`,
      timeout: REQUEST_MS,
    })
  }

  /** How many batches wait, and how many are with workers; null without a consumer. */
  async counts(study: string): Promise<{ waiting: number; delivered: number } | null> {
    const { consumers } = this.access.manager
    const info = await consumers.info(JOBS, study).catch(nullIfMissing)
    return info && { waiting: info.num_pending, delivered: info.num_ack_pending }
  }

  /** Removes a batch from the stream; whether it was there. */
  async removeBatch(sequence: number): Promise<boolean> {
    const { streams } = this.access.manager
    if ((await streams.getMessage(JOBS, { seq: sequence })) === null) return false
    return streams.deleteMessage(JOBS, sequence)
  }

  /** Tells the numbers of batches of a study that the server has given up. */
  watchGivenUp(study: string, tell: (sequence: number) => void): () => void {
    const subject = `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${JOBS}.${study}`
    const subscription = this.connection.subscribe(subject, {
      callback: (_, message) => {
        try {
          tell(Number(message.json<{ stream_seq: number }>().stream_seq))
        } catch {
          // Nobody but the server publishes advisories; the caller also asks regularly.
        }
      },
    })
    return () => subscription.unsubscribe()
  }

  /** All reports of a study that are stored, and then each new one. */
  async reports(study: string, name: string): Promise<ReportReader> {
    const { consumers } = this.access.manager
    const info = await consumers.add(RESULTS, {
      durable_name: name,
      filter_subject: `${SUBJECT.results}.${study}`,
      ack_policy: 'explicit',
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 200,
      inactive_threshold: nanos(UNUSED_MS),
    })
    const messages = await this.access.client.consumers
      .getConsumerFromInfo(info)
      .consume({ max_messages: 50, expires: 5000 })
    return {
      stored: info.num_pending,
      messages,
      exists: async () => (await consumers.info(RESULTS, name).catch(nullIfMissing)) !== null,
      close: async () => {
        // It ends when all that came was read, for which nobody waits.
        void messages.close()
        await consumers.delete(RESULTS, name)
      },
    }
  }

  /** How many messages are stored, of all studies. */
  async stored(): Promise<{ jobs: number; results: number; studies: number }> {
    const count = async (stream: string) =>
      (await this.access.manager.streams.info(stream)).state.messages
    return { jobs: await count(JOBS), results: await count(RESULTS), studies: await count(STUDIES) }
  }

  /** Batches that no worker has begun are removed. */
  async removeJobs(study: string): Promise<void> {
    const { consumers, streams } = this.access.manager
    await consumers.delete(JOBS, study).catch(nullIfMissing)
    await streams.purge(JOBS, { filter: `${SUBJECT.jobs}.${study}` })
  }

  async removeReports(study: string, before?: number): Promise<void> {
    await this.access.manager.streams.purge(RESULTS, {
      filter: `${SUBJECT.results}.${study}`,
      ...(before !== undefined && { seq: before }),
    })
  }

  async removeDescription(study: string): Promise<void> {
    const filter = `${SUBJECT.studies}.${study}`
    await this.access.manager.streams.purge(STUDIES, { filter })
  }
}

/** A report as it was stored. */
export interface StoredReport {
  readonly seq: number
  readonly data: Uint8Array
  ack(): void
}

export interface ReportReader {
  /** How many were stored before. */
  readonly stored: number
  readonly messages: AsyncIterable<StoredReport>
  /** Whether the server still knows it. */
  exists(): Promise<boolean>
  close(): Promise<void>
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && /not found/.test(error.message)) return null
  throw error
}

export function uniqueName(): string {
  return createInbox('x').replace(/^x\./, '')
}
