import {
  type Aggregation,
  byMessages,
  catalogue,
  defaultsOf,
  gossipParams,
  type WordSetting,
} from '../../algorithms/index.ts'
import { partnersOf } from '../../core/language/aggregate.ts'
import { grouped } from '../../core/text-format.ts'
import {
  decimal,
  integer,
  refuseEmptySetting,
  settingPairs,
  unexpected,
  unknownParameter,
  word,
} from '../../options/reading.ts'
import { pairingOrders } from '../../sim/index.ts'
import type { ScenarioInput } from '../scenario.ts'

/** Atomic exchanges in cycles, or exchanges by messages with delays. */
export type GossipTiming = 'cycles' | 'async'

interface GossipSetting {
  readonly says: string
  /** The only timing with which it has a meaning, if there is one. */
  readonly only?: GossipTiming
  readonly otherwise: number | string
  read(where: string, value: unknown): number | string
}

/** The faults that only messages have. */
const MESSAGE_FAULTS = ['recover', 'duplicate', 'partition', 'cut', 'tamper'] as const

/** Shorter periods would vanish in the rounding of the time. */
const SHORTEST_PERIOD = 1e-6
const LONGEST_PERIOD = 1e9

/** Larger views are no longer a small sample. */
const LARGEST_VIEW = 1000

/** Reads a number that may be negative, which `decimal` does not accept as text. */
function number(needed: string, accepts: (value: number) => boolean, example = 1) {
  return (where: string, value: unknown): number => {
    const negative = typeof value === 'string' && /^-[\d.]/.test(value)
    if (!negative) return decimal(where, value, needed, example, accepts)
    const number = Number(value)
    // The error quotes the number as it was given.
    return decimal(where, accepts(number) ? number : value, needed, example, accepts)
  }
}

export const share = number('a number from 0 to 1', (p) => p >= 0 && p <= 1)

function whole(needed: string) {
  return (where: string, value: unknown) =>
    integer(where, value, 0, Number.MAX_SAFE_INTEGER, needed)
}

/** The description and default of a parameter of the algorithms. */
function param(name: keyof typeof gossipParams) {
  const { says, value } = gossipParams[name]
  return { says, otherwise: value() }
}

function orderSetting(otherwise: string, orders: readonly string[]): GossipSetting {
  return {
    says: `how the pairs of a cycle are chosen: ${orders.join(', ')}`,
    otherwise,
    only: 'cycles',
    read: (where, value) => word(where, value, orders),
  }
}

/** The settings of every aggregation. */
const common: Readonly<Record<string, GossipSetting>> = {
  order: orderSetting('fresh', pairingOrders),
  peers: {
    says: 'the peers of a node: links of the network, or newscast:30 for exchanged partial views',
    otherwise: 'links',
    only: 'cycles',
    read(where, value) {
      if (viewOf(value) !== null) return String(value)
      throw unexpected(
        where,
        `links, or newscast:C with C from 1 to ${grouped(LARGEST_VIEW)}, as peers`,
        value,
        'Write for example peers=newscast:30.',
      )
    },
  },
  period: {
    ...param('period'),
    only: 'async',
    read: number(
      'a time from 0.000001 on',
      (period) => period >= SHORTEST_PERIOD && period <= LONGEST_PERIOD,
    ),
  },
  epoch: { ...param('epoch'), read: whole('whole cycles') },
  evaporation: { ...param('evaporation'), read: share },
  exchanges: { ...param('exchanges'), only: 'async', read: whole('a number of exchanges') },
  deaf: { says: 'the share of the nodes that are never picked', otherwise: 0, read: share },
  leave: {
    says: 'the share of the nodes that leave in each cycle',
    otherwise: 0,
    only: 'cycles',
    read: share,
  },
  join: {
    says: 'the share of n that joins in each cycle, in place of nodes that have left',
    otherwise: 0,
    only: 'cycles',
    read: share,
  },
  tolerance: {
    says: 'the error up to which an estimate counts as right, relative to the truth, or to the spread of the values if the truth is below 1 % of it',
    otherwise: 0.01,
    read: number('a number of 0 or more', (value) => value >= 0),
  },
}

const leader: GossipSetting = {
  says: 'the node that holds the 1 of a count: drawn, a position, or an election such as echo-extinction',
  otherwise: 'drawn',
  read(where, value) {
    if (value === 'drawn' || catalogue.some(({ name }) => name === value)) return String(value)
    if (/^\d+$/.test(String(value))) return Number(value)
    throw unexpected(
      where,
      'drawn, a position, or the name of an election as leader',
      value,
      'Write for example leader=0.',
    )
  },
}

/** Where one node knows something that it does not share by counting. */
function knower(otherwise: number): GossipSetting {
  const says = 'the node that begins: drawn, a position, or an election such as echo-extinction'
  return { ...leader, says, otherwise }
}

/** The size of a Newscast view, 0 for links; null if it is neither. */
export function viewOf(peers: unknown): number | null {
  if (peers === 'links') return 0
  const [, digits] = /^newscast:(\d{1,4})$/.exec(String(peers)) ?? []
  const size = Number(digits)
  return size >= 1 && size <= LARGEST_VIEW ? size : null
}

/** All settings of an aggregation. */
export function gossipSettings(aggregation: Aggregation): Readonly<Record<string, GossipSetting>> {
  const { settings, holder } = aggregation
  const own = Object.entries(settings).map(([name, setting]): [string, GossipSetting] => {
    const { says, otherwise } = setting
    const read =
      'words' in setting
        ? worded(name, setting)
        : number(setting.needed, setting.accepts, setting.otherwise)
    return [name, { says, otherwise, read }]
  })
  const holds = holder === undefined ? leader : knower(holder)
  return {
    ...Object.fromEntries(own),
    ...(counts(aggregation) && { leader: holds }),
    ...commonTo(aggregation),
  }
}

function worded(name: string, { words, accepts, needed }: WordSetting) {
  return (where: string, value: unknown): string => {
    if (accepts === undefined) return word(where, value, words)
    if (accepts(String(value))) return String(value)
    throw unexpected(where, `${needed} as ${name}`, value, `Write for example ${name}=${words[1]}.`)
  }
}

/** A count needs a node that holds the 1, whatever else it is set to. */
function counts({ settings, aggregate }: Aggregation): boolean {
  const defaults = defaultsOf(settings)
  const choices = Object.entries(settings).flatMap(([name, setting]) =>
    'words' in setting ? setting.words.map((one) => ({ ...defaults, [name]: one })) : [],
  )
  return [defaults, ...choices].some((given) => aggregate(given).chosen > 0)
}

/** What is offered where nodes do not exchange in pairs. */
const OFFERED = {
  calls: ['order', 'peers', 'period', 'exchanges', 'deaf', 'leave', 'join', 'tolerance'],
  neighbours: ['order', 'period', 'exchanges', 'leave', 'join', 'tolerance'],
}

/** What is offered for rows besides the parameters of their handlers. */
const ROW_SETTINGS = ['period', 'deaf', 'tolerance', 'order', 'peers', 'leave', 'join']

/** Rows have no copy of the beginning of a cycle: pairs exchange them one after another. */
const rowOrder = orderSetting(
  'fresh',
  pairingOrders.filter((order) => order !== 'together'),
)

/** Handlers of one's own heed only the parameters that they declare. */
function commonTo(aggregation: Aggregation): typeof common {
  const { only, settings, aggregate } = aggregation
  if (only !== undefined) {
    const { params } = byMessages(aggregation)
    return among(['period', 'deaf', 'tolerance', ...Object.keys(params)])
  }
  const computed = aggregate(defaultsOf(settings))
  if (computed.row !== undefined) {
    const { params } = byMessages(aggregation)
    return { ...among([...ROW_SETTINGS, ...Object.keys(params)]), order: rowOrder }
  }
  const partners = partnersOf(computed)
  if (partners === 'pairs') return common
  const inTurn = partners === 'calls' && computed.calls === undefined
  const order = orderSetting('together', inTurn ? pairingOrders : ['together'])
  return { ...among(OFFERED[partners]), order }
}

function among(names: readonly string[]): typeof common {
  return Object.fromEntries(Object.entries(common).filter(([name]) => names.includes(name)))
}

/** The timings with which alone the given settings have a meaning. */
export function impliedTimings(value: unknown, aggregation: Aggregation): readonly GossipTiming[] {
  const known = gossipSettings(aggregation)
  return settingPairs(value).flatMap(([name, setting]) => {
    const { only } = Object.hasOwn(known, name) ? known[name] : {}
    return only === undefined || isDefault(known[name], setting) ? [] : [only]
  })
}

/**
 * The default timing: that of a setting or a field which only one of the timings has. If there is
 * none, aggregations in rounds that are decided together run in cycles, all others by messages.
 */
export function defaultTiming({ set = {}, ...given }: ScenarioInput, aggregation: Aggregation) {
  const implied = impliedTimings(set, aggregation)
  if (implied.includes('cycles')) return 'cycles'
  const fields = messageFields(aggregation)
  if (implied.includes('async') || fields.some((field) => given[field] !== undefined))
    return 'async'
  return gossipSettings(aggregation).order?.otherwise === 'together' ? 'cycles' : 'async'
}

const FIELDS = [...['delay', 'order', 'wake', 'coins'], ...MESSAGE_FAULTS]

/** The fields that an aggregation by messages has besides those in cycles. */
export function messageFields(aggregation: Aggregation): readonly string[] {
  return reliesOnDetector(aggregation) ? [...FIELDS, 'detect'] : FIELDS
}

/** Whether messages must arrive in the round in which they are sent. */
export function needsRounds(aggregation: Aggregation): boolean {
  return byMessages(aggregation).needs.time === 'rounds'
}

/** Whether nodes need to be told of crashes. */
export function reliesOnDetector(aggregation: Aggregation): boolean {
  return byMessages(aggregation).down !== null
}

/** Whether a setting has its default value. */
function isDefault({ otherwise }: GossipSetting, setting: unknown): boolean {
  return String(setting) === String(otherwise)
}

/** The defaults of settings that differ where nodes can tell all their neighbours. */
function defaultsThere({ settings }: Aggregation, complete: boolean) {
  const entries = Object.entries(settings).flatMap(([name, setting]) =>
    !complete && 'words' in setting && setting.elsewhere !== undefined
      ? [[name, setting.elsewhere] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

/** Reads the settings and fills in the defaults, which may depend on the network. */
export function readGossipSettings(
  where: string,
  value: unknown,
  aggregation: Aggregation,
  timing: GossipTiming,
  complete: boolean,
): Readonly<Record<string, number | string>> {
  const all = Object.entries(gossipSettings(aggregation))
  const known = Object.fromEntries(all.filter(([, { only = timing }]) => only === timing))
  const read = settingPairs(value).flatMap(([name, setting]): [string, number | string][] => {
    if (Object.hasOwn(known, name)) {
      refuseEmptySetting(where, name, setting, known[name].otherwise)
      return [[name, known[name].read(where, setting)]]
    }
    const [, elsewhere] = all.find(([other]) => other === name) ?? []
    if (elsewhere !== undefined && isDefault(elsewhere, setting)) return []
    const mode = timing === 'cycles' ? 'in cycles' : 'by messages'
    const other = timing === 'cycles' ? 'async' : 'cycles'
    const hint = elsewhere && `Use timing ${other}, or leave it out.`
    const whose = `${aggregation.name} ${mode}`
    throw unknownParameter(where, whose, name, Object.keys(known), hint).withCandidates(
      name,
      all.map(([other]) => other),
    )
  })
  const defaults = Object.entries(known).map(([name, { otherwise }]) => [name, otherwise])
  const settings = Object.fromEntries(read)
  // Newscast gives each node new neighbours in every cycle.
  const there = defaultsThere(aggregation, complete || (viewOf(settings.peers) ?? 0) > 0)
  return { ...Object.fromEntries(defaults), ...there, ...settings }
}
