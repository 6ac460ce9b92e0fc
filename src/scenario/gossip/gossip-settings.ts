import { type Aggregation, catalogue, defaultsOf, gossipParams } from '../../algorithms/index.ts'
import { grouped } from '../../core/text-format.ts'
import { pairingOrders } from '../../sim/index.ts'
import {
  decimal,
  integer,
  refuseEmptySetting,
  settingPairs,
  unexpected,
  unknownParameter,
  word,
} from '../fields/reading.ts'

/** Atomic exchanges in cycles, or exchanges by messages with delays. */
export type GossipTiming = 'cycles' | 'async'

interface GossipSetting {
  readonly says: string
  /** The only timing with which it has a meaning, if there is one. */
  readonly only?: GossipTiming
  readonly otherwise: number | string
  read(where: string, value: unknown): number | string
}

/** Shorter periods would vanish in the rounding of the time. */
const SHORTEST_PERIOD = 1e-6
const LONGEST_PERIOD = 1e9

/** Larger views are no longer a small sample. */
const LARGEST_VIEW = 1000

/** Reads a number that may be negative, which `decimal` does not accept as text. */
function number(needed: string, accepts: (value: number) => boolean) {
  return (where: string, value: unknown): number => {
    const negative = typeof value === 'string' && /^-[\d.]/.test(value)
    if (!negative) return decimal(where, value, needed, 1, accepts)
    const number = Number(value)
    // The error quotes the number as it was given.
    return decimal(where, accepts(number) ? number : value, needed, 1, accepts)
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

/** The settings of every aggregation. */
const common: Readonly<Record<string, GossipSetting>> = {
  order: {
    says: `how the pairs of a cycle are chosen: ${pairingOrders.join(', ')}`,
    otherwise: 'fresh',
    only: 'cycles',
    read: (where, value) => word(where, value, pairingOrders),
  },
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
    says: 'the relative error up to which an estimate counts as right',
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

/** Reads a setting that is a text. */
function ownText(
  name: string,
  needed: string,
  accepts: (value: string) => boolean,
  example: string,
): GossipSetting['read'] {
  return (where, value) => {
    if (accepts(String(value))) return String(value)
    throw unexpected(where, `${needed} as ${name}`, value, `Write for example ${name}=${example}.`)
  }
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
  const { settings, aggregate } = aggregation
  const own = Object.entries(settings).map(
    ([name, { says, otherwise, needed, accepts }]): [string, GossipSetting] => [
      name,
      {
        says,
        otherwise,
        read:
          typeof otherwise === 'string'
            ? ownText(name, needed, accepts, otherwise)
            : number(needed, accepts),
      },
    ],
  )
  // A count needs a node that holds the 1.
  const counts = aggregate(defaultsOf(settings)).chosen > 0
  return { ...Object.fromEntries(own), ...(counts && { leader }), ...commonTo(aggregation) }
}

/** Handlers of one's own, and those of rows, heed only the parameters that they declare. */
function commonTo({ only, settings, algorithm, aggregate }: Aggregation): typeof common {
  const defaults = defaultsOf(settings)
  if (only === undefined && aggregate(defaults).row === undefined) return common
  const { params } = algorithm(defaults)
  const inCycles = only === undefined ? ['order', 'peers', 'leave', 'join'] : []
  const heeded = ['period', 'deaf', 'tolerance', ...inCycles, ...Object.keys(params)]
  return Object.fromEntries(Object.entries(common).filter(([name]) => heeded.includes(name)))
}

/** The default timing: cycles if a setting is given that only cycles have. */
export function timingFor(value: unknown, aggregation: Aggregation): GossipTiming {
  const known = gossipSettings(aggregation)
  const cycles = settingPairs(value).some(
    ([name, setting]) =>
      Object.hasOwn(known, name) &&
      known[name].only === 'cycles' &&
      !isDefault(known[name], setting),
  )
  return cycles ? 'cycles' : 'async'
}

/** Whether a setting has its default value. */
function isDefault({ otherwise }: GossipSetting, setting: unknown): boolean {
  return String(setting) === String(otherwise)
}

/** The defaults of settings that differ where nodes have too many neighbours to tell all. */
function defaultsThere({ settings }: Aggregation, complete: boolean) {
  const entries = Object.entries(settings).flatMap(([name, { onComplete }]) =>
    complete && onComplete !== undefined ? [[name, onComplete] as const] : [],
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
