import { type Algorithm, type NetworkFacts, type Theory, UsageError } from '../../core/index.ts'
import {
  type Aggregate,
  type AggregateField,
  type NodeInput,
  partnersOf,
} from '../../core/language/aggregate.ts'
import { quoted } from '../../core/text-format.ts'
import { type Aggregation, type AggregationSetting, defaultsOf } from '../aggregation.ts'
import { latest } from './algorithm-cache.ts'
import { flowAlgorithm } from './flow-updating.ts'
import { gossipAlgorithm } from './gossip.ts'
import { weightAlgorithm } from './metropolis.ts'
import { shareAlgorithm } from './push-sum.ts'
import type { RoundAlgorithm } from './rounds.ts'

/** A function of all values that is computed by exchanges of numbers, as its author writes it. */
export interface AggregateDefinition {
  /** The numbers that nodes exchange: how each starts, and how two nodes exchange it. */
  readonly parts: readonly AggregateField[]
  /** The number of nodes that are chosen to hold a 1, for counts; 0 by default. */
  readonly chosen?: number
  /** Whether a value is in the domain; all numbers are by default. */
  accepts?(value: number): boolean
  /** The domain in words: `'values above 0'`. */
  readonly domain?: string
  /** The estimate of a node, given its numbers in the order of the parts. */
  estimate(parts: readonly number[]): number
  /** The exact result, from the values of all nodes. */
  truth(values: Float64Array): number
}

/** A setting of an own aggregation, which `set` changes. */
export interface SettingDefinition extends Partial<AggregationSetting> {
  readonly says: string
  /** The default. */
  readonly otherwise: number
}

/** An aggregation as its author writes it. */
export interface AggregationDefinition<S extends Readonly<Record<string, SettingDefinition>>> {
  readonly name: string
  /** What is computed; a function where it depends on the settings. */
  readonly aggregate:
    | AggregateDefinition
    | ((settings: { readonly [K in keyof S]: number }) => AggregateDefinition)
  readonly settings?: S
  /** What is known about it; every member may be left out. */
  readonly theory?: Partial<Theory>
}

/** Settings of every aggregation, and those of counts. */
const RESERVED = [
  'order',
  'peers',
  'period',
  'epoch',
  'evaporation',
  'exchanges',
  'deaf',
  'leave',
  'join',
  'tolerance',
  'leader',
]

const UNKNOWN: Theory = {
  authors: 'authors not stated',
  idea: '',
  because: '',
  breaks: '',
  example: '',
  cost: '2n messages per cycle',
  bounds: [],
}

/**
 * Makes an aggregation of one's own, which gossip computes in cycles and by messages. An algorithm
 * that computes an aggregate with handlers of its own becomes an aggregation by messages.
 *
 * `gossip({ name: 'range', aggregate: { parts: [...], estimate, truth } })`
 */
export function gossip(algorithm: Algorithm): Aggregation
export function gossip<const S extends Readonly<Record<string, SettingDefinition>>>(
  definition: AggregationDefinition<S>,
): Aggregation
export function gossip(
  definition: AggregationDefinition<Readonly<Record<string, SettingDefinition>>> | Algorithm,
): Aggregation {
  if (definition && 'kinds' in definition) {
    const own = ownGossip(definition)
    if ('aggregate' in own) return own
    throw new UsageError(
      'gossip',
      `${definition.name} computes no aggregate.`,
      'Give it computes: { aggregate, carrier }.',
    )
  }
  const { name, aggregate: given, theory: stated } = definition ?? {}
  if (typeof name !== 'string' || name.trim() === '')
    throw new UsageError('gossip', 'the aggregation has no name.', "Write name: 'range'.")
  const settings = settingsIn(name, definition.settings ?? {})
  const theory = { ...UNKNOWN, ...stated }
  const aggregate: Aggregation['aggregate'] = (set) =>
    guarded(name, typeof given === 'function' ? given(set as never) : given)
  // A mistake is found where it is made, and not in the first run.
  aggregate(defaultsOf(settings))
  return {
    name,
    settings,
    aggregate,
    theory,
    algorithm: latest(Object.keys(settings), (set) => {
      const form = { name, theory, aggregate: aggregate(set) }
      return algorithmFor(form.aggregate)(form)
    }),
  }
}

/** Which algorithm computes an aggregate by messages: its first rule says so. */
function algorithmFor({ parts: [{ rule }] }: Aggregate): RoundAlgorithm {
  if (rule.share !== undefined) return shareAlgorithm
  if (rule.weight !== undefined) return weightAlgorithm
  return rule.flow === undefined ? gossipAlgorithm : flowAlgorithm
}

/**
 * An own algorithm that computes an aggregate with handlers of its own is an aggregation by
 * messages: its parameters are settings. Other definitions are returned as they are.
 */
export function ownGossip(algorithm: Algorithm | Aggregation): Algorithm | Aggregation {
  if ('aggregate' in algorithm || algorithm.computes === null) return algorithm
  const { name, theory, params, computes } = algorithm
  const own = Object.entries(params).filter(([param]) => !RESERVED.includes(param))
  const settings = own.map(([param, { says, value }]): [string, AggregationSetting] => [
    param,
    {
      says,
      otherwise: Number(value(SMALL)),
      needed: 'a number',
      accepts: () => true,
    },
  ])
  return {
    name,
    theory,
    settings: Object.fromEntries(settings),
    aggregate: () => computes.aggregate,
    algorithm: () => algorithm,
    only: 'async',
  }
}

/** A network for the defaults of parameters, which should not depend on it. */
const SMALL: NetworkFacts = {
  n: 8,
  links: 28,
  smallestId: 1,
  largestId: 8,
  starters: 8,
  smallestStarter: 1,
  together: true,
  largestDelay: 1,
  diameter: 1,
  leaderId: null,
}

function settingsIn(
  whose: string,
  given: Readonly<Record<string, SettingDefinition>>,
): Aggregation['settings'] {
  return Object.fromEntries(
    Object.entries(given).map(([name, setting]) => {
      const where = `${whose}: settings.${name}`
      if (RESERVED.includes(name))
        throw new UsageError(where, 'every aggregation has this setting.', 'Rename it.')
      const { says = '', otherwise, needed = 'a number', accepts = () => true } = setting ?? {}
      if (typeof otherwise !== 'number' || !accepts(otherwise))
        throw new UsageError(
          where,
          `the default must be ${needed}, not ${quoted(otherwise)}.`,
          "Write { says: 'what it changes', otherwise: 1 }.",
        )
      return [name, { says, otherwise, needed, accepts }]
    }),
  )
}

/** The aggregate for the engines, which rely on numbers: what its functions return is checked. */
function guarded(name: string, given: AggregateDefinition): Aggregate {
  const where = `${name}: aggregate`
  const { parts, chosen = 0, accepts, domain, estimate, truth } = given ?? {}
  if (!Array.isArray(parts) || parts.length === 0)
    throw new UsageError(
      `${where}.parts`,
      'it has no parts.',
      'Write parts: [{ rule: average, start: ({ value }) => value }].',
    )
  if (!Number.isSafeInteger(chosen) || chosen < 0)
    throw new UsageError(
      `${where}.chosen`,
      `expected the number of nodes that hold a 1, got ${quoted(chosen)}.`,
      'Leave it out, except for counts.',
    )
  refuseOther(`${where}.estimate`, estimate, 'estimate: (parts) => parts[0]')
  refuseOther(`${where}.truth`, truth, 'truth: (values) => Math.max(...values)')
  if (accepts !== undefined) refuseOther(`${where}.accepts`, accepts, 'accepts: (v) => v > 0')
  const held = new Array<number>(parts.length).fill(0)
  const guardedParts = parts.map((part, i) => guardedPart(`${where}.parts[${i}]`, part))
  refuseMixed(`${where}.parts`, guardedParts)
  return {
    parts: guardedParts,
    chosen,
    ...(accepts && { accepts: (value) => accepts(value) === true }),
    domain: domain ?? 'other values',
    estimate(numbers, at = 0) {
      for (let i = 0; i < held.length; i++) held[i] = numbers[at + i]
      // A division by zero is an estimate that is not known yet.
      return numberFrom(`${where}.estimate`, estimate(held), () => held.join(', '))
    },
    truth: (values) => numberFrom(`${where}.truth`, truth(values), () => 'the values'),
  }
}

const KINDS = ['change', 'better', 'share', 'weight', 'flow'] as const

/** Numbers of an aggregate travel together: in pairs, by calls, or to all neighbours. */
function refuseMixed(where: string, parts: readonly AggregateField[]): void {
  const ways = new Set(parts.map((part) => partnersOf({ ...ALONE, parts: [part] })))
  const flows = parts.filter(({ rule }) => rule.flow !== undefined).length
  if (ways.size === 1 && (flows === 0 || parts.length === 1)) return
  throw new UsageError(
    where,
    flows > 0
      ? 'a number with flows must be the only one.'
      : 'all numbers must be exchanged in the same way: in pairs, by shares, or by weights.',
    'Use rules of one kind.',
  )
}

/** The rest of an aggregate, which its partners do not depend on. */
const ALONE = { chosen: 0, estimate: () => 0, truth: () => 0 }

function guardedPart(where: string, given: AggregateField): AggregateField {
  const { rule, start, name } = given ?? {}
  refuseOther(`${where}.start`, start, 'start: ({ value }) => value')
  const kinds = KINDS.filter((kind) => typeof rule?.[kind] === 'function')
  if (kinds.length !== 1)
    throw new UsageError(
      `${where}.rule`,
      `expected average, largest, smallest, half, metropolisWeights, or an object with one of ${KINDS.join(', ')}.`,
      'Write rule: average.',
    )
  const { better } = rule
  if (better !== undefined) refuseOneSided(`${where}.rule.better`, better)
  return {
    ...(name !== undefined && { name }),
    rule,
    start(input: NodeInput) {
      const number = start(input)
      if (Number.isFinite(number)) return number
      throw new UsageError(
        `${where}.start`,
        `it returned ${quoted(number)} for the value ${input.value}.`,
        'Let it return a finite number, or refuse such values by accepts and domain.',
      )
    },
  }
}

/** Pairs that show whether both nodes of an exchange keep the same number. */
const SAMPLES = [
  [1, 2],
  [-3, 0.5],
  [7, 7],
] as const

function refuseOneSided(where: string, better: (mine: number, theirs: number) => number): void {
  for (const [a, b] of SAMPLES) {
    const [mine, theirs] = [better(a, b), better(b, a)]
    if (typeof mine === 'number' && mine === theirs) continue
    throw new UsageError(
      where,
      `both nodes must keep the same number, but of ${a} and ${b} one keeps ${quoted(mine)} and the other ${quoted(theirs)}.`,
      'Let it not depend on the order of its arguments.',
    )
  }
}

function refuseOther(where: string, given: unknown, example: string): void {
  if (typeof given === 'function') return
  throw new UsageError(
    where,
    `expected a function, got ${given === undefined ? 'nothing' : quoted(given)}.`,
    `Write for example ${example}.`,
  )
}

function numberFrom(where: string, result: unknown, from: () => string): number {
  if (typeof result === 'number') return result
  throw new UsageError(
    where,
    `it returned ${quoted(result)} for ${from()}.`,
    'Let it return a number.',
  )
}
