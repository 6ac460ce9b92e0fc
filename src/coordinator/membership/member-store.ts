import { ByteReader, ByteWriter } from '../../core/runtime/bytes.ts'
import type { Environment } from '../environment.ts'
import type { Journal } from '../storage/journal.ts'
import {
  type Configuration,
  readConfiguration,
  readList,
  readTerms,
  writeConfiguration,
  writeTerms,
} from './configuration.ts'
import type { KnownMemory } from './memories.ts'

/** Keys whose loss forgets no promise. */
export const UNCOUNTED_KEYS: ReadonlySet<string> = new Set(['boot', 'probe', 'peers'])

/** What a membership needs of the journal of its member. */
export type MemberJournal = Pick<Journal, 'get' | 'put' | 'count' | 'forget'>

/** What is written as one. */
export interface MembershipRecord {
  readonly configuration: Configuration | null
  /** Configurations of smaller terms are refused. */
  readonly promised: number
  /** Whether it knows of all terms that this member granted; if not, the member does not vote. */
  readonly memory: boolean
  /** The highest terms, as learnt from the others after the memory was lost. */
  readonly learned: ReadonlyMap<string, number>
  /** The longest lease, in milliseconds, that a promise may still last. */
  readonly limit: number
  /** How often this member recovered from a loss of its memory. */
  readonly generation: number
  /** How its memory was lost, until it has recovered; empty otherwise. */
  readonly lost: string
}

const EMPTY: MembershipRecord = {
  configuration: null,
  promised: 0,
  memory: false,
  learned: new Map(),
  limit: 0,
  generation: 0,
  lost: '',
}

/** The part of a journal that belongs to the membership. */
export class MemberStore {
  record: MembershipRecord = EMPTY
  /** Names this storage: drawn when it was first used. */
  id = ''
  /** The first configuration, as long as the bootstrap is not over. */
  marked: Configuration | null = null

  constructor(
    private readonly journal: MemberJournal,
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

  /** How many records were written that must not be forgotten. */
  get count(): number {
    return this.journal.count
  }

  /** The memories of the others, by their numbers, when they were last written. */
  get knownMemories(): ReadonlyMap<number, KnownMemory> {
    const bytes = this.journal.get('peers')
    if (bytes === undefined) return new Map()
    const input = new ByteReader(bytes)
    const version = () => ({ generation: input.nat(), count: input.nat() })
    const one = () => {
      const id = input.nat()
      return [id, { ...version(), process: input.text(), before: version() }] as const
    }
    return new Map(readList(input, Number.POSITIVE_INFINITY, one))
  }

  async keepMemories(memories: ReadonlyMap<number, KnownMemory>): Promise<void> {
    const out = new ByteWriter()
    out.nat(memories.size)
    for (const [id, { generation, count, process, before }] of memories) {
      for (const value of [id, generation, count]) out.nat(value)
      out.text(process)
      for (const value of [before.generation, before.count]) out.nat(value)
    }
    await this.journal.put('peers', out.take())
  }

  /** The memory is lost: only what helps to find and to recognise the others is kept. */
  async forget(why: string): Promise<void> {
    const { configuration, limit, generation } = this.record
    this.record = { ...EMPTY, configuration, limit, generation, lost: why }
    this.id = ''
    this.marked = null
    const kept = new Map([['config', recordBytes(this.record)]])
    const peers = this.journal.get('peers')
    if (peers !== undefined) kept.set('peers', peers)
    await this.journal.forget(kept)
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
  const { configuration, promised, memory, learned, limit, generation, lost } = record
  const out = new ByteWriter()
  out.byte(memory ? 2 : 0)
  out.nat(promised)
  out.nat(limit)
  writeTerms(out, learned)
  out.byte(configuration === null ? 0 : 1)
  if (configuration !== null) writeConfiguration(out, configuration)
  out.nat(generation)
  out.text(lost)
  return out.take()
}

function recordIn(input: ByteReader): MembershipRecord {
  // Earlier versions wrote 1 after a recovery, and neither generations nor losses.
  const memory = input.byte() > 0
  const promised = input.nat()
  const limit = input.nat()
  const learned = readTerms(input)
  const configuration = input.byte() === 1 ? readConfiguration(input) : null
  const [generation, lost] = input.left > 0 ? [input.nat(), input.text()] : [0, '']
  return { configuration, promised, memory, learned, limit, generation, lost }
}
