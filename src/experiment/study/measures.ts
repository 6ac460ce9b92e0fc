import { aggregationNamed, catalogue } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { ScenarioInput, Yardsticks } from '../../scenario/index.ts'
import {
  type BoundResult,
  type CycleResult,
  type FailureResult,
  type RunResult,
  reachedIn,
  relativeError,
} from '../../sim/index.ts'

/** The result of one run, as measures read it. */
export interface MeasuredRun extends Yardsticks {
  readonly result: RunResult | CycleResult
}

/** A quantity that a run has. */
export interface Measure {
  /** The label of an axis, without the unit; its name by default. */
  readonly label?: string
  /** The same in every timing. */
  readonly unit: string
  /** What it is, in one sentence. */
  readonly says: string
  /** Whether runs that did not elect count, too. */
  readonly ofEveryRun?: true
  read(outcome: MeasuredRun): number | null
}

/** The measure that every row and summary of an election has, whether it is asked for or not. */
export const ELECTED = 'elected'

const known: Readonly<Record<string, Measure>> = {
  elected: {
    label: 'share of the runs that elected',
    unit: 'share',
    says: 'In how many runs exactly one leader was elected, and is alive at the end.',
    ofEveryRun: true,
    read: ({ result }) => electedIn(result),
  },
  messages: {
    unit: 'messages',
    says: 'All messages that were sent.',
    read: ({ result }) => result.messages.total,
  },
  cost: {
    label: 'messages without the announcement',
    unit: 'messages',
    says: 'Messages without the announcement: what proven bounds count.',
    read: ({ result, announced }) => result.messages.total - announced,
  },
  bits: {
    unit: 'bits',
    says: 'The bits of all messages.',
    read: ({ result }) => ('bits' in result ? result.bits : null),
  },
  time: {
    label: 'time until elected',
    unit: 'units of time',
    says: 'Time until a leader is elected; in synchronous runs, the round less one.',
    read: ({ result }) => hops(result, 'elected'),
  },
  'time.last': {
    label: 'time of the last message received',
    unit: 'units of time',
    says: 'Time of the last message that was received.',
    read: ({ result }) => hops(result, 'last'),
  },
  'time.stable': {
    label: 'time since which the outcome is stable',
    unit: 'units of time',
    says: 'For algorithms that never fall silent: since when the outcome has not changed.',
    read: ({ result }) => hops(result, 'stable'),
  },
  interactions: {
    label: 'interactions until the outcome is stable',
    unit: 'interactions',
    says: 'Where nodes meet: the number of meetings until the outcome is stable.',
    read: ({ result }) => meetings(result)?.stable ?? null,
  },
  parallel: {
    label: 'parallel time until the outcome is stable',
    unit: 'interactions per node',
    says: 'Where nodes meet: interactions divided by the number of nodes.',
    read: ({ result }) => meetings(result)?.parallel ?? null,
  },
  'bound.interactions': {
    unit: 'interactions',
    says: 'Where nodes meet: the exact expectation of interactions, where it is known.',
    ofEveryRun: true,
    read: ({ result }) => meetings(result)?.expected?.value ?? null,
  },
  term: {
    label: 'the last term with a leader',
    unit: 'terms',
    says: 'The largest term in which a node led, where leaders are elected term by term.',
    read: ({ result }) => lastTerm(result),
  },
  failed: {
    label: 'share of the runs that failed',
    unit: 'share',
    says: 'For elections that may fail: 1 where nobody or several were elected, else 0.',
    ofEveryRun: true,
    read: ({ result }) => (failureIn(result) === null ? null : Number(failureIn(result)!.failed)),
  },
  chance: {
    label: 'stated chance to fail',
    unit: 'share',
    says: 'For elections that may fail: the chance that their theory states.',
    ofEveryRun: true,
    read: ({ result }) => failureIn(result)?.chance ?? null,
  },
  'bound.messages': {
    unit: 'messages',
    says: 'What the messages are proven to be at most.',
    ofEveryRun: true,
    read: (outcome) => bound(outcome, 'messages'),
  },
  'bound.lower': {
    unit: 'messages',
    says: 'The proven lower bound on messages for every algorithm, up to a constant.',
    ofEveryRun: true,
    read: ({ lower }) => lower,
  },
  'bound.time': {
    unit: 'units of time',
    says: 'What the time is proven to be at most.',
    ofEveryRun: true,
    read: (outcome) => bound(outcome, 'time'),
  },
  'bound.stable': {
    unit: 'units of time',
    says: 'For algorithms that never fall silent: by when the outcome is proven to be stable.',
    ofEveryRun: true,
    read: (outcome) => bound(outcome, 'stability'),
  },
  factor: {
    label: 'factor of the variance per cycle',
    unit: 'ratio',
    says: 'Gossip: by what factor the variance of the estimates shrinks in a cycle.',
    read: ({ result }) => ('cycles' in result ? result.factor : null),
  },
  reached: {
    label: 'cycles until all are near the truth',
    unit: 'cycles',
    says: 'Gossip: cycles until all nodes are within the tolerance.',
    read: ({ result }) => ('cycles' in result ? reachedIn(result.cycles) : null),
  },
  rounds: {
    label: 'rounds until all nodes know',
    unit: 'rounds',
    says: 'Gossip: rounds until all live nodes know a rumor.',
    read: ({ result }) => ('cycles' in result ? (result.rounds ?? null) : null),
  },
  within: {
    label: 'share of nodes near the truth',
    unit: 'share',
    says: 'Gossip: the share of the nodes that are within the tolerance at the end.',
    read: ({ result }) => last(result)?.within ?? null,
  },
  error: {
    label: 'relative error of the worst estimate',
    unit: 'ratio',
    says: 'Gossip: the error of the worst estimate at the end, relative to the truth, or to the spread of the values if the truth is below 1 % of it.',
    read: ({ result }) => errorOf(result),
  },
  bias: {
    label: 'relative error of the mean estimate',
    unit: 'ratio',
    says: 'Gossip: the error of the mean estimate at the end, relative as error is.',
    read: ({ result }) => biasOf(result),
  },
  massError: {
    label: 'relative error of the sum',
    unit: 'ratio',
    says: 'Gossip: by how much the sum of the numbers that are averaged has changed at the end, relative to it, or to the spread of the start values if it is below 1 % of that.',
    read: ({ result }) => last(result)?.massError ?? null,
  },
  toDead: {
    label: 'messages toDead',
    unit: 'messages',
    says: 'Messages to crashed nodes.',
    read: ({ result }) => result.messages.toDead,
  },
  lost: {
    label: 'messages lost',
    unit: 'messages',
    says: 'Messages that were lost.',
    read: ({ result }) => result.messages.lost,
  },
  duplicated: {
    label: 'messages duplicated',
    unit: 'messages',
    says: 'Messages that were duplicated.',
    read: ({ result }) => result.messages.duplicated,
  },
  n: {
    unit: 'nodes',
    says: 'The number of nodes.',
    ofEveryRun: true,
    read: ({ result }) => result.n,
  },
  links: {
    unit: 'links',
    says: 'The number of links.',
    ofEveryRun: true,
    read: ({ result }) => result.links,
  },
}

/** Every measure with what it is, for a list. */
export const measureList: readonly Readonly<Record<'name' | 'unit' | 'says', string>>[] = [
  ...Object.entries(known).map(([name, { unit, says }]) => ({ name, unit, says })),
  { name: 'messages.TYPE', unit: 'messages', says: 'Of one type, for example messages.election.' },
  { name: 'A/B', unit: 'A per B', says: 'The ratio of two measures, for example messages/n.' },
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
  if (!Object.hasOwn(known, name)) return name
  const { label = name, unit } = known[name]
  return unit === 'ratio' || label.includes(unit) ? label : `${label} (${unit})`
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

/**
 * Whether the mean is over all runs, not over those that elected; own measures may leave runs out.
 */
export function isOfEveryRun(name: string): boolean {
  return name
    .split('/')
    .every((part) => !isBuiltIn(part) || (Object.hasOwn(known, part) && known[part].ofEveryRun))
}

export function isBound(name: string): boolean {
  return name.startsWith('bound.')
}

/** The measures that bound a measure, with their labels. */
export const boundsOn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  time: { 'bound.time': 'proven: at most' },
  'time.stable': { 'bound.stable': 'proven: at most' },
  interactions: { 'bound.interactions': 'expected' },
  cost: {
    'bound.messages': 'proven: at most',
    'bound.lower': 'lower bound for all, up to a constant',
  },
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
  return mayFail ? [...usual, 'chance'] : usual
}

/**
 * Messages sent in one round arrive in the next: round 3 is two hops after round 1. Gossip and
 * meetings have no such times: they count cycles and interactions.
 */
function hops(result: MeasuredRun['result'], which: 'elected' | 'last' | 'stable'): number | null {
  if ('cycles' in result || result.time.unit === 'interaction') return null
  const moment = result.time[which] ?? null
  return moment !== null && result.time.unit === 'round' ? moment - 1 : moment
}

/** The times of a run in which nodes meet. */
function meetings({ time }: MeasuredRun['result']): RunResult['time'] | null {
  return time.unit === 'interaction' ? time : null
}

/** An election that may fail is judged by its own rule. */
function electedIn(result: MeasuredRun['result']): number | null {
  if ('cycles' in result) return null
  return Number(result.failure ? !result.failure.failed : result.leader !== null)
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
  const entry = last(result)
  if (entry === undefined || entry.min === null || entry.max === null) return null
  const { min, max, truth, scale } = entry
  return Math.max(relativeError(min, truth, scale), relativeError(max, truth, scale))
}

function biasOf(result: MeasuredRun['result']): number | null {
  const entry = last(result)
  if (entry === undefined || entry.mean === null) return null
  return relativeError(entry.mean, entry.truth, entry.scale)
}
