import { LARGEST_STEP } from '../../algorithms/complete/lease/lease-state.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { entryOf, everybodyIn } from './configuration.ts'
import type { Membership } from './membership.ts'
import type { MembershipMessageOf } from './messages.ts'

/** How far the memory of a member reaches. Each recovery begins a new generation. */
export interface MemoryVersion {
  readonly generation: number
  /** How many records were written that must not be forgotten. */
  readonly count: number
}

const NOTHING: MemoryVersion = { generation: 0, count: 0 }
/** What others say is written to disk after this share of a lease, so that one write has it all. */
const SAVE_LEASES = 1 / 8

function compareMemories(one: MemoryVersion, other: MemoryVersion): number {
  return one.generation - other.generation || one.count - other.count
}

/**
 * What members remember of each other's memories. Every member tells the others how far its memory
 * reaches, before anything leaves that rests on it. If one comes back with less than the others
 * remember, its folder is an older copy: it has lost its memory.
 */
export class Memories {
  /** The furthest that each member was heard of, by its number. */
  private readonly remembered: Map<number, MemoryVersion>
  /** What connected members say of themselves. */
  private readonly claims = new Map<string, MembershipMessageOf<'memory'>>()
  /** Who has said what it remembers of this member. */
  private readonly answered = new Set<string>()
  /** The furthest that others remember of this member. */
  private furthest = NOTHING
  private saving = false

  constructor(private readonly membership: Membership) {
    this.remembered = new Map(membership.store.remembered)
  }

  get own(): MemoryVersion {
    const { memory, generation } = this.membership.store.record
    return memory ? { generation, count: this.membership.store.count } : NOTHING
  }

  /** The generation of a memory that is new, after the old one was lost. */
  get next(): number {
    return Math.max(this.membership.store.record.generation, this.furthest.generation) + 1
  }

  /** The other voters that have not said what they remember of this one. */
  get missing(): string[] {
    const { configuration, options } = this.membership
    const all = configuration === null ? [] : everybodyIn(configuration).map(({ name }) => name)
    return all.filter((name) => name !== options.me && !this.answered.has(name))
  }

  /** Whether another member remembers all that this one has heard of its memory. */
  trusts(name: string): boolean {
    const claim = this.claimOf(name)
    if (claim === null) return false
    return compareMemories(claim, this.remembered.get(claim.member) ?? NOTHING) >= 0
  }

  /** Says how far the memory of this member reaches. */
  tell(to: Iterable<string>): void {
    const { mine } = this.membership
    if (mine === undefined) return
    for (const name of to)
      this.membership.send(name, { type: 'memory', member: mine.id, ...this.own })
  }

  lost(name: string): void {
    this.claims.delete(name)
    this.answered.delete(name)
  }

  /** Another member says how far its memory reaches. */
  claimed(name: string, claim: MembershipMessageOf<'memory'>): void {
    const first = !this.claims.has(name)
    this.claims.set(name, claim)
    this.compare(name, first)
  }

  /** What a member says of itself; null if it is not the one of the configuration. */
  private claimOf(name: string): MembershipMessageOf<'memory'> | null {
    const { configuration } = this.membership
    const entry = configuration === null ? undefined : entryOf(configuration, name)
    const claim = this.claims.get(name)
    return claim !== undefined && claim.member === entry?.id ? claim : null
  }

  private compare(name: string, answers: boolean): void {
    const claim = this.claimOf(name)
    if (claim === null) return
    const { member } = claim
    const known = this.remembered.get(member) ?? NOTHING
    const order = compareMemories(claim, known)
    const { generation, count } = order > 0 ? claim : known
    if (order > 0) {
      this.remembered.set(member, { generation, count })
      this.save()
    }
    if (answers || order < 0)
      this.membership.send(name, { type: 'remembers', member, generation, count })
  }

  /** Another member says what it remembers of this one. */
  told(name: string, told: MembershipMessageOf<'remembers'>): void {
    if (told.member !== this.membership.mine?.id) return
    if (told.generation > this.next + LARGEST_STEP)
      throw new MalformedBytes(`a generation beyond reason: ${told.generation}`)
    if (compareMemories(told, this.furthest) > 0) this.furthest = told
    this.answered.add(name)
    const { own, membership } = this
    if (compareMemories(told, own) <= 0) membership.compared()
    else if (membership.store.record.memory)
      membership.forget(
        `its storage is an older copy: ${name} remembers record ${told.generation}.${told.count} ` +
          `of it, and the last one here is ${own.generation}.${own.count}`,
      )
  }

  /** There is a configuration with other members. */
  configured(): void {
    const { configuration } = this.membership
    if (configuration === null) return
    const present = new Set(everybodyIn(configuration).map(({ id }) => id))
    for (const id of this.remembered.keys()) if (!present.has(id)) this.remembered.delete(id)
    for (const name of this.claims.keys()) this.compare(name, true)
  }

  private save(): void {
    if (this.saving) return
    this.saving = true
    const { membership } = this
    void membership.times.sleep(membership.options.lease * SAVE_LEASES).then(() => {
      this.saving = false
      void membership.inTurn(() => membership.store.remember(this.remembered))
    })
  }
}
