import { type Algorithm, type Topology, UsageError } from '../core/index.ts'
import { readDelay } from '../options/delays.ts'
import {
  decimal,
  type FieldLocator,
  integer,
  refuseEmptySetting,
  refuseUnknownFields,
  type ScenarioInput,
  settingPairs,
  text,
  trueOrFalse,
  unexpected,
  unknownParameter,
  word,
} from '../options/reading.ts'
import { OPTION_FIELDS } from '../options/scenario.ts'
import { anyFaultIn, type FaultFields, readFaultFields } from './faults/fault-fields.ts'
import { attributeFields } from './fields/attributes.ts'
import { readCoins } from './fields/coins.ts'
import { corruptionFields } from './fields/corruption.ts'
import { type IdField, readIds } from './fields/ids.ts'
import { refuseMessageFields, timingFor } from './fields/meetings.ts'
import { REMARKS, type Remarks, readRemarks } from './fields/remarks.ts'
import type { ValueField } from './fields/values.ts'
import { readWeights, type WeightField } from './fields/weights.ts'

export type { FieldLocator, ScenarioInput } from '../options/reading.ts'

/** An election as one document: every flag of `conclave run` is a field, with all defaults. */
export interface Scenario extends FaultFields, Remarks {
  readonly algorithm: string
  readonly topology: string
  readonly ids: IdField
  /** pairs: nodes meet, in place of sending messages. */
  readonly timing: 'sync' | 'async' | 'pairs'
  /** Absent in synchronous runs: a message sent in one round is received in the next. */
  readonly delay?: string
  readonly order: 'fifo' | 'any'
  readonly wake: string
  readonly set: Readonly<Record<string, number | string>>
  /** Only for algorithms that know link weights. */
  readonly weights?: WeightField
  /** The inputs of the nodes, if they have any. */
  readonly values?: ValueField
  /** Only for algorithms that compare ids: what is compared first. */
  readonly 'elect-by'?: string
  /** Random choices that are given, not drawn: `0:2,5;1:7`. */
  readonly coins?: string
  /** The seed of any beginning, for algorithms that stabilize from every state. */
  readonly corrupt?: number
  /** Such a beginning as JSON: by position, what a node believes of each neighbour, or null. */
  readonly tables?: string
  /** The name of the election, if it has one. */
  readonly role?: string
  readonly until: number
  readonly 'max-messages': number
  readonly seed: number
  readonly 'allow-weaker': boolean
}

/** All fields, in the order of a printed scenario. */
export const SCENARIO_FIELDS = [...REMARKS, 'algorithm', ...OPTION_FIELDS]

/** The default limit on messages is at least this; a run that never ends must stop some day. */
const FEWEST_MAX_MESSAGES = 100_000_000
/** The same where termination is not proven: it takes a few seconds. */
const FEWEST_UNPROVEN = 10_000_000

/** A scenario before the size of its network is known. */
export type ReadScenario = Omit<Scenario, 'max-messages' | 'topology'> &
  Pick<Partial<Scenario>, 'max-messages' | 'topology'>

/** Reads the given fields and fills in the defaults that do not depend on the network. */
export function readScenario(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
): ReadScenario {
  refuseUnknownFields(given, SCENARIO_FIELDS, 'a scenario', where)
  const field = <T>(name: string, otherwise: T, read: (where: string, value: unknown) => T): T =>
    given[name] === undefined ? otherwise : read(where(name), given[name])
  const ids = field<IdField>('ids', 'random', readIds)
  const rounds = algorithm.needs.time === 'rounds' || ids === 'same'
  const usual = algorithm.meet !== null ? 'pairs' : rounds ? 'sync' : 'async'
  const timing = field<Scenario['timing']>('timing', usual, (at, value) =>
    timingFor(algorithm, at, word(at, value, ['sync', 'async', 'pairs'])),
  )
  if (timing === 'pairs') refuseMessageFields(given, algorithm, where)
  return {
    ...readRemarks(given, where),
    algorithm: algorithm.name,
    ...(given.topology !== undefined && {
      topology: text(where('topology'), given.topology, 'ring:8'),
    }),
    ids,
    timing,
    ...delayField(given, timing, where),
    order: field<Scenario['order']>('order', 'fifo', (at, value) =>
      orderOf(at, value, timing, where),
    ),
    wake: field('wake', algorithm.starters === 'first' ? '0' : 'all', (at, value) =>
      text(at, value, 'all, 0,4 or rate:0.8'),
    ),
    ...weightsField(given, algorithm, where),
    ...attributeFields(given, algorithm, where),
    ...(given.coins !== undefined && { coins: readCoins(where('coins'), given.coins, algorithm) }),
    ...corruptionFields(given, algorithm, where),
    ...(given.role !== undefined && { role: readRoleName(where('role'), given.role) }),
    ...readFaultFields(given, timing, where),
    set: field('set', {}, (at, value) => settings(at, value, algorithm)),
    until: field('until', Number.MAX_SAFE_INTEGER, (at, value) =>
      timing !== 'async'
        ? integer(at, value, 1, Number.MAX_SAFE_INTEGER, TIMING_UNITS[timing])
        : decimal(at, value, 'a time above 0', 100, (time) => time > 0),
    ),
    ...(given['max-messages'] !== undefined && {
      'max-messages': integer(
        where('max-messages'),
        given['max-messages'],
        1,
        Number.MAX_SAFE_INTEGER,
        'a whole number',
        10_000_000,
      ),
    }),
    seed: field('seed', 1, (at, value) => integer(at, value, 0, Number.MAX_SAFE_INTEGER)),
    'allow-weaker': field('allow-weaker', false, trueOrFalse),
  }
}

const TIMING_UNITS = { sync: 'a round', pairs: 'a number of interactions' }

/** The complete scenario, with its fields in a fixed order. */
export function completeScenario(
  read: ReadScenario,
  network: Topology,
  { sealed }: Pick<Algorithm, 'sealed'>,
): Scenario {
  const most = read['max-messages'] ?? mostMessages(read, network, sealed)
  const whole = { ...read, topology: network.name, 'max-messages': most }
  const ordered = SCENARIO_FIELDS.filter((field) => field in whole)
  return Object.fromEntries(
    ordered.map((field) => [field, whole[field as keyof Scenario]]),
  ) as never
}

/**
 * The default limit on messages: generous, but finite. Elections cost at most a few messages per
 * node and link. With faults, or in a world weaker than the algorithm needs, 20 per node and link
 * are enough to see that a run does not terminate; so they are for definitions of users.
 */
function mostMessages(read: ReadScenario, { n, links }: Topology, own: boolean): number {
  const most = Math.max(FEWEST_MAX_MESSAGES, Math.min(4 * n * n, Number.MAX_SAFE_INTEGER))
  const unproven = own || anyFaultIn(read) || read['allow-weaker']
  return unproven ? Math.min(most, Math.max(FEWEST_UNPROVEN, 20 * n * (n + links))) : most
}

function delayField(
  given: ScenarioInput,
  timing: Scenario['timing'],
  where: FieldLocator,
): Pick<Scenario, 'delay'> {
  if (timing === 'async') {
    const delay = given.delay === undefined ? 'unit' : text(where('delay'), given.delay, 'unit')
    readDelay(where('delay'), delay)
    return { delay }
  }
  if (given.delay === undefined || timing === 'pairs') return {}
  throw new UsageError(
    where('delay'),
    'a delay applies only to asynchronous runs, but timing is sync.',
    `Leave it out, or set ${where('timing')} to async.`,
  )
}

function orderOf(
  at: string,
  value: unknown,
  timing: Scenario['timing'],
  where: FieldLocator,
): Scenario['order'] {
  const order = word(at, value, ['fifo', 'any'])
  if (order === 'fifo' || timing === 'async') return order
  throw new UsageError(
    at,
    'messages cannot overtake each other in synchronous rounds.',
    `Leave it out, or set ${where('timing')} to async.`,
  )
}

function weightsField(
  given: ScenarioInput,
  { name, needs }: Algorithm,
  where: FieldLocator,
): Pick<Scenario, 'weights'> {
  const known = needs.knows?.includes('weights') === true
  if (known) return { weights: readWeights(where('weights'), given.weights ?? 'random') }
  if (given.weights === undefined) return {}
  throw new UsageError(
    where('weights'),
    `${name} does not use link weights.`,
    'Leave them out, or run ghs.',
  )
}

/** Reads the name of a role: one word. */
export function readRoleName(where: string, value: unknown): string {
  if (typeof value === 'string' && /^\p{L}[\p{L}\p{N}_.-]*$/u.test(value)) return value
  throw unexpected(
    where,
    'a role name that begins with a letter and has only letters, digits, - and _',
    value,
    'Write for example monitor or monitor=lcr.',
  )
}

/** Reads the parameters of the algorithm. */
function settings(where: string, value: unknown, algorithm: Algorithm): Scenario['set'] {
  const known = Object.keys(algorithm.params)
  return Object.fromEntries(
    settingPairs(value).map(([name, setting]) => {
      const choices = algorithm.params[name]?.choices
      if (known.includes(name)) refuseEmptySetting(where, name, setting, choices?.[0] ?? 2)
      if (choices) return [name, word(where, setting, choices)]
      if (known.includes(name)) return [name, decimal(where, setting, 'a number', 2, () => true)]
      throw unknownParameter(where, algorithm.name, name, known).withCandidates(name, known)
    }),
  )
}
