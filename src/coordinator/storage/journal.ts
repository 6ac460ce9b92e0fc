import type { Clock } from '../../cluster/clock.ts'
import type { Disk } from './disk.ts'
import {
  type Entries,
  entriesBody,
  entriesIn,
  identityBody,
  identityIn,
  type JournalIdentity,
  recordOf,
  recordsIn,
} from './records.ts'

const FILE = 'journal'
const NEW_FILE = 'journal.new'
/** Smaller journals are not compacted, in bytes. */
const SMALL = 64 * 1024
/** A journal is compacted when it is this many times as long as what it holds. */
const SPARSE = 4

export interface JournalOptions {
  /** Tells how long writes take; without it no write is called slow. */
  readonly clock?: Clock
  /** A write that takes longer, in milliseconds, makes the journal unhealthy until it is done. */
  readonly slow?: number
  /** Smaller journals are not compacted, in bytes. */
  readonly small?: number
  /** Gets how long each write took, in milliseconds. */
  readonly took?: (milliseconds: number) => void
  /** Gets one line when the journal becomes unhealthy, and null when it is healthy again. */
  readonly report?: (problem: string | null) => void
}

class ForeignJournal extends Error {}

interface Waiting {
  readonly entries: Entries
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * A map of keys that survives crashes: an append-only file of records. What `put` has
 * acknowledged is durable. After any error it acknowledges nothing more: what the file holds then
 * is known only after it was read again.
 */
export class Journal {
  private readonly values = new Map<string, Uint8Array>()
  private readonly waiting: Waiting[] = []
  private length = 0
  private liveLength = 0
  private failure: string | null = null
  private slowSince: number | null = null
  private writing: Promise<void> | null = null
  /** Whether `write` will see what is added to `waiting`. */
  private busy = false
  private closed = false
  /** Whether it held keys other than `boot`, which every start writes, when it was opened. */
  memory = false
  /** Whether the file is a journal of another member or cluster. */
  foreign = false

  private constructor(
    private readonly disk: Disk,
    private readonly identity: JournalIdentity,
    private readonly options: JournalOptions,
  ) {}

  /** Never rejects: where the file cannot be used, the journal is unhealthy and says why. */
  static async open(
    disk: Disk,
    identity: JournalIdentity,
    options: JournalOptions = {},
  ): Promise<Journal> {
    const journal = new Journal(disk, identity, options)
    try {
      await journal.load()
    } catch (error) {
      const { message } = error as Error
      journal.foreign = error instanceof ForeignJournal
      // Whoever opened it says so: nothing starts.
      if (journal.foreign) journal.failure = message
      else journal.fail(message)
    }
    return journal
  }

  /** Why nothing is acknowledged at present; null while all is well. */
  get problem(): string | null {
    if (this.failure !== null || this.slowSince === null) return this.failure
    const { clock, slow = Number.POSITIVE_INFINITY } = this.options
    const pending = (clock?.now() ?? 0) - this.slowSince
    return pending > slow ? `${FILE}: a write has taken more than ${slow} ms` : null
  }

  get healthy(): boolean {
    return this.problem === null
  }

  get(key: string): Uint8Array | undefined {
    return this.values.get(key)
  }

  /** What is durable. */
  entries(): Entries {
    return this.values
  }

  /** Durable when resolved. Rejects with one line if that is not certain. */
  put(key: string, value: Uint8Array): Promise<void> {
    return this.putAll(new Map([[key, value]]))
  }

  /** The same for several keys: after a crash all of them are there, or none. */
  putAll(entries: Entries): Promise<void> {
    const copies = new Map([...entries].map(([key, value]) => [key, value.slice()]))
    return new Promise((resolve, reject) => {
      this.waiting.push({ entries: copies, resolve, reject })
      if (!this.busy) this.writing = this.write()
    })
  }

  /** Waits for what is being written; the disk stays open. */
  async close(): Promise<void> {
    this.closed = true
    await this.writing
  }

  private async load(): Promise<void> {
    await this.disk.remove(NEW_FILE)
    const bytes = await this.disk.read(FILE)
    if (bytes === null) return this.rewrite()
    const { bodies, end, broken } = recordsIn(bytes)
    if (broken) {
      throw new Error(`${FILE}: the record at byte ${end} is damaged, and others follow it`)
    }
    this.refuseForeign(bodies[0])
    for (const body of bodies.slice(1)) {
      const entries = entriesIn(body)
      if (entries === null) throw new Error(`${FILE}: a record is not of this version's format`)
      this.hold(entries)
    }
    if (end < bytes.length) await this.disk.truncate(FILE, end)
    this.length = end
    this.memory = [...this.values.keys()].some((key) => key !== 'boot')
  }

  private refuseForeign(first: Uint8Array | undefined): void {
    const found = identityIn(first)
    const { cluster, member } = this.identity
    if (found === null) throw new Error(`${FILE}: this is not a journal, or its beginning is lost`)
    if (found.cluster !== cluster || found.member !== member) {
      throw new ForeignJournal(
        `${FILE}: it belongs to member ${found.member} of cluster ${found.cluster}, not to ` +
          `${member} of ${cluster}`,
      )
    }
  }

  /** Writes records as long as some wait; those that wait together become one record. */
  private async write(): Promise<void> {
    this.busy = true
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0)
      const refuse = (why: string) => {
        for (const { reject } of batch) reject(new Error(why))
      }
      if (this.closed) this.failure ??= `${FILE}: it is closed`
      if (this.failure !== null) {
        refuse(this.failure)
        continue
      }
      const entries = new Map(batch.flatMap((one) => [...one.entries]))
      try {
        await this.timed(() => this.append(entries))
      } catch (error) {
        this.fail((error as Error).message)
        refuse(this.failure!)
        continue
      }
      this.hold(entries)
      for (const { resolve } of batch) resolve()
      await this.compact()
    }
    this.busy = false
  }

  private async append(entries: Entries): Promise<void> {
    const record = recordOf(entriesBody(entries))
    await this.disk.append(FILE, record)
    await this.disk.sync(FILE)
    this.length += record.length
  }

  private async compact(): Promise<void> {
    const { small = SMALL } = this.options
    if (this.length < small || this.length < SPARSE * this.liveLength) return
    try {
      await this.timed(() => this.rewrite())
    } catch (error) {
      this.fail((error as Error).message)
    }
  }

  /** Replaces the file by one that holds the present values only. */
  private async rewrite(): Promise<void> {
    const records = [recordOf(identityBody(this.identity))]
    if (this.values.size > 0) records.push(recordOf(entriesBody(this.values)))
    for (const record of records) await this.disk.append(NEW_FILE, record)
    await this.disk.sync(NEW_FILE)
    await this.disk.replace(NEW_FILE, FILE)
    this.length = records.reduce((sum, { length }) => sum + length, 0)
  }

  private hold(entries: Entries): void {
    for (const [key, value] of entries) {
      this.liveLength += value.length - (this.values.get(key)?.length ?? -key.length)
      this.values.set(key, value)
    }
  }

  /** Tells how long an operation takes; when it takes too long, and when it is done after all. */
  private async timed(operation: () => Promise<void>): Promise<void> {
    const { clock, slow, took, report } = this.options
    if (clock === undefined) return operation()
    const began = clock.now()
    this.slowSince = began
    let told = false
    const tell = () => {
      told = true
      report?.(`${FILE}: a write has taken more than ${slow} ms`)
    }
    // Whoever is told finds the journal unhealthy.
    const timer = slow === undefined ? null : clock.setTimeout(tell, slow + 1)
    try {
      await operation()
    } finally {
      if (timer !== null) clock.clearTimeout(timer)
      this.slowSince = null
    }
    took?.(clock.now() - began)
    if (told) report?.(null)
  }

  private fail(why: string): void {
    if (this.failure !== null) return
    this.failure = why
    this.options.report?.(why)
  }
}
