import type { TlsCredentials } from '../cluster/mesh/stream.ts'
import type { StreamTransport } from '../cluster/transports/stream-transport.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import type { AbortSignal } from '../core/platform-types.ts'
import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import { type Duration, durationText, milliseconds } from './duration.ts'
import { checkName, givenMembers } from './given-members.ts'
import type { MemberKind } from './membership/configuration.ts'
import type { LogHook } from './operations/log.ts'

/** Where a member is reached, and whether it only votes. */
export interface MemberAddress {
  /** Host and port, as others dial it; the host may be a DNS name, or one of an SRV record. */
  readonly address: string
  /** A voter by default; a witness votes and never leads. */
  readonly kind?: MemberKind
}

/** The times of a cluster as a whole: see `PRESETS`. */
export type Preset = 'local' | 'lan' | 'wan'

/** The times of a node. Only the leases of members may differ, below the limits of all others. */
export interface LeaseOptions {
  /** The times for processes of one machine, of one network (the default), or far apart. */
  readonly preset?: Preset
  /**
   * How long a leader may act without hearing from a majority. Longer: fewer changes of leader on a
   * bad network or a loaded machine, less traffic. Shorter: a crashed leader is replaced sooner.
   */
  readonly lease?: Duration
  /**
   * The longest lease that this voter promises to anybody; by default the own lease. A voter that
   * lost its storage waits for so long. Raise it on all members before any lease is raised.
   */
  readonly limit?: Duration
  /**
   * The largest ratio by which two clocks run apart, 0.05 by default. Larger: also bad clocks are
   * safe, but a leader uses less of its lease. Smaller is safe only if the clocks are known.
   */
  readonly drift?: number
  /**
   * Subtracted from every lease, for what lies between looking at the clock and acting; by default
   * a fiftieth of the lease. Larger: more room for a pause after `leads()`. Smaller: later ends.
   */
  readonly margin?: Duration
  /**
   * How long before the end of an unrenewed lease the work is aborted; by default an eighth of the
   * lease. Larger: more time to end the work. Smaller: a short disturbance costs no term.
   */
  readonly notice?: Duration
  /**
   * Silence after which a peer counts as crashed and its connection is dropped; by default half a
   * lease. Larger: fewer false suspicions. Smaller: nomination reacts sooner. It decides who stands
   * and never who may lead.
   */
  readonly timeout?: Duration
  /**
   * How late the timers of this process may be before it resigns; by default half a lease.
   * Larger: a busy process keeps its terms. Smaller: a stuck one is replaced sooner.
   */
  readonly lateness?: Duration
  /**
   * How long work may take to end after its signal was aborted, before the lease is left to run out
   * instead of being released; by default one lease. Larger: clean handovers of slow work.
   */
  readonly drain?: Duration
}

/** What a node needs to know: who it is, where the others are, and its times. */
export interface CoordinatorOptions extends LeaseOptions {
  /** The name of the cluster: members of others are refused. */
  readonly cluster: string
  /** The name of this member. */
  readonly me: string
  /**
   * All members by name, with the addresses that others dial; with a transport, their names. On a
   * later start the configuration on disk decides who votes; this list then only helps to find the
   * others.
   */
  readonly members: Readonly<Record<string, string | MemberAddress>> | readonly string[]
  /**
   * Where members meet by name, such as `nats(url)`, in place of addresses. It carries the
   * connections; who leads is still decided by a majority of the members.
   */
  readonly transport?: StreamTransport
  /** The folder for what must survive a restart. Observers need none. */
  readonly storage?: string
  /** Where this process listens; by default the own address of `members`. */
  readonly listen?: string
  /** The first start of the cluster: all members must be there, with empty folders. */
  readonly bootstrap?: boolean
  /** Only watches who leads: it neither votes nor leads, and need not be a member. */
  readonly observe?: boolean
  /**
   * Mutual TLS: only processes with a certificate of the same authority are heard. A function is
   * called for every connection, so that certificates can be renewed.
   */
  readonly tls?: TlsCredentials | (() => TlsCredentials)
  /** A secret that all members share, in place of certificates: TLS with a key made of it. */
  readonly secret?: string
  /** Permits other addresses than loopback without TLS and without a secret. */
  readonly insecure?: boolean
  /**
   * Frees the promise to a process of this machine at once when the kernel shows that it is gone,
   * so that the next one leads some milliseconds later instead of a lease. True by default, and
   * without effect between machines. Set it to false where the work may outlive the process.
   * `connection` does the same between machines when a connection has ended in order. Both sides
   * must set it, and nothing between them may end connections: no proxy, no firewall that does.
   */
  readonly fast?: boolean | 'connection'
  /** Gets the log; without it, only `node:diagnostics_channel` has it. */
  readonly log?: LogHook
  /** Closes the node, also while it is starting. */
  readonly signal?: AbortSignal
}

/** How this process takes part in a role. All is optional. */
export interface RoleOptions {
  /** The election that proposes who should lead, `bully` by default; the same for all members. */
  readonly nominate?: Algorithm
  /** The member with the largest priority should lead, a whole number from 0; then the names. */
  readonly priority?: () => number
  /** Asked every quarter lease while this process leads or could; false or an error: it resigns. */
  readonly healthy?: () => boolean | Promise<boolean>
  /** Whether a better candidate takes over from this leader; by default the leader stays. */
  readonly preempt?: boolean
  /** How long a leader stays before a better one takes over; by default ten leases. */
  readonly hold?: Duration
  /** Whether this process stands for election; true by default. It votes in any case. */
  readonly stand?: boolean
}

/** The times of a node in milliseconds, all of them known. */
export interface Timing {
  readonly lease: number
  readonly limit: number
  readonly drift: number
  readonly margin: number
  readonly notice: number
  readonly timeout: number
  readonly lateness: number
  readonly drain: number
  /** The interval of the beats, and of the renewals: a quarter of the lease. */
  readonly beat: number
}

/** The lease of each preset in milliseconds; the other times follow from it. */
export const PRESETS: Readonly<Record<Preset, number>> = { local: 300, lan: 1000, wan: 5000 }

const LEAST_LEASE = 50
const WORDS = ['cluster', 'me', 'members', 'transport', 'storage', 'listen'] as const
const SECURITY = ['tls', 'secret', 'insecure', 'fast'] as const
const TIMES = [
  'preset',
  'lease',
  'limit',
  'drift',
  'margin',
  'notice',
  'timeout',
  'lateness',
] as const
const FLAGS = ['bootstrap', 'observe', 'insecure'] as const
const LAST = ['drain', 'log', 'signal'] as const
const KNOWN: readonly string[] = [...new Set([...WORDS, ...FLAGS, ...SECURITY, ...TIMES, ...LAST])]
const ROLE_KNOWN = ['nominate', 'priority', 'healthy', 'preempt', 'hold', 'stand']

/** The options of a node, checked as a whole, with the defaults filled in. */
export interface CheckedOptions extends CoordinatorOptions {
  readonly timing: Timing
  readonly addresses: Readonly<Record<string, MemberAddress>>
}

/** Checks all options before anything starts, and fills in the defaults. */
export function checkedOptions(given: CoordinatorOptions): CheckedOptions {
  const options: unknown = given
  if (typeof options !== 'object' || options === null)
    throw new UsageError(
      'coordinator',
      'its options are missing.',
      "Write coordinator({ cluster: 'billing', ... }).",
    )
  refuseUnknown('coordinator', options, KNOWN)
  for (const name of FLAGS) checkType(name, given[name], 'boolean')
  checkFast(given.fast)
  checkType('log', given.log, 'function')
  const addresses = givenMembers(given)
  checkStorage(given)
  checkSecurity(given)
  return { ...given, ...throughTransport(given), addresses, timing: timingOf(given) }
}

/** What the transport has brought, and that nobody sees which processes are gone. */
function throughTransport({ transport, secret, insecure }: CoordinatorOptions) {
  if (transport === undefined) return {}
  const known = secret ?? transport.secret
  return {
    fast: false,
    insecure: insecure ?? transport.insecure,
    ...(known !== undefined && { secret: known }),
  }
}

/** The times of a node, from a preset and from what was given. */
export function timingOf(given: LeaseOptions): Timing {
  const { preset = 'lan', drift = 0.05 } = given
  if (!Object.hasOwn(PRESETS, preset))
    throw new UsageError(
      'preset',
      `${quoted(preset)} is none of ${Object.keys(PRESETS).join(', ')}.`,
      'Choose one, or give a lease.',
    ).withCandidates(preset, Object.keys(PRESETS))
  if (!(typeof drift === 'number' && drift >= 0 && drift <= 0.5))
    throw new UsageError(
      'drift',
      `a ratio from 0 to 0.5 is needed, but ${drift} was given.`,
      'Leave it out for 0.05.',
    )
  const lease = milliseconds('lease', given.lease ?? PRESETS[preset], LEAST_LEASE)
  const time = (
    name: 'limit' | 'margin' | 'notice' | 'timeout' | 'lateness' | 'drain',
    usual: number,
  ) => milliseconds(name, given[name] ?? usual)
  const timing = {
    lease,
    drift,
    limit: time('limit', lease),
    margin: time('margin', Math.ceil(lease / 50)),
    notice: time('notice', lease / 8),
    timeout: time('timeout', lease / 2),
    lateness: time('lateness', lease / 2),
    drain: time('drain', lease),
    beat: lease / 4,
  }
  checkTiming(timing)
  return timing
}

function checkTiming({ lease, limit, drift, margin, notice, timeout, beat }: Timing): void {
  if (limit < lease)
    throw new UsageError(
      'limit',
      `this voter would refuse its own lease: ${durationText(limit)} is less than ${durationText(lease)}.`,
      'Give a limit of at least the lease.',
    )
  if (timeout < 1.5 * beat)
    throw new UsageError(
      'timeout',
      `${durationText(timeout)} is less than one and a half beats of ${durationText(beat)}.`,
      'Increase it, or shorten the lease.',
    )
  const usable = lease / (1 + drift) - margin
  if (usable < lease / 2 || notice > usable - 2 * beat + 1)
    throw new UsageError(
      usable < lease / 2 ? 'margin' : 'notice',
      `of a lease of ${durationText(lease)} too little is left to renew it.`,
      'Make margin, notice or drift smaller, or the lease longer.',
    )
}

/** Checks the options of a role. */
export function checkRole(name: string, options: RoleOptions): void {
  checkName('role', name)
  refuseUnknown(`role ${name}`, options, ROLE_KNOWN)
  for (const key of ['priority', 'healthy'] as const)
    checkType(`role ${name}: ${key}`, options[key], 'function')
  for (const key of ['preempt', 'stand'] as const)
    checkType(`role ${name}: ${key}`, options[key], 'boolean')
  if (options.hold !== undefined) milliseconds(`role ${name}: hold`, options.hold)
}

function checkFast(fast: unknown): void {
  if (fast === undefined || fast === 'connection' || typeof fast === 'boolean') return
  throw new UsageError(
    'fast',
    `true, false or connection is needed, but ${quoted(fast)} was given.`,
    'Leave it out for true.',
  )
}

function checkStorage({ storage, observe, bootstrap }: CoordinatorOptions): void {
  if (observe && bootstrap)
    throw new UsageError('bootstrap', 'an observer does not vote.', 'Leave it out.')
  if (observe || (typeof storage === 'string' && storage !== '')) return
  throw new UsageError(
    'storage',
    'a member needs a folder for its promises, which must survive restarts.',
    "Write for example storage: './state'.",
  )
}

function checkSecurity({ tls, secret, transport }: CoordinatorOptions): void {
  if (secret !== undefined && (transport?.secret ?? secret) !== secret)
    throw new UsageError('secret', 'the transport has another one.', 'Leave out one of them.')
  if (tls !== undefined && secret !== undefined)
    throw new UsageError(
      'secret',
      'certificates prove membership already, and TLS uses one of the two.',
      'Leave out one of them.',
    )
  checkType('secret', secret, 'string')
  if (secret !== undefined && secret.length < 16)
    throw new UsageError('secret', 'fewer than 16 characters can be guessed.', 'Use a longer one.')
}

function checkType(where: string, value: unknown, type: 'boolean' | 'function' | 'string'): void {
  if (value === undefined || typeof value === type) return
  throw new UsageError(where, `a ${type} is needed, but ${String(value)} was given.`, 'Correct it.')
}

function refuseUnknown(where: string, options: object, known: readonly string[]): void {
  const stranger = Object.keys(options).find((name) => !known.includes(name))
  if (stranger === undefined) return
  throw new UsageError(
    where,
    `there is no option ${quoted(stranger)}.`,
    `There are ${known.join(', ')}.`,
  ).withCandidates(stranger, known)
}
