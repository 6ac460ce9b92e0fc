import type { UsageError } from '../../core/index.ts'
import { parsedDecimal, unexpected } from '../fields/reading.ts'
import type { FieldLocator } from '../scenario.ts'
import type { FaultFields } from './fault-fields.ts'

/*
 * A fault plan as data, and its notation. Times are those that users write: rounds and cycles
 * count from 1. Nothing here knows the network: `fault-validation.ts` checks positions and times.
 */

/** A node crashes, or a share of the live nodes; without a time the node was never up. */
export type PlannedCrash =
  | { readonly node: number; readonly at: number | null }
  | { readonly share: number; readonly at: number }

/** A node recovers, under another id if one is given. */
export interface PlannedRecovery {
  readonly node: number
  readonly at: number
  readonly id: number | null
  /** Its stable storage is lost, too. */
  readonly amnesia?: true
}

/** A node stays up, but no longer wants to be leader. */
export interface PlannedRetirement {
  readonly node: number
  readonly at: number
}

/** Null: from before the start; until the end. */
export interface FaultInterval {
  readonly from: number | null
  readonly to: number | null
}

/** The failure detector falsely suspects a live node. */
export interface PlannedSuspicion extends FaultInterval {
  readonly node: number
}

/** A node handles nothing; what reaches it meanwhile waits. */
export interface PlannedPause extends FaultInterval {
  readonly node: number
}

export interface PlannedPartition extends FaultInterval {
  readonly groups: readonly (readonly number[])[]
}

export interface PlannedCut extends FaultInterval {
  readonly link: readonly [number, number]
  /** Only messages from the first end to the second are lost. */
  readonly oneWay?: true
}

/** One message, by its number in the trace, is dropped or arrives at a given time. */
export type PlannedOverride =
  | { readonly what: 'drop'; readonly message: number; readonly at: number | null }
  | { readonly what: 'arrive'; readonly message: number; readonly at: number }

export interface PlannedFaults
  extends Pick<
    FaultFields,
    'detect' | 'loss' | 'duplicate' | 'again' | 'mobility' | 'drift' | 'disk'
  > {
  readonly crashes: readonly PlannedCrash[]
  readonly recoveries: readonly PlannedRecovery[]
  readonly retirements: readonly PlannedRetirement[]
  readonly suspicions: readonly PlannedSuspicion[]
  readonly partitions: readonly PlannedPartition[]
  readonly cuts: readonly PlannedCut[]
  readonly overrides: readonly PlannedOverride[]
  readonly pauses: readonly PlannedPause[]
}

type Lists = Omit<
  PlannedFaults,
  'detect' | 'loss' | 'duplicate' | 'again' | 'mobility' | 'drift' | 'disk'
>

/** How the entries of one field are written. */
interface Notation<T> {
  readonly field: keyof FaultFields
  readonly separator: ',' | ';'
  readonly example: string
  readonly hint: string
  /** Null where the text is malformed. */
  parse(entry: string): T | null
  print(entry: T): string
}

const POSITIONS = 'Numbers are positions, counted from 0; a time follows the @.'

const NOTATIONS: { readonly [K in keyof Lists]: Notation<Lists[K][number]> } = {
  crashes: {
    field: 'crash',
    separator: ',',
    example: '7, 7@12, 50%@10 or 0.5@10',
    hint: `${POSITIONS} A share has a percent sign or a decimal point, and a time.`,
    parse: parseCrash,
    print: (crash) => {
      if ('share' in crash) return `${withPoint(crash.share)}@${crash.at}`
      return crash.at === null ? `${crash.node}` : `${crash.node}@${crash.at}`
    },
  },
  recoveries: {
    field: 'recover',
    separator: ',',
    example: '7@30, 7@30:id=2 or 7@30:amnesia',
    hint: POSITIONS,
    parse(entry) {
      const [, node, time, id, amnesia] =
        /^(\d+)@([^:]+)(?::id=(\d+))?(:amnesia)?$/.exec(entry) ?? []
      const at = parsedDecimal(time ?? '')
      return at === null
        ? null
        : {
            node: Number(node),
            at,
            id: id === undefined ? null : Number(id),
            ...(amnesia !== undefined && { amnesia: true as const }),
          }
    },
    print: ({ node, at, id, amnesia }) =>
      `${node}@${at}${id === null ? '' : `:id=${id}`}${amnesia ? ':amnesia' : ''}`,
  },
  retirements: {
    field: 'retire',
    separator: ',',
    example: '7@20',
    hint: POSITIONS,
    parse(entry) {
      const [, node, time] = /^(\d+)@(.+)$/.exec(entry) ?? []
      const at = parsedDecimal(time ?? '')
      return at === null ? null : { node: Number(node), at }
    },
    print: ({ node, at }) => `${node}@${at}`,
  },
  suspicions: {
    field: 'suspect',
    separator: ',',
    example: '3@10..20',
    hint: POSITIONS,
    parse: parseNodeInterval,
    print: (suspicion) => printInterval(String(suspicion.node), suspicion),
  },
  partitions: {
    field: 'partition',
    separator: ';',
    example: '0,1,2/3,4@10..50',
    hint: POSITIONS,
    parse: (entry) => parseInterval(entry, parseGroups),
    print: (partition) =>
      printInterval(partition.groups.map((group) => group.join()).join('/'), partition),
  },
  cuts: {
    field: 'cut',
    separator: ',',
    example: '0-1@5..9, or 0to1@5..9 for one direction',
    hint: POSITIONS,
    parse: (entry) =>
      parseInterval(entry, (what) => {
        // A shell takes > for a file, unless it is quoted: hence the word.
        const [, a, way, b] = /^(\d+)(-|to|>)(\d+)$/.exec(what) ?? []
        if (b === undefined) return null
        const link = [Number(a), Number(b)] as const
        return way === '-' ? { link } : { link, oneWay: true as const }
      }),
    print: (cut) => printInterval(cut.link.join(cut.oneWay ? 'to' : '-'), cut),
  },
  overrides: {
    field: 'tamper',
    separator: ',',
    example: 'drop:17, drop:17@5.5 or arrive:17@4.5',
    hint: 'The number is that of the message in the trace; a time follows the @.',
    parse: parseOverride,
    print: ({ what, message, at }) => `${what}:${message}${at === null ? '' : `@${at}`}`,
  },
  pauses: {
    field: 'pause',
    separator: ',',
    example: '2@10..20',
    hint: POSITIONS,
    parse: parseNodeInterval,
    print: (pause) => printInterval(String(pause.node), pause),
  },
}

/** The fields that a scenario has only where they say something. */
const OPTIONAL: readonly string[] = ['pause', 'drift', 'disk']

/** The fault plan that the fields of a scenario describe. */
export function parseFaults(fields: FaultFields, where: FieldLocator): PlannedFaults {
  const { detect, loss, duplicate, again, mobility, drift, disk } = fields
  const lists = Object.entries(NOTATIONS).map(([name, notation]) => {
    const text = String(fields[notation.field] ?? 'none')
    return [name, parseList(text, notation as Notation<unknown>, where(notation.field))]
  })
  return {
    ...(Object.fromEntries(lists) as Lists),
    ...{ detect, loss, duplicate, again, mobility },
    ...(drift !== undefined && { drift }),
    ...(disk !== undefined && { disk }),
  }
}

/** The fields of a scenario that describe a fault plan, or the given parts of one. */
export function printFaults<F extends Partial<PlannedFaults>>(faults: F): Partial<FaultFields> {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([name, value]) => {
      const notation = NOTATIONS[name as keyof Lists] as Notation<unknown> | undefined
      if (notation === undefined) return [[name, value]]
      const entries = (value as readonly unknown[]).map((entry) => notation.print(entry))
      if (entries.length === 0 && OPTIONAL.includes(notation.field)) return []
      return [[notation.field, entries.length === 0 ? 'none' : entries.join(notation.separator)]]
    }),
  )
}

function parseList<T>(text: string, notation: Notation<T>, where: string): T[] {
  if (text === 'none') return []
  return text.split(notation.separator).map((part) => {
    const entry = part.trim()
    const parsed = notation.parse(entry)
    if (parsed === null) throw malformed(where, entry, notation)
    return parsed
  })
}

function malformed<T>(where: string, entry: string, notation: Notation<T>): UsageError {
  const error = unexpected(where, `something like ${notation.example}`, entry, notation.hint)
  return notation.field === 'tamper' ? error.withCandidates(entry, ['drop', 'arrive']) : error
}

function parseCrash(entry: string): PlannedCrash | null {
  const [, victim, , time] = /^([^@]+)(@(.*))?$/.exec(entry) ?? []
  const at = time === undefined ? null : parsedDecimal(time)
  if (victim === undefined || (time !== undefined && at === null)) return null
  if (/^\d+$/.test(victim)) return { node: Number(victim), at }
  const share = victim.endsWith('%') ? percentage(victim) : shareWithPoint(victim)
  return share === null || at === null ? null : { share, at }
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

function parseGroups(text: string): Pick<PlannedPartition, 'groups'> | null {
  const groups = text.split('/').map((group) => group.split(',').map((place) => place.trim()))
  if (groups.length < 2 || !groups.flat().every((place) => /^\d+$/.test(place))) return null
  return { groups: groups.map((group) => group.map(Number)) }
}

function parseOverride(entry: string): PlannedOverride | null {
  const [, what, number, time] = /^(drop|arrive):(\d+)(?:@(.*))?$/.exec(entry) ?? []
  const at = time === undefined ? null : parsedDecimal(time)
  if (what === undefined || (time !== undefined && at === null)) return null
  const message = Number(number)
  if (what === 'drop') return { what, message, at }
  return at === null ? null : { what: 'arrive', message, at }
}

/** A node and when: `3@10..20`. */
function parseNodeInterval(entry: string): ({ node: number } & FaultInterval) | null {
  return parseInterval(entry, (what) => (/^\d+$/.test(what) ? { node: Number(what) } : null))
}

/** `WHAT@10..20`; `WHAT@10` lasts until the end, `WHAT` and `WHAT@..20` hold from the start. */
function parseInterval<T>(
  entry: string,
  parse: (what: string) => T | null,
): (T & FaultInterval) | null {
  const [, what, , span] = /^([^@]*)(@([^@]+))?$/.exec(entry) ?? []
  const parsed = what === undefined ? null : parse(what)
  const ends = span?.split('..') ?? ['']
  if (parsed === null || ends.length > 2 || span === '') return null
  const [begin, end] = ends
  const from = begin === '' ? null : parsedDecimal(begin)
  const to = end === undefined ? null : parsedDecimal(end)
  if ((begin !== '' && from === null) || (end !== undefined && to === null)) return null
  return { ...parsed, from, to }
}

function printInterval(what: string, { from, to }: FaultInterval): string {
  if (to !== null) return `${what}@${from ?? ''}..${to}`
  return from === null ? what : `${what}@${from}`
}
