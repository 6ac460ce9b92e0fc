import { ByteReader, ByteWriter } from '../core/runtime/bytes.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Environment } from './environment.ts'
import { MemberStore, UNCOUNTED_KEYS } from './membership/member-store.ts'
import type { CheckedOptions } from './options.ts'
import { recordedRole } from './roles/definition.ts'
import { Journal, type JournalOptions } from './storage/journal.ts'

const ROLE = 'role/'
const BOOT = 'boot'
const PROBE = 'probe'
const BEATS_PER_LEASE = 4

/** What a node keeps on disk: its starts and what it granted in each role. */
export class NodeStorage {
  /** Differs for every start, also for one that has lost its storage. */
  incarnation = ''
  private beats = 0
  private closing = false

  private constructor(
    readonly journal: Journal,
    private readonly environment: Environment,
    /** How the memory was lost before this start; null if it was not. */
    readonly lost: string | null,
  ) {}

  /** Reads what is there. Rejects if it is that of another member or cluster. */
  static async open(
    { cluster, me, timing, storage = 'storage' }: CheckedOptions,
    environment: Environment,
    listener: Pick<JournalOptions, 'took' | 'report' | 'cut' | 'counted'>,
  ): Promise<NodeStorage> {
    const { disk, clock } = environment
    const settings = { clock, slow: timing.lease, uncounted: UNCOUNTED_KEYS, ...listener }
    const journal = await Journal.open(disk, { cluster, member: me }, settings)
    if (journal.foreign)
      throw new UsageError(storage, `${journal.problem}.`, 'Give every member a folder of its own.')
    const { lost } = journal
    if (lost !== null) await new MemberStore(journal, environment).forget(lost)
    return new NodeStorage(journal, environment, lost)
  }

  /** Counts this start. Rejects if it cannot be written. */
  async countStart(): Promise<void> {
    const known = this.journal.get(BOOT)
    const starts = known === undefined ? 1 : new ByteReader(known).nat() + 1
    const chance = Buffer.from(this.environment.randomBytes(8)).toString('hex')
    this.incarnation = `${starts}-${chance}`
    const out = new ByteWriter()
    out.nat(starts)
    await this.journal.put(BOOT, out.take())
  }

  record(role: string): Uint8Array | undefined {
    return this.journal.get(`${ROLE}${role}`)
  }

  write(role: string, record: Uint8Array): Promise<void> {
    return this.journal.put(`${ROLE}${role}`, record)
  }

  /** A leader beats: renewals write nothing, so whether the disk still can be written is tried. */
  probe(failed: (error: unknown) => void): void {
    this.beats++
    if (this.beats % BEATS_PER_LEASE > 0) return
    this.journal.put(PROBE, Uint8Array.of(1)).catch((error) => {
      if (!this.closing) failed(error)
    })
  }

  /** The records of all roles, by name. */
  *records(): Generator<readonly [string, Uint8Array]> {
    for (const [key, value] of this.journal.entries())
      if (key.startsWith(ROLE)) yield [key.slice(ROLE.length), value]
  }

  /** The highest terms granted, by role. */
  terms(): Map<string, number> {
    return new Map([...this.records()].map(([name, record]) => [name, recordedRole(record).term]))
  }

  async close(): Promise<void> {
    this.closing = true
    await this.journal.close()
    await this.environment.disk.close()
  }
}
