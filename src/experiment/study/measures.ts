import { aggregationNamed, catalogue } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import type { BoundResult, CycleResult, FailureResult, RunResult } from '../../sim/index.ts'

/** The result of one run, as measures read it. */
export interface MeasuredRun {
  readonly result: RunResult | CycleResult
  /** Messages that announce the leader. */
  readonly announced: number
  /** The proven lower bound on messages for this problem, up to a constant. */
  readonly lower: number | null
  /** The largest delay, which is the unit of time bounds. */
  readonly longest: number
}

/** A quantity that a run has. */
export interface Measure {
  /** The label of an axis. */
  readonly label: string
  /** What it is, in one sentence. */
  readonly says: string
  read(outcome: MeasuredRun): number | null
}

const sizes: Readonly<Record<string, Measure>> = {
  n: { label: 'nodes', says: 'The number of nodes.', read: ({ result }) => result.n },
  links: { label: 'links', says: 'The number of links.', read: ({ result }) => result.links },
}

const elections: Readonly<Record<string, Measure>> = {
  messages: {
    label: 'messages',
    says: 'All messages that were sent.',
    read: ({ result }) => result.messages.total,
  },
  cost: {
    label: 'messages without the announcement',
    says: 'Messages without the announcement: what proven bounds count.',
    read: ({ result, announced }) => result.messages.total - announced,
  },
  bits: {
    label: 'bits',
    says: 'The bits of all messages.',
    read: ({ result }) => ('bits' in result ? result.bits : null),
  },
  time: {
    label: 'time until elected (units of time)',
    says: 'Time until a leader is elected; in synchronous runs, the round less one.',
    read: ({ result }) => hops(result, 'elected'),
  },
  'time.last': {
    label: 'time of the last message received (units of time)',
    says: 'Time of the last message that was received.',
    read: ({ result }) => hops(result, 'last'),
  },
  'time.stable': {
    label: 'time since which the outcome is stable (units of time)',
    says: 'For algorithms that never fall silent: since when the outcome has not changed.',
    read: ({ result }) => hops(result, 'stable'),
  },
  interactions: {
    label: 'interactions until the outcome is stable',
    says: 'Where nodes meet: the number of meetings until the outcome is stable.',
    read: ({ result }) => meetings(result)?.stable ?? null,
  },
  parallel: {
    label: 'parallel time until the outcome is stable',
    says: 'Where nodes meet: interactions divided by the number of nodes.',
    read: ({ result }) => meetings(result)?.parallel ?? null,
  },
  'bound.interactions': {
    label: 'expected interactions',
    says: 'Where nodes meet: the exact expectation of interactions, where it is known.',
    read: ({ result }) => meetings(result)?.expected?.value ?? null,
  },
  term: {
    label: 'the last term with a leader',
    says: 'The largest term in which a node led, where leaders are elected term by term.',
    read: ({ result }) => lastTerm(result),
  },
  failed: {
    label: 'share of the runs that failed',
    says: 'For elections that may fail: 1 where nobody or several were elected, else 0.',
    read: ({ result }) => (failureIn(result) === null ? null : Number(failureIn(result)!.failed)),
  },
  chance: {
    label: 'stated chance to fail',
    says: 'For elections that may fail: the chance that their theory states.',
    read: ({ result }) => failureIn(result)?.chance ?? null,
  },
  'bound.messages': {
    label: 'proven bound on messages',
    says: 'The proven worst case of messages.',
    read: (outcome) => bound(outcome, 'messages'),
  },
  'bound.lower': {
    label: 'proven lower bound on messages, up to a constant',
    says: 'The proven lower bound on messages for every algorithm, up to a constant.',
    read: ({ lower }) => lower,
  },
  'bound.time': {
    label: 'proven bound on time',
    says: 'The proven worst case of time.',
    read: (outcome) => bound(outcome, 'time'),
  },
  'bound.stable': {
    label: 'proven bound on the time since which the outcome is stable',
    says: 'For algorithms that never fall silent: by when the outcome is proven to be stable.',
    read: (outcome) => bound(outcome, 'stability'),
  },
}

const gossip: Readonly<Record<string, Measure>> = {
  factor: {
    label: 'factor of the variance per cycle',
    says: 'Gossip: by what factor the variance of the estimates shrinks in a cycle.',
    read: ({ result }) => ('cycles' in result ? result.factor : null),
  },
  reached: {
    label: 'cycles until all are near the truth',
    says: 'Gossip: cycles until all nodes are within the tolerance.',
    read: ({ result }) => ('cycles' in result ? result.time.reached : null),
  },
  rounds: {
    label: 'rounds until all nodes know',
    says: 'Gossip: rounds until all live nodes know a rumor.',
    read: ({ result }) => ('cycles' in result ? (result.rounds ?? null) : null),
  },
  within: {
    label: 'share of nodes near the truth',
    says: 'Gossip: the share of the nodes that are within the tolerance at the end.',
    read: ({ result }) => last(result)?.within ?? null,
  },
  error: {
    label: 'relative error of the worst estimate',
    says: 'Gossip: the relative error of the worst estimate at the end.',
    read: ({ result }) => errorOf(result),
  },
  bias: {
    label: 'relative error of the mean estimate',
    says: 'Gossip: the relative error of the mean estimate at the end.',
    read: ({ result }) => biasOf(result),
  },
  massError: {
    label: 'relative error of the sum',
    says: 'Gossip: the relative error of the sum of all estimates at the end.',
    read: ({ result }) => last(result)?.massError ?? null,
  },
}

const faults: Readonly<Record<string, Measure>> = {
  toDead: {
    label: 'messages toDead',
    says: 'Messages to crashed nodes.',
    read: ({ result }) => result.messages.toDead,
  },
  lost: {
    label: 'messages lost',
    says: 'Messages that were lost.',
    read: ({ result }) => result.messages.lost,
  },
  duplicated: {
    label: 'messages duplicated',
    says: 'Messages that were duplicated.',
    read: ({ result }) => result.messages.duplicated,
  },
}

const known: Readonly<Record<string, Measure>> = {
  ...elections,
  ...gossip,
  ...faults,
  ...sizes,
}

/** Every measure with what it is, for a list. */
export const measureList: readonly (readonly [name: string, says: string])[] = [
  ...Object.entries(known).map(([name, { says }]) => [name, says] as const),
  ['messages.TYPE', 'Messages of one type, for example messages.election.'],
  ['A/B', 'The ratio of two measures, for example messages/n.'],
]

const BY_TYPE = /^messages\.([a-z]\w*)$/

/** Whether the program itself has a measure of this name. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(known, name) || BY_TYPE.test(name)
}

/** Checks the name of a measure; two names with a slash are a ratio. */
export function readMeasure(where: string, name: string, own: readonly string[] = []): string {
  const parts = name.split('/')
  const exists = (part: string) => isBuiltIn(part) || own.includes(part)
  if (parts.length <= 2 && parts.every(exists)) return name
  const all = [...own, ...Object.keys(known)]
  const unknown = parts.find((part) => !exists(part))
  throw new UsageError(
    where,
    `there is no measure ${quoted(name)}.`,
    `The measures are ${all.join(', ')}, messages.TYPE, and ratios such as messages/n.`,
  ).withCandidates(unknown, all)
}

export function measureLabel(name: string): string {
  const [part, whole] = name.split('/')
  if (whole === 'n') return `${measureLabel(part)}, per node`
  if (whole !== undefined) return `${measureLabel(part)} / ${measureLabel(whole)}`
  const [, type] = BY_TYPE.exec(name) ?? []
  if (type !== undefined) return `messages of type ${type}`
  return Object.hasOwn(known, name) ? known[name].label : name
}

/** The value in one run; null if it has none, such as the time of a failed election. */
export function measured(
  name: string,
  outcome: MeasuredRun,
  own: (name: string) => number | null = () => null,
): number | null {
  const [part, whole] = name.split('/')
  if (whole !== undefined) {
    const [above, below] = [measured(part, outcome, own), measured(whole, outcome, own)]
    return above === null || !below ? null : above / below
  }
  const [, type] = BY_TYPE.exec(name) ?? []
  if (type === undefined) return known[name]?.read(outcome) ?? own(name)
  const counts: Readonly<Record<string, number>> = outcome.result.messages.byType
  return counts[type] ?? null
}

export function isBound(name: string): boolean {
  return name.startsWith('bound.')
}

/** The measures that bound a measure, with their labels. */
export function boundsOn(name: string): readonly (readonly [bound: string, label: string])[] {
  if (name === 'time') return [['bound.time', 'proven bound']]
  if (name === 'time.stable') return [['bound.stable', 'proven bound']]
  if (name === 'interactions') return [['bound.interactions', 'expected']]
  if (name !== 'cost') return []
  return [
    ['bound.messages', 'proven bound'],
    ['bound.lower', 'lower bound for all, up to a constant'],
  ]
}

/** The default measures: the cost of elections, or the convergence of aggregations. */
export function defaultMeasures(
  base: ScenarioInput,
  sweep: Readonly<Record<string, unknown>>,
  aggregates: (name: unknown) => boolean = (name) => aggregationNamed(name) !== undefined,
  meets: (name: unknown) => boolean = (name) =>
    catalogue.some((one) => one.name === name && one.meet !== null),
): string[] {
  const names = [base.algorithm, ...Object.values(sweep).flat()]
  if (names.some(aggregates)) return ['factor', 'within', 'error', 'messages']
  if (names.some(meets)) return ['interactions', 'parallel', 'bound.interactions']
  const usual = ['messages', 'cost', 'bits', 'time', 'time.last', 'bound.messages', 'bound.time']
  const mayFail = catalogue.some(({ name, theory }) => theory.fails && names.includes(name))
  return mayFail ? [...usual, 'failed', 'chance'] : usual
}

/** Messages sent in one round arrive in the next: round 3 is two hops after round 1. */
function hops(
  { time }: MeasuredRun['result'],
  which: 'elected' | 'last' | 'stable',
): number | null {
  const moment = (time as RunResult['time'])[which] ?? null
  return moment !== null && time.unit === 'round' ? moment - 1 : moment
}

/** The times of a run in which nodes meet. */
function meetings({ time }: MeasuredRun['result']): RunResult['time'] | null {
  return time.unit === 'interaction' ? time : null
}

function failureIn(result: MeasuredRun['result']): FailureResult | null {
  return 'failure' in result ? (result.failure ?? null) : null
}

function lastTerm(result: MeasuredRun['result']): number | null {
  const { leads = [] } = result as Partial<RunResult>
  const terms = leads.flatMap(({ term }) => term ?? [])
  return terms.length === 0 ? null : Math.max(...terms)
}

function bound({ result, longest }: MeasuredRun, of: BoundResult['of']): number | null {
  if (!('bounds' in result)) return null
  const values = result.bounds.filter((one) => one.of === of).map(({ value }) => value)
  if (values.length === 0) return null
  const least = Math.min(...values)
  if (of === 'time') return least * longest
  return of === 'stability' && result.time.unit === 'round' ? least - 1 : least
}

function last(result: MeasuredRun['result']) {
  return 'cycles' in result ? result.cycles[result.cycles.length - 1] : undefined
}

function errorOf(result: MeasuredRun['result']): number | null {
  const { min = null, max = null } = last(result) ?? {}
  if (min === null || max === null) return null
  return Math.max(Math.abs(relative(min, result)), Math.abs(relative(max, result)))
}

function biasOf(result: MeasuredRun['result']): number | null {
  const mean = last(result)?.mean ?? null
  return mean === null ? null : Math.abs(relative(mean, result))
}

function relative(estimate: number, result: MeasuredRun['result']): number {
  const truth = 'truth' in result ? result.truth : 0
  return (estimate - truth) / (Math.abs(truth) || 1)
}
