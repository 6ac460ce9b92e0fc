import type { NatsConnection } from '../../nats/jetstream.ts'
import { encode, ForeignMessage, readWorkerNotice, SUBJECT, type WorkerNotice } from './protocol.ts'

const NOTICE_MS = 2000
/** Three notices and some time for a busy machine. */
const SILENT_MS = 8000

/** Tells everybody regularly that a worker is there, and when it leaves. */
export class WorkerAnnouncement {
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly connection: NatsConnection,
    private readonly notice: () => WorkerNotice,
  ) {
    this.timer = setInterval(() => this.tell(false), NOTICE_MS)
    connection.subscribe(SUBJECT.rollCall, { callback: () => this.tell(false) })
    this.tell(false)
  }

  /** Also ends the notices. */
  leave(): void {
    clearInterval(this.timer)
    this.tell(true)
  }

  private tell(leaving: boolean): void {
    if (this.connection.isClosed()) return
    const notice = this.notice()
    this.connection.publish(`${SUBJECT.workers}.${notice.id}`, encode({ ...notice, leaving }))
  }
}

/** What happened to workers. */
export interface WorkersListener {
  joined?(worker: WorkerNotice): void
  left?(worker: WorkerNotice): void
  refused?(reason: string): void
}

/** The workers of a server, as they tell it. */
export class KnownWorkers {
  private readonly seen = new Map<string, { notice: WorkerNotice; at: number }>()
  private readonly subscription: { unsubscribe(): void }
  /** When the connection was lost. */
  private lost: number | null = null

  constructor(
    private readonly connection: NatsConnection,
    private readonly listener: WorkersListener = {},
  ) {
    this.subscription = connection.subscribe(`${SUBJECT.workers}.*`, {
      callback: (_, message) => this.hear(message.data),
    })
    this.callRoll()
  }

  /** Asks all workers for a notice. */
  callRoll(): void {
    this.connection.publish(SUBJECT.rollCall)
  }

  get all(): WorkerNotice[] {
    return [...this.seen.values()].map(({ notice }) => notice)
  }

  disconnected(): void {
    this.lost ??= Date.now()
  }

  /** While the connection was lost nobody could be heard. */
  reconnected(): void {
    const missing = Date.now() - (this.lost ?? Date.now())
    this.lost = null
    for (const worker of this.seen.values()) worker.at += missing
    this.callRoll()
  }

  /** Those that were silent for too long are gone. */
  expire(now = Date.now()): void {
    if (this.lost !== null) return
    for (const { notice, at } of [...this.seen.values()])
      if (now - at > SILENT_MS) this.remove(notice)
  }

  close(): void {
    this.subscription.unsubscribe()
  }

  private hear(data: Uint8Array): void {
    try {
      const notice = readWorkerNotice(data)
      if (notice.leaving) this.remove(notice)
      else this.note(notice)
    } catch (error) {
      if (!(error instanceof ForeignMessage)) throw error
      this.listener.refused?.(`a notice of a worker: ${error.message}`)
    }
  }

  private note(notice: WorkerNotice): void {
    const known = this.seen.has(notice.id)
    this.seen.set(notice.id, { notice, at: Date.now() })
    if (!known) this.listener.joined?.(notice)
  }

  private remove(notice: WorkerNotice): void {
    if (this.seen.delete(notice.id)) this.listener.left?.(notice)
  }
}

/** Workers that share a host run on one machine. */
export function machinesOf(workers: readonly WorkerNotice[]): number {
  return new Set(workers.map(({ host }) => host)).size
}
