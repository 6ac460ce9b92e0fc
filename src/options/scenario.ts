import { delayText } from './delays.ts'
import { LIST_FAULTS } from './list-faults.ts'
import type { Option } from './option.ts'
import { decimal, type FieldLocator, type ScenarioInput } from './reading.ts'
import type { NodeStart, ScenarioOptions } from './scenario-options.ts'
import {
  either,
  entriesOf,
  isObjectLiteral,
  link,
  optional,
  position,
  record,
  refuseOthers,
  time,
  unreadable,
} from './shape.ts'

/**
 * Every option of a scenario, in the order of a printed one. The names are those of the library;
 * a flag or a field of a file is the same name with hyphens: `elect-by` for `electBy`.
 */
export const SCENARIO: Readonly<Record<keyof ScenarioOptions | 'role', Option>> = {
  topology: {
    group: 'network',
    short: 't',
    value: 'network',
    says: 'network with its size: ring:8, complete:16, grid:3x4, ...',
    usual: 'what the algorithm needs',
    common: true,
    text: edgesText,
  },
  n: {
    group: 'network',
    value: 'size',
    says: 'number of nodes of the default network',
    usual: '8',
    common: true,
  },
  ids: {
    group: 'start',
    value: 'ids',
    says: '3,2,7 or increasing, decreasing, bit-reversal, random, same',
    usual: 'random',
    words: ['increasing', 'decreasing', 'bit-reversal', 'random', 'same', 'all'],
    common: true,
  },
  timing: {
    group: 'time',
    value: 'timing',
    says: 'sync or async; pairs where nodes meet; gossip: async or cycles',
    usual: 'async; sync where rounds are needed or ids are same',
    words: ['sync', 'async', 'cycles', 'pairs'],
    common: true,
  },
  delay: {
    group: 'time',
    value: 'model',
    says: 'async: unit, constant:D, uniform:A:B, exponential:MEAN, lognormal:MU:SIGMA, pareto:ALPHA:MIN, serial:D, empirical:1,2,5, file:PATH (one delay a line), links:PATH (by link), weights',
    usual: 'unit',
    words: ['unit', 'constant:', 'uniform:', 'exponential:'],
    common: true,
    text: delayText,
  },
  order: {
    group: 'time',
    value: 'order',
    says: 'async: fifo or any',
    usual: 'fifo',
    words: ['fifo', 'any'],
  },
  wake: {
    group: 'start',
    value: 'nodes',
    says: 'nodes that start: all, 0,4 (positions), 0@1,4@3 (with times), rate:0.8',
    usual: 'all; position 0 for bully, ring-list, wireless, tree-aggregate',
    words: ['all', 'rate:'],
    text: startsText,
  },
  crash: LIST_FAULTS.crash,
  recover: LIST_FAULTS.recover,
  retire: LIST_FAULTS.retire,
  detect: {
    group: 'faults',
    value: 'delay',
    says: 'delay until the failure detector reports a crash, or off',
    usual: '1',
    words: ['off'],
    label: 'Detector',
    hint: 'delay until the failure detector reports a crash, or off',
  },
  suspect: LIST_FAULTS.suspect,
  loss: {
    group: 'faults',
    value: 'probability',
    says: 'probability that a message (in cycles: an exchange) is lost',
    usual: '0',
    label: 'Loss',
    hint: 'share of messages, from 0 to 1',
  },
  duplicate: {
    group: 'faults',
    value: 'probability',
    says: 'probability that a message is duplicated',
    usual: '0',
    label: 'Duplicate',
    hint: 'share of messages, from 0 to 1',
  },
  partition: LIST_FAULTS.partition,
  cut: LIST_FAULTS.cut,
  tamper: LIST_FAULTS.tamper,
  again: {
    group: 'faults',
    value: 'time',
    says: 'start a second election at this time, but not before the first has ended',
    usual: 'never',
    label: 'Again',
    hint: 'the time from which nodes may start another election',
  },
  mobility: {
    group: 'faults',
    value: 'speed',
    says: 'distance that nodes of a geometric network move in a unit of time, for at most 100 units',
    usual: '0',
    label: 'Mobility',
    hint: 'speed of the nodes, 0.01',
  },
  pause: LIST_FAULTS.pause,
  drift: {
    group: 'faults',
    value: 'ratio',
    says: 'async: ratio by which the rates of clocks differ: timers take up to 1 + ratio times as long',
    usual: '0',
    label: 'Drift',
    hint: 'ratio between the rates of clocks, 0.05',
  },
  disk: {
    group: 'faults',
    value: 'model',
    says: 'async: time that a node takes to write changed stable fields, such as uniform:1:5; its messages leave afterwards',
    usual: 'none',
    label: 'Disk',
    hint: 'time of a write to stable storage, uniform:1:5',
    text: delayText,
  },
  weights: {
    group: 'network',
    value: 'weights',
    says: 'weights of links: random, file (of the network), or 1,2,3 in the order of the sorted edges',
    usual: 'file where it has weights, else random',
    words: ['random'],
    label: 'Weights of links',
    hint: 'random, or 1,2,3 by sorted edges',
  },
  values: {
    group: 'start',
    value: 'values',
    says: 'values of nodes: 3,1,4 or uniform:0:1, index, peak; gossip: changes ;3@20=7 or ;drift:0.1',
    words: ['uniform:0:1', 'index', 'peak'],
  },
  electBy: {
    group: 'start',
    value: 'criterion',
    says: 'id, value, value:min, degree or near:X:Y; ids break ties',
    usual: 'id; value with --values',
    words: ['id', 'value', 'value:min', 'degree', 'near:'],
  },
  coins: {
    group: 'start',
    value: 'choices',
    says: 'random choices given, not drawn: 0:2,5;1:7 (by position, in order; the last one repeats)',
    label: 'Coins',
    hint: '0:2,5;1:7, by position',
    text: (_, choices) =>
      Object.entries(choices)
        .map(([node, draws]) => `${node}:${draws}`)
        .join(';'),
  },
  corrupt: {
    group: 'start',
    value: 'seed',
    says: 'stabilizing: begin in any state, drawn with this seed, with any messages in flight',
    label: 'Corrupt',
    hint: 'a seed: any beginning',
  },
  tables: {
    group: 'start',
    value: 'json',
    says: 'stabilizing: what each node believes of its neighbours at the beginning: [[null],[[99,0]]]',
  },
  role: {
    group: 'start',
    value: 'name',
    says: 'a separate election: name or name=algorithm, repeatable',
    repeatable: true,
  },
  set: {
    group: 'start',
    value: 'key=value',
    says: 'set a parameter of the algorithm, repeatable',
    repeatable: true,
    common: true,
    text: (_, settings) =>
      Array.isArray(settings)
        ? settings
        : Object.fromEntries(Object.entries(settings).filter(([, it]) => it !== undefined)),
  },
  until: {
    group: 'time',
    value: 'time',
    says: 'stop at this time, round or interaction; gossip: after this many cycles (periods)',
    label: 'Until',
  },
  maxMessages: {
    group: 'time',
    value: 'count',
    says: 'stop after this many messages',
    usual: '10 million or more',
    label: 'Most messages',
  },
  seed: {
    group: 'start',
    value: 'number',
    says: 'the same seed gives the same run',
    usual: '1',
    common: true,
    label: 'Seed',
  },
  allowWeaker: {
    group: 'network',
    says: 'run even if the network model is weaker than the algorithm needs',
  },
}

export type ScenarioOptionName = keyof typeof SCENARIO

const NAMES = Object.keys(SCENARIO) as ScenarioOptionName[]

/** The fields of a scenario, in the order of a printed one, and those of them that are faults. */
export const OPTION_FIELDS = NAMES.map(fieldNamed)
export const FAULT_FIELDS = NAMES.filter((name) => SCENARIO[name].group === 'faults')

/** Every option of a scenario in the library, where several roles are several runs. */
export const SCENARIO_OPTIONS = NAMES.filter((name) => name !== 'role')

/** The field of a scenario that an option is: `electBy` is `elect-by`. */
export function fieldNamed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Names options in errors: the fields of a scenario are written as flags are. */
export const optionNamed: FieldLocator = (field) =>
  field.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The declaration of a field of a scenario. */
export function optionOf(field: string): Option | undefined {
  const name = optionNamed(field)
  return Object.hasOwn(SCENARIO, name) ? SCENARIO[name as ScenarioOptionName] : undefined
}

/** The fields of a scenario, in which data that has a short text is that text. */
export function shortTexts(given: ScenarioInput, where: FieldLocator): ScenarioInput {
  return Object.fromEntries(
    Object.entries(given).map(([field, value]) => {
      const text = optionOf(field)?.text
      const data = typeof value === 'object' && value !== null && text !== undefined
      return [field, data ? text(where(field), value) : value]
    }),
  )
}

/** The declarations of some options; a command may say more about what one means to it. */
export function scenarioOptions<N extends ScenarioOptionName>(
  names: readonly N[],
  changes: Readonly<Partial<Record<ScenarioOptionName, Partial<Option>>>> = {},
): Readonly<Record<N, Option>> {
  const entries = names.map((name) => [name, { ...SCENARIO[name], ...changes[name] }])
  return Object.fromEntries(entries) as Record<N, Option>
}

/** The options of a scenario among others, as the fields that a scenario document has. */
export function scenarioInput(options: object): ScenarioInput {
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(SCENARIO, name),
  )
  return shortTexts(
    Object.fromEntries(given.map(([name, value]) => [fieldNamed(name), value])),
    optionNamed,
  )
}

function edgesText(where: string, network: object): string {
  const example = 'topology: { edges: [[0, 1], [1, 2]] }'
  if (!isObjectLiteral(network)) throw unreadable(where, network, example)
  refuseOthers(where, network, ['edges'])
  const place = `${where}.edges`
  const edges = entriesOf(place, network.edges, link, 'topology.edges: [[0, 1], [1, 2]]')
  if (edges.length === 0) throw unreadable(place, edges, example)
  return `edges:${edges.map((edge) => edge.join('-')).join()}`
}

const nodeStart = either(position, record<NodeStart>({ node: position, at: optional(time) }))

function startsText(where: string, starts: object): string {
  if ('rate' in starts) {
    refuseOthers(where, starts, ['rate'])
    const isShare = (rate: number) => rate >= 0 && rate <= 1
    return `rate:${decimal(`${where}.rate`, starts.rate, 'a rate from 0 to 1', 0.8, isShare)}`
  }
  const example = 'wake: [0, { node: 4, at: 3 }]'
  return entriesOf(where, starts, nodeStart, example, 1)
    .map((start) => (typeof start === 'number' ? { node: start } : start))
    .map(({ node, at }) => (at === undefined ? `${node}` : `${node}@${at}`))
    .join()
}
