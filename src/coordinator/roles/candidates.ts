import { IDS, keyOf } from '../../cluster/dynamic-keys.ts'
import type { RoleReport } from '../frames.ts'
import type { RoleOptions } from '../options.ts'
import type { RoleHost } from './role-host.ts'

/** How this member and the others compare as candidates of a role. */
export class Candidates {
  priority: RoleOptions['priority']
  /** The keys of other members in the nominating election. */
  readonly keys = new Map<string, number>()
  /** Those that they would have now; 0 for those that do not stand. */
  private readonly presents = new Map<string, number>()
  private readonly voters = new Set<string>()
  private waitsUntil = 0

  constructor(
    private readonly role: string,
    private readonly host: RoleHost,
  ) {}

  /** The key of this member in an election that begins now. */
  key(stands: boolean): number {
    return candidateKey(stands ? this.read() : null, this.host.ownNumber ?? 0)
  }

  /** Another member announces its keys; returns whether that of the election changed. */
  heard(member: string, { key, present, votes }: RoleReport): boolean {
    this.presents.set(member, present)
    if (votes) this.voters.add(member)
    else this.voters.delete(member)
    const changed = this.keys.get(member) !== key
    this.keys.set(member, key)
    return changed
  }

  lost(member: string): void {
    this.presents.delete(member)
    this.voters.delete(member)
  }

  /** Whether a member is connected and votes for the role. */
  isUp(member: string): boolean {
    return this.voters.has(member) && this.host.isUp(member)
  }

  /** This node begins to vote. It waits a little for the others, so that the best stands first. */
  begin(): void {
    this.waitsUntil = this.host.clock.now() + this.host.timing.beat
  }

  /** Whether it makes sense to stand: enough members can be asked. */
  mayStand(): boolean {
    const { me, links, clock } = this.host
    const up = [...links.keys()].filter((member) => this.isUp(member))
    if (up.length === links.size) this.waitsUntil = 0
    return clock.now() >= this.waitsUntil && this.host.majority([me, ...up])
  }

  stands(member: string): boolean {
    return this.isUp(member) && (this.presents.get(member) ?? 0) > 0
  }

  /** The best other member that stands; null where none does. */
  best(): string | null {
    const others = [...this.presents].filter(([member]) => this.stands(member))
    const [best] = others.sort(([, one], [, other]) => other - one)
    return best?.[0] ?? null
  }

  /** The best other member if it is better than this one; else null. */
  better(): string | null {
    const best = this.best()
    return best !== null && this.presents.get(best)! > this.key(true) ? best : null
  }

  /** A priority that cannot be read is the lowest. */
  private read(): number {
    const { priority, role } = this
    if (priority === undefined) return 0
    try {
      const value: unknown = priority()
      if (typeof value === 'number' && !Number.isNaN(value)) return value
      this.host.log.warn('priority', `the priority of ${role} is no number`, { role })
    } catch (error) {
      const { message } = error as Error
      this.host.log.warn('priority', `the priority of ${role} failed: ${message}`, { role })
    }
    return Number.NEGATIVE_INFINITY
  }
}

/*
 * The number by which a nominating election compares candidates: first whether a member stands,
 * then its priority, then its number in the configuration.
 */

const STANDS = 2 ** 32
const SIGN = 2 ** 31
const real = new Float32Array(1)
const bits = new Uint32Array(real.buffer)

/** The key of a member that stands with this priority; of one that does not: null. */
function candidateKey(priority: number | null, id: number): number {
  return priority === null ? keyOf(0, id) : keyOf(STANDS + ordered(priority), id)
}

/** The number of the member that has this key. */
export function memberOfKey(key: number): number {
  return key % IDS
}

/** A whole number below 2^32 that compares like the real number, with a precision of 24 bits. */
function ordered(priority: number): number {
  real[0] = priority + 0
  const [word] = bits
  return word >= SIGN ? 2 ** 32 - 1 - word : word + SIGN
}
