import type { RunningNode } from '../../src/coordinator/running-node.ts'
import type { Cluster } from './cluster.ts'
import { type RunSettings, settingsOf } from './settings.ts'
import type { Machine } from './world/machine.ts'
import { worldOf } from './world/world.ts'

/** How long nobody may lead while a majority could elect somebody, in leases. */
const SUCCESSION_LEASES = 3
/** After this time without a majority no lease is left, in leases. */
const EXPIRY_LEASES = 1.2
const STEP_MS = 10

/** Members on a network and disks in order: whatever goes wrong, a test does it. */
export function calmSettings(seed: number, n: number, lease = 1000): RunSettings {
  const { random } = worldOf(seed, false)
  return {
    ...settingsOf(random),
    n,
    lease,
    faults: [],
    work: 'usual',
    fast: 'off',
    drops: false,
    moreRoles: 0,
    secret: false,
    diskLatency: 1,
    rates: Array(8).fill(1),
    leases: Array(8).fill(lease),
    network: { delay: 0.3, jitter: 5, loss: 0, corruption: 0, ends: false },
  }
}

/**
 * Watches succession: if a majority of the members is up, connected and has its memory, somebody
 * leads within three leases of the last fault. If none is, nobody leads, and everybody says who is
 * waited for.
 */
export class SuccessionMonitor {
  readonly complaints: string[] = []
  /** Machines whose links are cut. */
  readonly isolated = new Set<Machine>()
  /** Machines whose storage is an older copy, and how often they had recovered then. */
  private readonly rolledBack = new Map<Machine, number>()
  private ableSince: number
  private unableSince: number | null = null

  constructor(private readonly cluster: Cluster) {
    this.ableSince = cluster.world.time
  }

  nodeOn(machine: Machine): RunningNode | null {
    return this.cluster.nodeOn(machine) as RunningNode | null
  }

  get leader(): Machine | undefined {
    return this.cluster.used.find((machine) => this.cluster.roleOn(machine)?.leads())
  }

  /** Something goes wrong, or is mended: the time until somebody leads begins anew. */
  disturbed(): void {
    this.ableSince = this.cluster.world.time
  }

  /** The storage of a machine was replaced by an older copy. */
  wentBack(machine: Machine, generation: number): void {
    this.rolledBack.set(machine, generation)
  }

  async run(leases: number): Promise<void> {
    const { world, settings } = this.cluster
    const end = world.time + leases * settings.lease
    while (world.time < end && this.complaints.length === 0) {
      await world.runUntil(Math.min(world.time + STEP_MS, end), () => this.cluster.look())
      this.look()
    }
  }

  private look(): void {
    const { world, oracle, settings, errors } = this.cluster
    const { lease } = settings
    if (oracle.violation !== null) this.complain(oracle.violation.message)
    if (errors.length > 0) this.complain(errors[0])
    const able = this.able()
    if (able) {
      if (this.unableSince !== null) this.ableSince = world.time
      this.unableSince = null
      const since = Math.max(this.ableSince, oracle.lastLed)
      if (world.time - since > SUCCESSION_LEASES * lease)
        this.complain(`nobody has led for ${SUCCESSION_LEASES} leases: ${this.standings()}`)
      return
    }
    this.unableSince ??= world.time
    if (world.time - this.unableSince < EXPIRY_LEASES * lease) return
    const { leader } = this
    if (leader !== undefined) this.complain(`${leader.name} leads without a majority`)
    for (const machine of this.cluster.used) this.judgeStatus(machine)
  }

  /** Whether a majority is up, connected and has its memory. */
  private able(): boolean {
    const able = this.cluster.used.filter((machine) => this.remembers(machine))
    const newest = able
      .map((machine) => this.nodeOn(machine)!.membership)
      .reduce<RunningNode['membership'] | null>(
        (best, next) => (best === null || isNewer(next, best) ? next : best),
        null,
      )
    return newest?.majority(able.map(({ name }) => name)) ?? false
  }

  private remembers(machine: Machine): boolean {
    const node = this.nodeOn(machine)
    if (node === null || this.isolated.has(machine) || node.membership.mine === undefined)
      return false
    const { memory, generation } = node.membership.store.record
    const back = this.rolledBack.get(machine)
    if (back !== undefined && generation > back) this.rolledBack.delete(machine)
    return memory && !this.rolledBack.has(machine)
  }

  /** A member that lives says whom it waits for. */
  private judgeStatus(machine: Machine): void {
    const node = this.nodeOn(machine)
    if (node === null || !['voting', 'recovering'].includes(node.membership.standing)) return
    const others = this.cluster.used.filter((other) => other !== machine)
    const missing = others.filter((other) => !this.remembers(other) || this.isolated.has(machine))
    const text = node.status().problems.join('; ')
    const stuck = /have no majority|nobody to learn from/.test(text)
    if (!stuck && !missing.some(({ name }) => new RegExp(`waits for .*\\b${name}\\b`).test(text)))
      this.complain(`the status of ${machine.name} does not say who is waited for: ${text}`)
  }

  private standings(): string {
    const one = (machine: Machine) => {
      const { standing, why } = this.nodeOn(machine)?.membership ?? { standing: 'down', why: '' }
      return `${machine.name} ${standing} (${why})`
    }
    return this.cluster.used.map(one).join(', ')
  }

  private complain(text: string): void {
    this.complaints.push(`at ${this.cluster.world.time.toFixed()} ms: ${text}`)
  }
}

function isNewer({ version: one }: RunningNode['membership'], other: RunningNode['membership']) {
  const { term, number } = other.version
  return one.term > term || (one.term === term && one.number > number)
}
