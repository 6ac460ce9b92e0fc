import type { Option } from './option.ts'
import type { ScenarioOptions } from './scenario-options.ts'

/** The options of a scenario that an exploration has; faults and delays are its own. */
export const EXPLORED_WORLD = [
  'topology',
  'n',
  'ids',
  'wake',
  'order',
  'seed',
  'set',
  'allowWeaker',
  'crash',
  'detect',
  'values',
  'electBy',
  'weights',
  'corrupt',
  'tables',
] as const satisfies readonly (keyof ScenarioOptions)[]

/** A kind of fault that may occur at any time, up to the given number. */
function countOf(says: string): Option {
  return { group: 'faults', value: 'count', says, usual: '0' }
}

/** What an exploration has besides its world: what may happen, and what the search may take. */
export const CHECK = {
  crashes: {
    ...countOf('maximum number of crashes (at any time, also within a handler)'),
    common: true,
  },
  losses: countOf('maximum number of lost messages'),
  duplicates: countOf('maximum number of duplicated messages'),
  cuts: countOf('maximum number of links that are cut for good (not on rings)'),
  recoveries: countOf('maximum number of recoveries of crashed nodes'),
  amnesia: countOf(
    'maximum number of recoveries without memory (stable storage is lost), beside --recoveries',
  ),
  partitions: countOf(
    'maximum number of partitions, each of which may end at any time (not on rings)',
  ),
  pauses: countOf('in mode clocked: maximum number of pauses of nodes, whose clocks go on'),
  reappear: { group: 'faults', says: 'a recovering node takes the id of another node' },
  oneWay: { group: 'faults', says: 'cuts and partitions may also be of one direction' },
  drift: {
    group: 'faults',
    value: 'units',
    says: 'in mode clocked: each timer fires up to so many units early or late',
    usual: '0',
  },
  draws: {
    group: 'search',
    value: 'count',
    says: 'maximum number of random choices per node',
    usual: 'no limit',
  },
  bound: {
    group: 'search',
    value: 'field=value',
    arity: 'several',
    says: 'largest value of a state field, such as term=3; runs that exceed it are cut',
    usual: 'terms 2',
  },
  timeouts: {
    group: 'time',
    value: 'count',
    says: 'in mode clocked: values to try of each random delay',
    usual: 'all',
  },
  links: {
    group: 'faults',
    value: 'reliable|lossy',
    says: 'lossy: messages may be lost and repeated without limit',
    usual: 'reliable',
  },
  mode: {
    group: 'time',
    value: 'mode',
    says: 'untimed, patient or clocked:D',
    usual:
      'untimed; clocked:2 for bounded delay; clocked:1 for rounds, clocks and self-stabilization',
    words: ['untimed', 'patient', 'clocked:1'],
    common: true,
  },
  reduction: {
    group: 'search',
    value: 'how',
    says: 'off, or auto: partial orders and symmetry where they are sound',
    initial: 'auto',
    words: ['auto', 'off'],
  },
  exact: { group: 'search', says: 'store whole states instead of 64-bit fingerprints' },
  states: {
    group: 'search',
    value: 'count',
    says: 'stop after this many states',
    initial: '2000000',
    common: true,
  },
  memory: { group: 'search', value: 'MB', says: 'stop at this much memory', initial: '4000' },
  seconds: { group: 'search', value: 'S', says: 'stop after this many seconds', common: true },
  walk: {
    group: 'search',
    value: 'count',
    arity: 'at most one',
    says: 'number of random walks after stopping early',
    usual: '1000',
  },
} as const satisfies Readonly<Record<string, Option>>
