import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import type { Environment } from '../environment.ts'
import type { Journal } from '../storage/journal.ts'
import {
  type Configuration,
  readConfiguration,
  readTerms,
  writeConfiguration,
  writeTerms,
} from './configuration.ts'

/**
 * What a storage knows of the grants that its member made.
 * - `none`: the member does not vote
 * - `partial`: they were lost once; roles without a record must recover without memory
 * - `complete`: a role without a record has never been granted here
 */
export type MemberMemory = 'none' | 'partial' | 'complete'

const MEMORIES: readonly MemberMemory[] = ['none', 'partial', 'complete']

/** What is written as one. */
export interface MembershipRecord {
  readonly configuration: Configuration | null
  /** Configurations of smaller terms are refused. */
  readonly promised: number
  readonly memory: MemberMemory
  /** The highest terms, as learnt from the others after the memory was lost. */
  readonly learned: ReadonlyMap<string, number>
  /** The longest lease, in milliseconds, that a promise may still last. */
  readonly limit: number
}

const EMPTY: MembershipRecord = {
  configuration: null,
  promised: 0,
  memory: 'none',
  learned: new Map(),
  limit: 0,
}

/** The part of a journal that belongs to the membership. */
export class MemberStore {
  record: MembershipRecord = EMPTY
  /** Names this storage: drawn when it was first used. */
  id = ''
  /** The first configuration, as long as the bootstrap is not over. */
  marked: Configuration | null = null

  constructor(
    private readonly journal: Pick<Journal, 'get' | 'put'>,
    private readonly environment: Environment,
  ) {
    const first = journal.get('bootstrap')
    if (first !== undefined) {
      const input = new ByteReader(first)
      this.id = input.text()
      this.marked = input.byte() === 1 ? readConfiguration(input) : null
    }
    const config = journal.get('config')
    if (config !== undefined) this.record = recordIn(new ByteReader(config))
  }

  /** Gives the storage its name, once. */
  async identify(): Promise<void> {
    if (this.id !== '') return
    const id = hex(this.environment.randomBytes(8))
    await this.journal.put('bootstrap', firstBytes(id, null))
    this.id = id
  }

  async mark(configuration: Configuration): Promise<void> {
    await this.journal.put('bootstrap', firstBytes(this.id, configuration))
    this.marked = configuration
  }

  /** Durable when resolved; the record changes only then. */
  async write(changes: Partial<MembershipRecord>): Promise<void> {
    const record = { ...this.record, ...changes }
    await this.journal.put('config', recordBytes(record))
    this.record = record
  }
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function firstBytes(id: string, marked: Configuration | null): Uint8Array {
  const out = new ByteWriter()
  out.text(id)
  out.byte(marked === null ? 0 : 1)
  if (marked !== null) writeConfiguration(out, marked)
  return out.take()
}

function recordBytes(record: MembershipRecord): Uint8Array {
  const { configuration, promised, memory, learned, limit } = record
  const out = new ByteWriter()
  out.byte(MEMORIES.indexOf(memory))
  out.nat(promised)
  out.nat(limit)
  writeTerms(out, learned)
  out.byte(configuration === null ? 0 : 1)
  if (configuration !== null) writeConfiguration(out, configuration)
  return out.take()
}

function recordIn(input: ByteReader): MembershipRecord {
  const memory = MEMORIES[input.byte()]
  const promised = input.nat()
  const limit = input.nat()
  const learned = readTerms(input)
  const configuration = input.byte() === 1 ? readConfiguration(input) : null
  return { configuration, promised, memory, learned, limit }
}
