import { type Algorithm, type Topology, UsageError } from '../core/index.ts'
import { FAULT_FIELDS, type FaultFields, readFaults } from './faults/fault-plan.ts'
import { attributeFields } from './fields/attributes.ts'
import { readDelay } from './fields/delay.ts'
import { type IdField, readIds } from './fields/ids.ts'
import { refuseFields } from './fields/known-fields.ts'
import { decimal, integer, quoted, text, word } from './fields/reading.ts'
import { settingPairs } from './fields/settings.ts'
import type { ValueField } from './fields/values.ts'
import { readWeights, type WeightField } from './fields/weights.ts'

/** A run as one document: every flag of `conclave run` is a field, every default written out. */
export interface Scenario extends FaultFields {
  readonly algorithm: string
  readonly topology: string
  readonly ids: IdField
  readonly timing: 'sync' | 'async'
  /** Left out when synchronous: what is sent in one round is read in the next. */
  readonly delay?: string
  readonly order: 'fifo' | 'any'
  readonly wake: string
  readonly crash: string
  readonly set: Readonly<Record<string, number | string>>
  /** Only where the algorithm knows what links cost. */
  readonly weights?: WeightField
  /** What the nodes hold, where they hold something. */
  readonly values?: ValueField
  /** Only where the algorithm compares ids: what is compared before them. */
  readonly 'elect-by'?: string
  /** The name of the election, where it has one. */
  readonly role?: string
  readonly until: number
  readonly 'max-messages': number
  readonly seed: number
  readonly 'allow-weaker': boolean
}

/** What a user gave: some of the fields, each as text or as JSON has it; and `n`. */
export type ScenarioInput = Readonly<Record<string, unknown>>

/** How a field is called where it was given: `--ids`, or `ring.json: ids`. */
export type FieldLocator = (field: string) => string

export const flagged: FieldLocator = (field) => (field === 'n' ? '-n' : `--${field}`)

const FIELDS = [
  'algorithm',
  'topology',
  'n',
  'ids',
  'timing',
  'delay',
  'order',
  'wake',
  'crash',
  ...FAULT_FIELDS,
  'weights',
  'values',
  'elect-by',
  'role',
  'set',
  'until',
  'max-messages',
  'seed',
  'allow-weaker',
]

/** Even a million nodes may exchange n^2 messages; a run that never ends is stopped some day. */
const FEWEST_MAX_MESSAGES = 100_000_000
/** Where nothing is proven an election may go on for ever, and this is a matter of seconds. */
const FEWEST_UNPROVEN = 10_000_000

/** A scenario of which the size of the network is not known yet. */
export type ReadScenario = Omit<Scenario, 'max-messages' | 'topology'> &
  Pick<Partial<Scenario>, 'max-messages' | 'topology'>

/** Reads what was given, and writes every default out. The size of the network is not known yet. */
export function readScenario(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
): ReadScenario {
  refuseFields(given, FIELDS, 'a scenario', where)
  const field = <T>(name: string, otherwise: T, read: (where: string, value: unknown) => T): T =>
    given[name] === undefined ? otherwise : read(where(name), given[name])
  const ids = field<IdField>('ids', 'random', readIds)
  const rounds = algorithm.needs.time === 'rounds' || ids === 'same'
  const timing = field<Scenario['timing']>('timing', rounds ? 'sync' : 'async', (at, value) =>
    word(at, value, ['sync', 'async']),
  )
  return {
    algorithm: algorithm.name,
    ...(given.topology !== undefined && {
      topology: text(where('topology'), given.topology, 'ring:8'),
    }),
    ids,
    timing,
    ...delayField(given, timing, where),
    order: field<Scenario['order']>('order', 'fifo', (at, value) => orderOf(at, value, timing)),
    wake: field('wake', algorithm.starters === 'first' ? '0' : 'all', (at, value) =>
      text(at, value, 'all, 0,4 or rate:0.8'),
    ),
    ...weightsField(given, algorithm, where),
    ...attributeFields(given, algorithm, where),
    ...(given.role !== undefined && { role: readRoleName(where('role'), given.role) }),
    crash: field('crash', 'none', (at, value) => text(at, value, '7 or 7@12')),
    ...readFaults(given, timing, where),
    set: field('set', {}, (at, value) => settings(at, value, algorithm)),
    until: field('until', Number.MAX_SAFE_INTEGER, (at, value) =>
      timing === 'sync'
        ? integer(at, value, 1, Number.MAX_SAFE_INTEGER, 'a round')
        : decimal(at, value, 'a time above 0', 100, (time) => time > 0),
    ),
    ...(given['max-messages'] !== undefined && {
      'max-messages': integer(
        where('max-messages'),
        given['max-messages'],
        1,
        Number.MAX_SAFE_INTEGER,
      ),
    }),
    seed: field('seed', 1, (at, value) => integer(at, value, 0, Number.MAX_SAFE_INTEGER)),
    'allow-weaker': field('allow-weaker', false, (at, value) =>
      value === 'true' || value === 'false' ? value === 'true' : trueOrFalse(at, value),
    ),
  }
}

/** The whole scenario, its fields always in the same order, once the network is there. */
export function complete(read: ReadScenario, network: Topology): Scenario {
  const most = read['max-messages'] ?? mostMessages(read, network)
  const whole = { ...read, topology: network.name, 'max-messages': most }
  const ordered = FIELDS.filter((field) => field in whole)
  return Object.fromEntries(
    ordered.map((field) => [field, whole[field as keyof Scenario]]),
  ) as never
}

/**
 * A limit on messages where none was given: generous, but finite. No election here costs more than
 * a few messages for each node and link; where something goes wrong, or the world is weaker than it
 * should be, twenty are enough to see that it does not end.
 */
function mostMessages(read: ReadScenario, { n, links }: Topology): number {
  const most = Math.max(FEWEST_MAX_MESSAGES, Math.min(4 * n * n, Number.MAX_SAFE_INTEGER))
  const unproven = read.crash !== 'none' || isFaulty(read) || read['allow-weaker']
  return unproven ? Math.min(most, Math.max(FEWEST_UNPROVEN, 20 * n * (n + links))) : most
}

/** Whether anything goes wrong, but for nodes that die. */
function isFaulty({ loss, duplicate, mobility, again, ...plans }: FaultFields): boolean {
  const { recover, retire, suspect, partition, cut, tamper } = plans
  const planned = [recover, retire, suspect, partition, cut, tamper].some((plan) => plan !== 'none')
  return planned || loss + duplicate + mobility > 0 || again !== 'never'
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
  if (given.delay === undefined) return {}
  throw new UsageError(
    where('delay'),
    `delays belong to asynchronous runs, but ${quoted(given.delay)} was given with timing sync.`,
    'Leave it out, or use --timing async.',
  )
}

function orderOf(where: string, value: unknown, timing: Scenario['timing']): Scenario['order'] {
  const order = word(where, value, ['fifo', 'any'])
  if (order === 'fifo' || timing === 'async') return order
  throw new UsageError(
    where,
    'synchronous rounds keep the order of messages, but "any" was given.',
    'Leave it out, or use --timing async.',
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
    `weights are for algorithms that know what links cost, but ${name} does not.`,
    'Leave them out, or run ghs.',
  )
}

/** The name of a role: one word. */
export function readRoleName(where: string, value: unknown): string {
  if (typeof value === 'string' && /^\p{L}[\p{L}\p{N}_.-]*$/u.test(value)) return value
  throw new UsageError(
    where,
    `a role needs a name of letters, digits, - and _ that begins with a letter, but ${quoted(value)} was given.`,
    'Write for example monitor or monitor=lcr.',
  )
}

function trueOrFalse(where: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new UsageError(
    where,
    `true or false is needed, but ${quoted(value)} was given.`,
    'Write one of them, without quotes.',
  )
}

/** Parameters of the algorithm: `patience=3`, several of them, or a JSON object. */
function settings(where: string, value: unknown, algorithm: Algorithm): Scenario['set'] {
  const known = Object.keys(algorithm.params)
  return Object.fromEntries(
    settingPairs(value).map(([name, setting]) => {
      const choices = algorithm.params[name]?.choices
      if (choices) return [name, word(where, setting, choices)]
      if (known.includes(name)) return [name, decimal(where, setting, 'a number', 2, () => true)]
      throw new UsageError(
        where,
        `${algorithm.name} has ${known.length === 0 ? 'no parameters' : `the parameters ${known.join(', ')}`}, but ${quoted(name)} was given.`,
        `See conclave explain ${algorithm.name}.`,
      ).withCandidates(name, known)
    }),
  )
}
