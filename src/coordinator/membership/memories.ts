import { LARGEST_STEP } from '../../algorithms/complete/lease/lease-state.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { entryOf, everybodyIn } from './configuration.ts'
import { hex } from './member-store.ts'
import type { Membership } from './membership.ts'
import type { MembershipMessageOf } from './messages.ts'

/** How far the memory of a member reaches. Each recovery begins a new generation. */
export interface MemoryVersion {
  readonly generation: number
  /** How many records were written that must not be forgotten. */
  readonly count: number
}

/** What a member knows of the memory of another. */
export interface KnownMemory extends MemoryVersion {
  /** The process that said so. */
  readonly process: string
  /** How far the memory reached before that process started. */
  readonly before: MemoryVersion
}

const NOTHING: MemoryVersion = { generation: 0, count: 0 }
/** What others say is written to disk after this share of a lease, so that one write has it all. */
const SAVE_LEASES = 1 / 8

function compareMemories(one: MemoryVersion, other: MemoryVersion): number {
  return one.generation - other.generation || one.count - other.count
}

/**
 * What members know of each other's memories. Every member tells the others how far its memory
 * reaches, before anything leaves that rests on it. A process that starts with less than others
 * know of earlier ones has an older copy of the storage: it has lost its memory.
 */
export class Memories {
  /** The memories of the other members, by their numbers. */
  private readonly known: Map<number, KnownMemory>
  /** What connected members say of themselves. */
  private readonly claims = new Map<string, MembershipMessageOf<'memory'>>()
  /** Who has said what it knows of earlier processes of this member. */
  private readonly answered = new Set<string>()
  /** The furthest that others know of them. */
  private furthest = NOTHING
  /** A name that no other process of this member has, and what it started with. */
  private readonly process: string
  private readonly opened: MemoryVersion
  private saving = false

  constructor(private readonly membership: Membership) {
    const { store, environment } = membership
    this.process = hex(environment.randomBytes(8))
    this.known = new Map(store.knownMemories)
    this.opened = { generation: store.record.generation, count: store.count }
  }

  /** How far the memory reached that this process started with, or that it has recovered since. */
  private get basis(): MemoryVersion {
    const { memory, generation } = this.membership.store.record
    if (!memory) return NOTHING
    return generation > this.opened.generation ? { generation, count: 0 } : this.opened
  }

  /** The generation of a memory that is new, after the old one was lost. */
  get next(): number {
    return Math.max(this.membership.store.record.generation, this.furthest.generation) + 1
  }

  /** The other voters that have not said what they know of earlier processes of this one. */
  get missing(): string[] {
    const { configuration, options } = this.membership
    const all = configuration === null ? [] : everybodyIn(configuration).map(({ name }) => name)
    return all.filter((name) => name !== options.me && !this.answered.has(name))
  }

  /** Whether a member started with all that this one knew of its memory. */
  trusts(name: string): boolean {
    const claim = this.claimOf(name)
    const known = this.known.get(claim?.member ?? 0)
    if (claim === null || claim.count === 0 || known === undefined) return false
    const { generation, basis: count } = claim
    return compareMemories({ generation, count }, known.before) >= 0
  }

  /** Says how far the memory of this member reaches. */
  tell(to: Iterable<string>): void {
    const { mine, store } = this.membership
    if (mine === undefined) return
    const { process } = this
    const { generation, count: basis } = this.basis
    const count = store.record.memory ? store.count : 0
    const claim = { type: 'memory', member: mine.id, process, generation, count, basis } as const
    for (const name of to) this.membership.send(name, claim)
  }

  /** What the others know of this member is to be asked anew: it has another number. */
  askAgain(): void {
    this.answered.clear()
  }

  disconnected(name: string): void {
    this.claims.delete(name)
    this.answered.delete(name)
  }

  /** Another member says how far its memory reaches. */
  claimed(name: string, claim: MembershipMessageOf<'memory'>): void {
    const first = this.claims.get(name)?.member !== claim.member
    this.claims.set(name, claim)
    this.learn(name, first)
  }

  /** What a member says of itself; null if it is not the one of the configuration. */
  private claimOf(name: string): MembershipMessageOf<'memory'> | null {
    const { configuration } = this.membership
    const entry = configuration === null ? undefined : entryOf(configuration, name)
    const claim = this.claims.get(name)
    return claim !== undefined && claim.member === entry?.id ? claim : null
  }

  private learn(name: string, answers: boolean): void {
    const claim = this.claimOf(name)
    if (claim === null) return
    const { member, process } = claim
    const known = this.known.get(member) ?? { ...NOTHING, process, before: NOTHING }
    const same = known.process === process
    const before = same ? known.before : { generation: known.generation, count: known.count }
    // A process without a memory may be a second one, beside the one that has it.
    if (claim.count > 0) this.know(claim, known, before)
    if (answers) this.membership.send(name, { type: 'recalls', member, ...before })
  }

  private know(
    claim: MembershipMessageOf<'memory'>,
    known: KnownMemory,
    before: MemoryVersion,
  ): void {
    const newer = compareMemories(claim, known) > 0
    const { generation, count } = newer ? claim : known
    this.known.set(claim.member, { generation, count, process: claim.process, before })
    if (newer || known.process !== claim.process) this.save()
  }

  /** Another member says what it knows of earlier processes of this one. */
  recalled(name: string, recalls: MembershipMessageOf<'recalls'>): void {
    const { member, generation, count } = recalls
    const { membership, basis } = this
    if (member !== membership.mine?.id) return
    if (generation > this.next + LARGEST_STEP)
      throw new MalformedBytes(`a generation beyond reason: ${generation}`)
    if (compareMemories(recalls, this.furthest) > 0) this.furthest = { generation, count }
    this.answered.add(name)
    if (compareMemories(recalls, basis) <= 0) membership.compared()
    else if (membership.store.record.memory)
      membership.forget(
        `its storage is an older copy: ${name} remembers record ${generation}.${count} of it, ` +
          `and it ended with ${basis.generation}.${basis.count} when this process started`,
      )
  }

  /** There is a configuration with other members. */
  configured(): void {
    const { configuration } = this.membership
    if (configuration === null) return
    const present = new Set(everybodyIn(configuration).map(({ id }) => id))
    for (const id of this.known.keys()) if (!present.has(id)) this.known.delete(id)
    for (const name of this.claims.keys()) this.learn(name, true)
  }

  private save(): void {
    if (this.saving) return
    this.saving = true
    const { membership } = this
    void membership.times.sleep(membership.options.lease * SAVE_LEASES).then(() => {
      this.saving = false
      void membership.inTurn(() => membership.store.keepMemories(this.known))
    })
  }
}
