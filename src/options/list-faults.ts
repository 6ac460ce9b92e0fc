import { faultList, type ListOption } from './option.ts'
import { parsedDecimal } from './reading.ts'
import type {
  CrashFault,
  CrashShareFault,
  CutFault,
  FaultSpan,
  MessageFault,
  PartitionFault,
  PauseFault,
  RecoveryFault,
  RetirementFault,
  SuspicionFault,
} from './scenario-options.ts'
import {
  either,
  groups,
  id,
  link,
  messageNumber,
  optional,
  position,
  record,
  share,
  time,
  yes,
} from './shape.ts'

/*
 * The faults that are lists: as data, and as the text of flags, files and links. Times are those
 * that users write: rounds and cycles count from 1. Nothing here knows the network.
 */

/** The faults of a run that are lists, by the names of their options. */
export interface ListedFaults {
  readonly crash: readonly (CrashFault | CrashShareFault)[]
  readonly recover: readonly RecoveryFault[]
  readonly retire: readonly RetirementFault[]
  readonly suspect: readonly SuspicionFault[]
  readonly partition: readonly PartitionFault[]
  readonly cut: readonly CutFault[]
  readonly pause: readonly PauseFault[]
  readonly tamper: readonly MessageFault[]
}

export type ListedFaultName = keyof ListedFaults

const POSITIONS = 'Numbers are positions, counted from 0; a time follows the @.'
const SPAN = { from: optional(time), to: optional(time) }

/** Every option for a list of faults. */
export const LIST_FAULTS: {
  readonly [K in ListedFaultName]: ListOption<ListedFaults[K][number]>
} = {
  crash: faultList(
    'crash',
    {
      value: 'nodes',
      says: 'crashes: 7 (never up), 7@12 (at time 12), 50%@10 or 0.5@10 (half of the live nodes)',
      happens: 'crashes',
      common: true,
    },
    {
      shape: either(
        position,
        record<CrashFault>({ node: position, at: optional(time) }),
        record<CrashShareFault>({ share, at: time }),
      ),
      dataExample: '[{ node: 7, at: 12 }] or [{ share: 0.5, at: 10 }]',
      whole: (crash) => (typeof crash === 'number' ? { node: crash } : crash),
      textExample: '7, 7@12, 50%@10 or 0.5@10',
      textHint: `${POSITIONS} A share has a percent sign or a decimal point, and a time.`,
      parse: parseCrash,
      print: (crash) =>
        'share' in crash ? atTime(withPoint(crash.share), crash) : atTime(crash.node, crash),
    },
  ),
  recover: faultList(
    'recover',
    {
      value: 'nodes',
      says: 'recoveries: 7@30, with another id 7@30:id=2, without stable storage 7@30:amnesia',
      happens: 'recovers',
    },
    {
      shape: record<RecoveryFault>({
        node: position,
        at: time,
        id: optional(id),
        amnesia: optional(yes),
      }),
      dataExample: '[{ node: 7, at: 30 }]',
      textExample: '7@30, 7@30:id=2 or 7@30:amnesia',
      textHint: POSITIONS,
      parse(entry) {
        const [, node, at, name, amnesia] =
          /^(\d+)@([^:]+)(?::id=(\d+))?(:amnesia)?$/.exec(entry) ?? []
        return timed(at, {
          node: Number(node),
          ...(name !== undefined && { id: Number(name) }),
          ...(amnesia !== undefined && { amnesia: true }),
        })
      },
      print: ({ node, at, id: name, amnesia }) =>
        `${node}@${at}${name === undefined ? '' : `:id=${name}`}${amnesia ? ':amnesia' : ''}`,
    },
  ),
  retire: faultList(
    'retire',
    {
      value: 'nodes',
      says: 'nodes that give up leadership for good and stay up: 7@20',
      happens: 'retires',
    },
    {
      shape: record<RetirementFault>({ node: position, at: time }),
      dataExample: '[{ node: 7, at: 20 }]',
      textExample: '7@20',
      textHint: POSITIONS,
      parse(entry) {
        const [, node, at] = /^(\d+)@(.+)$/.exec(entry) ?? []
        return timed(at, { node: Number(node) })
      },
      print: (retirement) => atTime(retirement.node, retirement),
    },
  ),
  suspect: faultList(
    'suspect',
    {
      value: 'nodes',
      says: 'nodes falsely suspected by the failure detector: 3@10..20',
      happens: 'is falsely suspected',
    },
    {
      shape: either(position, record<SuspicionFault>({ node: position, ...SPAN })),
      dataExample: '[{ node: 3, from: 10, to: 20 }]',
      whole: (suspicion) => (typeof suspicion === 'number' ? { node: suspicion } : suspicion),
      textExample: '3@10..20',
      textHint: POSITIONS,
      parse: (entry) => during(entry, nodeIn),
      print: (suspicion) => inSpan(suspicion.node, suspicion),
    },
  ),
  partition: faultList(
    'partition',
    { value: 'groups', says: 'network partition: 0,1,2/3,4@10..50', happens: 'partition' },
    {
      shape: record<PartitionFault>({ groups, ...SPAN }),
      dataExample: '[{ groups: [[0, 1, 2], [3, 4]], from: 10, to: 50 }]',
      separator: ';',
      textExample: '0,1,2/3,4@10..50',
      textHint: POSITIONS,
      parse: (entry) => during(entry, groupsIn),
      print: (partition) =>
        inSpan(partition.groups.map((group) => group.join()).join('/'), partition),
    },
  ),
  cut: faultList(
    'cut',
    {
      value: 'links',
      says: 'links that fail: 0-1@5..9, in one direction only 0to1@5..9',
      happens: 'link is cut',
    },
    {
      shape: either(link, record<CutFault>({ link, ...SPAN, oneWay: optional(yes) })),
      dataExample: '[{ link: [0, 1], from: 5, to: 9 }]',
      whole: (cut) => ('link' in cut ? cut : { link: cut }),
      textExample: '0-1@5..9, or 0to1@5..9 for one direction',
      textHint: POSITIONS,
      parse: (entry) => during(entry, linkIn),
      print: (cut) => inSpan(cut.link.join(cut.oneWay ? 'to' : '-'), cut),
    },
  ),
  pause: faultList(
    'pause',
    { value: 'nodes', says: 'nodes that handle nothing for a while: 2@10..20', happens: 'pauses' },
    {
      shape: record<PauseFault>({ node: position, ...SPAN }),
      dataExample: '[{ node: 2, from: 10, to: 20 }]',
      textExample: '2@10..20',
      textHint: POSITIONS,
      parse: (entry) => during(entry, nodeIn),
      print: (pause) => inSpan(pause.node, pause),
    },
  ),
  tamper: faultList(
    'tamper',
    {
      value: 'messages',
      says: 'single messages, by their numbers in the trace: drop:17 (lost when sent), drop:17@5.5 (in flight), arrive:17@4.5',
    },
    {
      shape: either(
        record<Extract<MessageFault, { drop: number }>>({
          drop: messageNumber,
          at: optional(time),
        }),
        record<Extract<MessageFault, { arrive: number }>>({ arrive: messageNumber, at: time }),
      ),
      dataExample: '[{ drop: 17 }, { arrive: 18, at: 4.5 }]',
      textExample: 'drop:17, drop:17@5.5 or arrive:17@4.5',
      textHint: 'The number is that of the message in the trace; a time follows the @.',
      words: ['drop', 'arrive'],
      parse: parseMessageFault,
      print: (one) =>
        'drop' in one ? atTime(`drop:${one.drop}`, one) : atTime(`arrive:${one.arrive}`, one),
    },
  ),
}

function atTime(what: number | string, { at }: { readonly at?: number }): string {
  return at === undefined ? `${what}` : `${what}@${at}`
}

/** `WHAT@10..20`; `WHAT@10` lasts until the end, `WHAT` and `WHAT@..20` hold from the start. */
function inSpan(what: number | string, { from, to }: FaultSpan): string {
  if (to !== undefined) return `${what}@${from ?? ''}..${to}`
  return from === undefined ? `${what}` : `${what}@${from}`
}

/** The fault with its time; null if that is missing or no number. */
function timed<F>(time: string | undefined, fault: F): (F & { at: number }) | null {
  const at = parsedDecimal(time ?? '')
  return at === null ? null : { ...fault, at }
}

function parseCrash(entry: string): CrashFault | CrashShareFault | null {
  const [, victim = '', , at] = /^([^@]+)(@(.*))?$/.exec(entry) ?? []
  const node = nodeIn(victim)
  if (node !== null) return at === undefined ? node : timed(at, node)
  const part = victim.endsWith('%') ? percentage(victim) : shareWithPoint(victim)
  return part === null ? null : timed(at, { share: part })
}

function percentage(text: string): number | null {
  const percent = parsedDecimal(text.slice(0, -1).trim())
  return percent === null ? null : percent / 100
}

function shareWithPoint(text: string): number | null {
  return text.includes('.') ? parsedDecimal(text) : null
}

/** The decimal point tells a share from a position. */
function withPoint(share: number): string {
  const text = String(share)
  return text.includes('.') ? text : text.replace(/^\d+/, '$&.0')
}

function parseMessageFault(entry: string): MessageFault | null {
  const [, what, number, at] = /^(drop|arrive):(\d+)(?:@(.*))?$/.exec(entry) ?? []
  const message = Number(number)
  if (what === 'arrive') return timed(at, { arrive: message })
  if (what !== 'drop') return null
  return at === undefined ? { drop: message } : timed(at, { drop: message })
}

function nodeIn(text: string): { node: number } | null {
  return /^\d+$/.test(text) ? { node: Number(text) } : null
}

/** A shell takes > for a file, unless it is quoted: hence the word. */
function linkIn(text: string): Pick<CutFault, 'link' | 'oneWay'> | null {
  const [, a, way, b] = /^(\d+)(-|to|>)(\d+)$/.exec(text) ?? []
  if (b === undefined) return null
  const ends = [Number(a), Number(b)] as const
  return way === '-' ? { link: ends } : { link: ends, oneWay: true }
}

function groupsIn(text: string): Pick<PartitionFault, 'groups'> | null {
  const sides = text.split('/').map((group) => group.split(',').map((place) => place.trim()))
  if (sides.length < 2 || !sides.flat().every((place) => /^\d+$/.test(place))) return null
  return { groups: sides.map((group) => group.map(Number)) }
}

/** A fault and when it begins and ends. */
function during<F>(entry: string, faultIn: (what: string) => F | null): (F & FaultSpan) | null {
  const [, what, , span] = /^([^@]*)(@([^@]+))?$/.exec(entry) ?? []
  const parsed = what === undefined ? null : faultIn(what)
  const ends = span?.split('..') ?? ['']
  if (parsed === null || ends.length > 2 || span === '') return null
  const [begin, end] = ends
  const from = begin === '' ? undefined : parsedDecimal(begin)
  const to = end === undefined ? undefined : parsedDecimal(end)
  if (from === null || to === null) return null
  return { ...parsed, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
