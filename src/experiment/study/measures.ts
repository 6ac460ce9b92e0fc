import { aggregationNamed } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import type { CycleResult, RunResult } from '../../sim/index.ts'

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

interface Measure {
  /** The label of an axis. */
  readonly label: string
  read(outcome: MeasuredRun): number | null
}

const sizes: Readonly<Record<string, Measure>> = {
  n: { label: 'nodes', read: ({ result }) => result.n },
  links: { label: 'links', read: ({ result }) => result.links },
}

const elections: Readonly<Record<string, Measure>> = {
  messages: { label: 'messages', read: ({ result }) => result.messages.total },
  cost: {
    label: 'messages without the announcement',
    read: ({ result, announced }) => result.messages.total - announced,
  },
  bits: { label: 'bits', read: ({ result }) => ('bits' in result ? result.bits : null) },
  time: {
    label: 'time until elected (units of time)',
    read: ({ result }) => hops(result, 'elected'),
  },
  'time.last': {
    label: 'time of the last message received (units of time)',
    read: ({ result }) => hops(result, 'last'),
  },
  'bound.messages': {
    label: 'proven bound on messages',
    read: (outcome) => bound(outcome, 'messages'),
  },
  'bound.lower': {
    label: 'proven lower bound on messages, up to a constant',
    read: ({ lower }) => lower,
  },
  'bound.time': { label: 'proven bound on time', read: (outcome) => bound(outcome, 'time') },
}

const gossip: Readonly<Record<string, Measure>> = {
  factor: {
    label: 'factor of the variance per cycle',
    read: ({ result }) => ('cycles' in result ? result.factor : null),
  },
  reached: {
    label: 'cycles until all are near the truth',
    read: ({ result }) => ('cycles' in result ? result.time.reached : null),
  },
  within: {
    label: 'share of nodes near the truth',
    read: ({ result }) => last(result)?.within ?? null,
  },
  error: { label: 'relative error of the worst estimate', read: ({ result }) => errorOf(result) },
  bias: { label: 'relative error of the mean estimate', read: ({ result }) => biasOf(result) },
  massError: {
    label: 'relative error of the sum',
    read: ({ result }) => last(result)?.massError ?? null,
  },
}

const faults: Readonly<Record<string, Measure>> = Object.fromEntries(
  (['toDead', 'lost', 'duplicated'] as const).map((name) => [
    name,
    { label: `messages ${name}`, read: ({ result }: MeasuredRun) => result.messages[name] },
  ]),
)

const known: Readonly<Record<string, Measure>> = {
  ...elections,
  ...gossip,
  ...faults,
  ...sizes,
}

const BY_TYPE = /^messages\.([a-z]\w*)$/

/** Checks the name of a measure; two names with a slash are a ratio. */
export function readMeasure(where: string, name: string): string {
  const parts = name.split('/')
  if (parts.length <= 2 && parts.every((part) => Object.hasOwn(known, part) || BY_TYPE.test(part)))
    return name
  throw new UsageError(
    where,
    `there is no measure ${quoted(name)}.`,
    `The measures are ${Object.keys(known).join(', ')}, messages.TYPE, and ratios such as messages/n.`,
  )
}

export function measureLabel(name: string): string {
  const [part, whole] = name.split('/')
  if (whole === 'n') return `${measureLabel(part)}, per node`
  if (whole !== undefined) return `${measureLabel(part)} / ${measureLabel(whole)}`
  const [, type] = BY_TYPE.exec(name) ?? []
  return type === undefined ? known[name].label : `messages of type ${type}`
}

/** The value in one run; null if it has none, such as the time of a failed election. */
export function measured(name: string, outcome: MeasuredRun): number | null {
  const [part, whole] = name.split('/')
  if (whole !== undefined) {
    const [above, below] = [measured(part, outcome), measured(whole, outcome)]
    return above === null || !below ? null : above / below
  }
  const [, type] = BY_TYPE.exec(name) ?? []
  if (type === undefined) return known[name].read(outcome)
  const counts: Readonly<Record<string, number>> = outcome.result.messages.byType
  return counts[type] ?? null
}

export function isBound(name: string): boolean {
  return name.startsWith('bound.')
}

/** The measures that bound a measure, with their labels. */
export function boundsOn(name: string): readonly (readonly [bound: string, label: string])[] {
  if (name === 'time') return [['bound.time', 'proven bound']]
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
): string[] {
  const names = [base.algorithm, ...Object.values(sweep).flat()]
  if (names.some(aggregates)) return ['factor', 'within', 'error', 'messages']
  return ['messages', 'cost', 'bits', 'time', 'time.last', 'bound.messages', 'bound.time']
}

/** Messages sent in one round arrive in the next: round 3 is two hops after round 1. */
function hops({ time }: MeasuredRun['result'], which: 'elected' | 'last'): number | null {
  const moment = (time as RunResult['time'])[which] ?? null
  return moment !== null && time.unit === 'round' ? moment - 1 : moment
}

function bound({ result, longest }: MeasuredRun, of: 'messages' | 'time'): number | null {
  if (!('bounds' in result)) return null
  const values = result.bounds.filter((one) => one.of === of).map(({ value }) => value)
  if (values.length === 0) return null
  return Math.min(...values) * (of === 'time' ? longest : 1)
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
