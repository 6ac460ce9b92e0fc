import type { Clock } from '../../cluster/clock.ts'
import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import type { Disk } from '../environment.ts'
import {
  type Entries,
  entriesBody,
  entriesIn,
  identityBody,
  identityIn,
  type JournalIdentity,
  type JournalMark,
  markBytes,
  marksIn,
  recordOf,
  recordsIn,
} from './records.ts'

const FILE = 'journal'
const NEW_FILE = 'journal.new'
/** A journal that is not believed any more is kept under this name, for people. */
const FORGOTTEN_FILE = 'journal.forgotten'
/** How much of the journal is durable. */
const MARK_FILE = 'journal.mark'
const NEW_MARK_FILE = 'journal.mark.new'
/** A longer file of marks is replaced by its last ones, in bytes. */
const MARK_FILE_LIMIT_BYTES = 4096
/** Smaller journals are not compacted, in bytes. */
const COMPACTION_BYTES_MIN = 64 * 1024
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
  /** Gets one line if a write that was never acknowledged was cut off. */
  readonly cut?: (line: string) => void
  /** Keys whose loss forgets nothing: a record with no other keys is not counted. */
  readonly uncounted?: ReadonlySet<string>
  /** Called when a counted record is durable, before anybody learns of it. */
  readonly counted?: () => void
}

/** How often something was written that must not be forgotten. */
const COUNT = 'count'

class ForeignJournal extends Error {}
/** What was durable is not there any more. */
class LostMemory extends Error {}

interface Waiting {
  readonly entries: Entries
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * A map of keys that survives crashes: an append-only file of records. What `put` has
 * acknowledged is durable. After any error it acknowledges nothing more: what the file holds then
 * is known only after it was read again.
 *
 * A second file marks how much of the first is durable. It is written after each record was
 * synced, and synced itself before the record is acknowledged. So a record beyond the mark was
 * never acknowledged and may be torn; anything else that is damaged or missing is lost memory.
 */
export class Journal {
  private values = new Map<string, Uint8Array>()
  private readonly waiting: Waiting[] = []
  /** The number of the file: each that replaces another has the next number. */
  private file = 0
  private length = 0
  /** The newest two marks, oldest first. */
  private marks: JournalMark[] = []
  /** The length of their file; null before this process has written it: its end may be torn. */
  private markFileBytes: number | null = null
  private liveLength = 0
  private failure: string | null = null
  private slowSince: number | null = null
  private writing: Promise<void> | null = null
  /** Whether `write` will see what is added to `waiting`. */
  private busy = false
  private closed = false
  /** Whether the file is a journal of another member or cluster. */
  foreign = false
  /** What of the durable records is damaged or missing; null while nothing is. */
  lost: string | null = null

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
      if (error instanceof LostMemory) journal.lost = message
      // Whoever opened it says so.
      if (journal.foreign || journal.lost !== null) journal.failure = message
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

  /** How many records were written that must not be forgotten. */
  get count(): number {
    const bytes = this.values.get(COUNT)
    return bytes === undefined ? 0 : new ByteReader(bytes).nat()
  }

  /**
   * Begins anew with these entries, after the memory was lost. A copy of the file is kept under
   * another name.
   */
  async forget(kept: Entries): Promise<void> {
    await this.writing
    this.busy = true
    this.writing = this.beginAnew(kept)
    await this.writing
    this.busy = false
    if (this.waiting.length > 0) this.writing = this.write()
  }

  private async beginAnew(kept: Entries): Promise<void> {
    this.values = new Map()
    this.liveLength = 0
    this.hold(kept)
    try {
      const bytes = await this.disk.read(FILE)
      await this.disk.remove(FORGOTTEN_FILE)
      if (bytes !== null) await this.disk.append(FORGOTTEN_FILE, bytes)
      await this.rewrite()
    } catch (error) {
      this.failure = null
      this.fail((error as Error).message)
      return
    }
    if (this.lost !== null) this.failure = null
    this.lost = null
  }

  private async load(): Promise<void> {
    for (const file of [NEW_FILE, NEW_MARK_FILE]) await this.disk.remove(file)
    this.marks = marksIn((await this.disk.read(MARK_FILE)) ?? new Uint8Array()).slice(-2)
    const bytes = await this.disk.read(FILE)
    if (bytes === null && this.marks.length <= 1) {
      // Nothing was ever written: the first mark is there before the first file is.
      this.marks = []
      return this.rewrite()
    }
    if (bytes === null) throw new LostMemory(`${FILE}: it is missing`)
    const { bodies, end } = recordsIn(bytes)
    this.identify(bodies[0])
    for (const body of bodies.slice(1)) {
      const entries = entriesIn(body)
      if (entries === null) throw new Error(`${FILE}: a record is not of this version's format`)
      this.hold(entries)
    }
    this.length = end
    if (this.file === 0) {
      if (end < bytes.length) throw new LostMemory(lostFrom(end))
      return this.rewrite()
    }
    const mark = this.marks.findLast(({ file }) => file === this.file)
    if (mark === undefined) throw new LostMemory(`${MARK_FILE}: the mark of the journal is missing`)
    if (end < mark.length) throw new LostMemory(lostFrom(end))
    if (end < bytes.length) {
      await this.disk.truncate(FILE, end)
      this.options.cut?.(
        `${FILE}: the last ${bytes.length - end} bytes were being written when the machine ` +
          'stopped, and are cut off; nobody was told of them',
      )
    }
    if (end > mark.length) {
      // A process that was killed may have written it without syncing.
      await this.disk.sync(FILE)
      await this.mark()
    }
  }

  /** Reads whose journal it is. */
  private identify(first: Uint8Array | undefined): void {
    const found = identityIn(first)
    const { cluster, member } = this.identity
    if (found === null) throw new LostMemory(`${FILE}: its beginning is damaged`)
    if (found.cluster !== cluster || found.member !== member) {
      throw new ForeignJournal(
        `${FILE}: it belongs to member ${found.member} of cluster ${found.cluster}, not to ` +
          `${member} of ${cluster}`,
      )
    }
    this.file = found.file
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
      const { uncounted, counted } = this.options
      const counts =
        uncounted !== undefined && [...entries.keys()].some((key) => !uncounted.has(key))
      if (counts) entries.set(COUNT, natBytes(this.count + 1))
      try {
        await this.timed(() => this.append(entries))
      } catch (error) {
        this.fail((error as Error).message)
        refuse(this.failure!)
        continue
      }
      this.hold(entries)
      if (counts) counted?.()
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
    await this.mark()
  }

  /** Marks all of the file as durable. */
  private async mark(): Promise<void> {
    const { file, length } = this
    this.marks = [...this.marks.slice(-1), { file, length }]
    if (this.markFileBytes === null || this.markFileBytes > MARK_FILE_LIMIT_BYTES)
      return this.replaceMarks()
    const bytes = markBytes({ file, length })
    await this.disk.append(MARK_FILE, bytes)
    await this.disk.sync(MARK_FILE)
    this.markFileBytes += bytes.length
  }

  /** Replaces the file of marks by one with the newest two. */
  private async replaceMarks(): Promise<void> {
    const bytes = this.marks.map(markBytes)
    for (const mark of bytes) await this.disk.append(NEW_MARK_FILE, mark)
    await this.disk.sync(NEW_MARK_FILE)
    await this.disk.replace(NEW_MARK_FILE, MARK_FILE)
    this.markFileBytes = bytes.reduce((sum, { length }) => sum + length, 0)
  }

  private async compact(): Promise<void> {
    const { small = COMPACTION_BYTES_MIN } = this.options
    if (this.length < small || this.length < SPARSE * this.liveLength) return
    try {
      await this.timed(() => this.rewrite())
    } catch (error) {
      this.fail((error as Error).message)
    }
  }

  /**
   * Replaces the file by one that holds the present values only. Its mark is written first: until
   * the file is renamed, the mark of the old one counts.
   */
  private async rewrite(): Promise<void> {
    this.file = Math.max(this.file, ...this.marks.map(({ file }) => file)) + 1
    const records = [recordOf(identityBody(this.identity, this.file))]
    if (this.values.size > 0) records.push(recordOf(entriesBody(this.values)))
    for (const record of records) await this.disk.append(NEW_FILE, record)
    await this.disk.sync(NEW_FILE)
    this.length = records.reduce((sum, { length }) => sum + length, 0)
    await this.mark()
    await this.disk.replace(NEW_FILE, FILE)
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

function lostFrom(byte: number): string {
  return `${FILE}: what was durable is damaged or missing from byte ${byte} on`
}

function natBytes(value: number): Uint8Array {
  const out = new ByteWriter()
  out.nat(value)
  return out.take()
}
