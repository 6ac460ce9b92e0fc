import { isUnheard } from '../../nats/jetstream.ts'
import type { Work } from '../executor.ts'
import { contentHash, encode, protocolVersionText, SUBJECT, type WorkerNotice } from './protocol.ts'
import type { StudyQueue } from './study-queue.ts'

const ASK_MS = 1000
/** Half of a SHA-256 is enough for a name. */
const NAME_LENGTH = 32

/** What makes a study, and who asks for it. */
export interface StudySettings {
  /** The server, as it is shown to users. */
  readonly server: string
  readonly version: string
  readonly caller: string
  /** Tells studies with the same work apart. */
  readonly key: string
  /** The bundle of code that comes with the study. */
  readonly code: Uint8Array | null
  /** Whether results that an earlier caller left are used; if not, they are removed. */
  readonly resume: boolean
}

/**
 * A study that no other caller has. Its id follows from its content, so that a caller that comes
 * back finds its results; while another caller waits for the same study, it gets another id.
 */
export class ClaimedStudy {
  private constructor(
    private readonly queue: StudyQueue,
    readonly id: string,
    private readonly work: Work,
    private readonly settings: StudySettings,
    private readonly release: () => void,
  ) {}

  static async claim(
    queue: StudyQueue,
    work: Work,
    settings: StudySettings,
  ): Promise<ClaimedStudy> {
    const { key } = settings
    const code = await storedCode(queue, settings)
    const version = protocolVersionText(settings.version)
    const content = contentHash([work.kind, work.given, version, key, code])
    for (let number = 0; ; number++) {
      const id = contentHash([content, number]).slice(0, NAME_LENGTH)
      const sequence = await queue.lastDescription(id)
      if (await isAttended(queue, id)) continue
      const answers = queue.connection.subscribe(`${SUBJECT.attended}.${id}`, {
        callback: (_, message) => void message.respond(encode({ caller: settings.caller })),
      })
      await queue.connection.flush()
      const study = new ClaimedStudy(queue, id, work, settings, () => answers.unsubscribe())
      try {
        await study.describe(sequence)
      } catch (error) {
        answers.unsubscribe()
        // Somebody else has begun it in this moment.
        if (error instanceof Error && /wrong last sequence/.test(error.message)) continue
        throw error
      }
      await queue.removeJobs(id)
      if (!settings.resume) await queue.removeReports(id)
      return study
    }
  }

  /** Workers read it before they take jobs; `after` is the number of the last description. */
  private async describe(after: number): Promise<void> {
    const { queue, id, version, caller } = this
    const { kind, given } = this.work
    const content = encode({ given })
    const large = !queue.objects.fits(content)
    const description = {
      study: id,
      version,
      caller,
      kind,
      given: large ? null : given,
      object: large ? await queue.objects.store(id, content) : null,
      code: await storedCode(queue, this.settings),
    }
    await queue.describe(description, after)
  }

  /** Describes it again if the server has forgotten it, by its age or with its store. */
  async restore(): Promise<void> {
    await this.queue.ensureStreams()
    if ((await this.queue.lastDescription(this.id)) === 0) await this.describe(0)
  }

  get server(): string {
    return this.settings.server
  }

  get caller(): string {
    return this.settings.caller
  }

  get version(): string {
    return protocolVersionText(this.settings.version)
  }

  /** The workers that take jobs of this study. */
  usable(workers: readonly WorkerNotice[]): WorkerNotice[] {
    const { code } = this.settings
    return workers.filter(
      ({ version, allowsCode }) => version === this.version && (code === null || allowsCode),
    )
  }

  /** Why no worker takes jobs of this study; null if one does. */
  lacking(workers: readonly WorkerNotice[]): string | null {
    if (this.usable(workers).length > 0) return null
    if (workers.length === 0) return 'there is no worker'
    return workers.some(({ version }) => version === this.version)
      ? 'there is no worker that runs code of others'
      : `there is no worker of version ${this.version}`
  }

  /** Jobs that wait are removed in any case; results only if nobody needs them any more. */
  async leave(finished: boolean): Promise<void> {
    const { queue, id } = this
    try {
      const { caller, version } = this
      const notice = encode({ study: id, version, caller, ended: true })
      queue.connection.publish(`${SUBJECT.callers}.${id}`, notice)
      await queue.removeJobs(id)
      if (!finished) return
      await queue.removeReports(id)
      await queue.removeDescription(id)
      await queue.objects.removeBelow(id)
    } finally {
      this.release()
    }
  }
}

/** The name of the object with the code of a study; null without one. */
async function storedCode(queue: StudyQueue, { code }: StudySettings): Promise<string | null> {
  return code && queue.objects.store('code', code)
}

async function isAttended(queue: StudyQueue, id: string): Promise<boolean> {
  try {
    await queue.connection.request(`${SUBJECT.attended}.${id}`, '', { timeout: ASK_MS })
    return true
  } catch (error) {
    // A caller that has no time to answer is still there.
    return !isUnheard(error)
  }
}
