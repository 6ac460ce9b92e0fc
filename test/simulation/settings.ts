import type { Random } from '../../src/core/runtime/random.ts'
import type { NetworkOptions } from './world/network.ts'
import { between, happens, oneFrom } from './world/world.ts'

/** What may go wrong in a run. Each seed has some of these, so that each gets its turn. */
export const FAULTS = [
  'kill',
  'power',
  'new-disk',
  'rot',
  'pause',
  'suspend',
  'isolate',
  'partition',
  'link',
  'one-way',
  'slow-link',
  'slow-disk',
  'bad-disk',
  'resign',
  'transfer',
  'members',
  'twin',
] as const

export type FaultName = (typeof FAULTS)[number]

/** The bound on the ratio of two clocks; larger than usual, so that it makes a difference. */
export const DRIFT = 0.2

/** What a seed decides. Times are real milliseconds. */
export interface RunSettings {
  readonly n: number
  readonly lease: number
  readonly faults: readonly FaultName[]
  /** The mean time between two faults. */
  readonly pause: number
  /** When the first fault may come, when everything is mended, and when the run ends. */
  readonly begin: number
  readonly heal: number
  readonly end: number
  readonly network: NetworkOptions
  readonly diskLatency: number
  /** restless: work ends often by itself. stubborn: it does not end before the lease has. */
  readonly work: 'usual' | 'restless' | 'stubborn'
  /** Whether somebody must lead in the end: not where too many may have lost their memory. */
  readonly recovers: boolean
  /** Members share a secret: corrupted frames are noticed. */
  readonly secret: boolean
  /** Local milliseconds per real one, by member. */
  readonly rates: readonly number[]
  /**
   * What shows members that a process is gone: nothing, processes on one machine, or the end of
   * connections, in which not all members may believe.
   */
  readonly fast: 'off' | 'processes' | 'connections'
  readonly believes: readonly boolean[]
  /** Whether some member drops a connection now and then. */
  readonly drops: boolean
  /** The leases of the members, at most `lease`. */
  readonly leases: readonly number[]
  /** How many roles there are beside the one with work. */
  readonly moreRoles: number
}

const LEASE = 1000

export function settingsOf(random: Random): RunSettings {
  const faults = FAULTS.filter(() => happens(random, 0.4))
  const n = oneFrom(random, [2, 3, 3, 3, 3, 3, 4, 5])
  const secret = happens(random, 0.25)
  const begin = 3.5 * LEASE
  const heal = begin + between(random, 2, 7) * LEASE
  const delay = oneFrom(random, [0.2, 2, 20])
  const more = moreOf(random.split('more'))
  return {
    n,
    lease: LEASE,
    faults,
    recovers: !(
      faults.includes('members') &&
      (faults.includes('new-disk') || faults.includes('rot'))
    ),
    pause: between(random, 0.1, 1) * LEASE,
    ...{ begin, heal, end: heal + 3 * LEASE },
    network: {
      ...{ delay, jitter: oneFrom(random, [0.1, 5, 50, 300]) },
      loss: oneFrom(random, [0, 0, 0.05, 0.2]),
      corruption: secret ? oneFrom(random, [0, 0.01]) : 0,
      ends: more.fast !== 'off',
    },
    diskLatency: oneFrom(random, [0.05, 1, 10]),
    secret,
    work: oneFrom(random, ['usual', 'restless', 'stubborn']),
    rates: ratesOf(random),
    ...more,
  }
}

/** Half of the seeds have nothing of this. */
function moreOf(random: Random) {
  const fast = oneFrom(random, ['off', 'off', 'off', 'processes', 'connections', 'connections'])
  const differ = fast !== 'off' && happens(random, 0.3)
  const all = happens(random, 0.6)
  const each = <T>(draw: () => T) => Array.from({ length: 8 }, draw)
  return {
    fast: fast as RunSettings['fast'],
    believes: each(() => all || happens(random, 0.7)),
    drops: fast !== 'off' && happens(random, 0.7),
    leases: each(() => (differ ? Math.round(between(random, 0.4, 1) * LEASE) : LEASE)),
    moreRoles: fast === 'off' ? 0 : random.below(3),
  }
}

/** No two clocks run apart by more than the bound; often they do by as much. */
function ratesOf(random: Random): number[] {
  const slow = between(random, 1 / (1 + DRIFT), 1)
  const draw = oneFrom(random, [
    () => 1,
    () => oneFrom(random, [1, 1 + DRIFT]),
    () => between(random, 1, 1 + DRIFT),
  ])
  return Array.from({ length: 8 }, () => slow * draw())
}
