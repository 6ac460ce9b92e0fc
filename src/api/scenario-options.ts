import { UsageError } from '../core/index.ts'
import { quoted } from '../scenario/fields/reading.ts'
import type { FieldLocator, ScenarioInput } from '../scenario/index.ts'
import type { Delay } from '../sim/index.ts'

/**
 * A time of a run: of a synchronous one the number of a round, from 1; else any number from 0, in
 * the unit of the delays.
 */
type Time = number

/** A fault that begins and ends; without `from` at the start, without `to` it never ends. */
export interface Span {
  readonly from?: Time
  readonly to?: Time
}

/** A node that starts by itself; without `at` at the beginning. */
export interface Start {
  readonly node: number
  readonly at?: Time
}

/** A node that crashes; without `at` it was never up. */
export interface Crash {
  readonly node: number
  readonly at?: Time
}

/** A share of the live nodes, drawn at random, that crashes at a time. */
export interface CrashShare {
  readonly share: number
  readonly at: Time
}

/** A crashed node that recovers, under another id if one is given. */
export interface Recovery {
  readonly node: number
  readonly at: Time
  readonly id?: number
}

/** A leader that steps down for good and stays alive. */
export interface Retirement {
  readonly node: number
  readonly at: Time
}

/** A live node that the failure detector reports as crashed. */
export interface FalseSuspicion extends Span {
  readonly node: number
}

/** Groups of nodes that cannot reach each other. */
export interface PartitionFault extends Span {
  readonly groups: readonly (readonly number[])[]
}

/** A link that is cut, by the positions of its ends. */
export interface CutFault extends Span {
  readonly link: readonly [number, number]
}

/** One message, by its number in the trace, that is lost or arrives at a time of its own. */
export type MessageFault =
  | { readonly drop: number; readonly at?: Time }
  | { readonly arrive: number; readonly at: Time }

/**
 * The world of a run. Every option has the default of the command line, and takes the text of its
 * flag too: `crash: [{ node: 1, at: 4 }]` is `crash: '1@4'`.
 */
export interface ScenarioOptions {
  /** The network with its size, `'ring:8'`, or its edges; by default what the algorithm needs. */
  readonly topology?: string | { readonly edges: readonly (readonly [number, number])[] }
  /** The number of nodes, 8 by default. */
  readonly n?: number
  /** By position, or a pattern; `'random'` by default. */
  readonly ids?: readonly number[] | IdPattern | (string & {})
  /** `'sync'` are synchronous rounds; by default where the algorithm needs them. */
  readonly timing?: 'sync' | 'async'
  /** How long messages take; one unit of time by default. */
  readonly delay?: Delay | 'unit' | (string & {})
  /** Whether links keep the order of messages; `'fifo'` by default. */
  readonly order?: 'fifo' | 'any'
  /** Which nodes start by themselves; by default all, or the first where one is enough. */
  readonly wake?: readonly (number | Start)[] | { readonly rate: number } | 'all' | (string & {})
  /** Which nodes crash. */
  readonly crash?: readonly (number | Crash | CrashShare)[] | string
  /** Which crashed nodes recover. */
  readonly recover?: readonly Recovery[] | string
  /** Which leaders step down. */
  readonly retire?: readonly Retirement[] | string
  /** The delay until the failure detector reports a crash, 1 by default. */
  readonly detect?: number | 'off'
  /** Which live nodes the failure detector reports as crashed. */
  readonly suspect?: readonly (number | FalseSuspicion)[] | string
  /** The probability that a message is lost. */
  readonly loss?: number
  /** The probability that a message is duplicated. */
  readonly duplicate?: number
  /** When the network falls into groups. */
  readonly partition?: readonly PartitionFault[] | string
  /** Which links are cut. */
  readonly cut?: readonly (readonly [number, number] | CutFault)[] | string
  /** What happens to single messages. */
  readonly tamper?: readonly MessageFault[] | string
  /** How far the nodes of a geometric network move in a unit of time. */
  readonly mobility?: number
  /** When a second election is held. */
  readonly again?: number | 'never'
  /** What the links cost, in the order of the sorted edges. */
  readonly weights?: readonly number[] | 'random' | (string & {})
  /** What the nodes hold, by position, or a pattern such as `'uniform:0:1'`. */
  readonly values?: readonly number[] | string
  /** What decides: `'id'`, `'value'`, `'value:min'`, `'degree'` or `'near:X:Y'`; ids break ties. */
  readonly electBy?: 'id' | 'value' | 'value:min' | 'degree' | (string & {})
  /** Parameters of the algorithm, by name. */
  readonly set?: Settings | string | readonly string[]
  /** The time, or the round, after which a run is stopped. */
  readonly until?: number
  /** The number of messages after which a run is stopped. */
  readonly maxMessages?: number
  /** The same seed gives the same run; 1 by default. */
  readonly seed?: number
  /** Whether to run although the world is weaker than the algorithm needs. */
  readonly allowWeaker?: boolean
}

/** Values of parameters, by name. */
type Settings = Readonly<Record<string, number | string | undefined>>

/** Ids by pattern. With `'same'` all nodes have one id. */
export type IdPattern = 'increasing' | 'decreasing' | 'bit-reversal' | 'random' | 'same'

/** Every option of a scenario. */
export const SCENARIO_OPTIONS: readonly (keyof ScenarioOptions)[] = [
  ...(['topology', 'n', 'ids', 'timing', 'delay', 'order', 'wake', 'crash', 'recover'] as const),
  ...(['retire', 'detect', 'suspect', 'loss', 'duplicate', 'partition', 'cut', 'tamper'] as const),
  ...(['mobility', 'again', 'weights', 'values', 'electBy', 'set', 'until'] as const),
  ...(['maxMessages', 'seed', 'allowWeaker'] as const),
]

/** Names options in errors: the fields of a scenario are written as flags are. */
export const optionNamed: FieldLocator = (field) =>
  field.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function fieldNamed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Refuses an option that does not exist: types say the same, but not everybody checks them. */
export function refuseOptions(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new UsageError(
    unknown,
    'There is no option of this name.',
    `The options are ${known.join(', ')}.`,
  ).withCandidates(unknown, known)
}

/** The options of a scenario among others, as the fields that a scenario document has. */
export function scenarioInput(options: ScenarioOptions): ScenarioInput {
  const given = SCENARIO_OPTIONS.filter((name) => options[name] !== undefined)
  return Object.fromEntries(
    given.map((name) => {
      const write = WRITERS[name] as ((value: unknown, option: string) => unknown) | undefined
      return [fieldNamed(name), write ? write(options[name], name) : options[name]]
    }),
  )
}

type Writer<K extends keyof ScenarioOptions> = (
  value: NonNullable<ScenarioOptions[K]>,
  option: string,
) => unknown

/** How options that are data are written as the text of a flag; all others are taken as given. */
const WRITERS: { readonly [K in keyof ScenarioOptions]?: Writer<K> } = {
  topology(value, option) {
    if (typeof value === 'string') return value
    const example = '{ edges: [[0, 1], [1, 2]] }'
    return `edges:${listed(value?.edges, option, ([a, b]) => linkText(a, b), example)}`
  },
  delay: (value, option) => (typeof value === 'string' ? value : delayText(value, option)),
  wake(value, option) {
    if (typeof value === 'string') return value
    if ('rate' in value) return `rate:${value.rate}`
    return listed(value, option, (entry) => atText(entry), '[0, { node: 4, at: 3 }]')
  },
  crash: (value, option) =>
    listed(value, option, crashText, '[{ node: 7, at: 12 }] or [{ share: 0.5, at: 10 }]'),
  recover: (value, option) =>
    listed(
      value,
      option,
      ({ node, at, id }) =>
        isNumber(at) && atText({ node, at }) + (id === undefined ? '' : `:id=${id}`),
      '[{ node: 7, at: 30 }]',
    ),
  retire: (value, option) =>
    listed(
      value,
      option,
      ({ node, at }) => isNumber(at) && atText({ node, at }),
      '[{ node: 7, at: 20 }]',
    ),
  suspect: (value, option) =>
    listed(
      value,
      option,
      (entry) =>
        typeof entry === 'number'
          ? `${entry}`
          : isNumber(entry.node) && entry.node + spanText(entry),
      '[{ node: 3, from: 10, to: 20 }]',
    ),
  partition: (value, option) =>
    listed(
      value,
      option,
      ({ groups, ...span }) =>
        Array.isArray(groups) && groups.map((group) => group.join()).join('/') + spanText(span),
      '[{ groups: [[0, 1, 2], [3, 4]], from: 10, to: 50 }]',
      ';',
    ),
  cut: (value, option) =>
    listed(
      value,
      option,
      (entry) => {
        const { link, ...span } = 'link' in entry ? entry : { link: entry }
        return Array.isArray(link) && linkText(link[0], link[1]) + spanText(span)
      },
      '[{ link: [0, 1], from: 5, to: 9 }]',
    ),
  set: (value) =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([, setting]) => setting !== undefined))
      : value,
  tamper: (value, option) =>
    listed(
      value,
      option,
      (entry) => {
        const [what, message] = 'drop' in entry ? ['drop', entry.drop] : ['arrive', entry.arrive]
        return (
          isNumber(message) && `${what}:${message}${entry.at === undefined ? '' : `@${entry.at}`}`
        )
      },
      '[{ drop: 17 }, { arrive: 18, at: 4.5 }]',
    ),
}

/** A list as the text of a flag; `none` where it is empty. */
function listed<E>(
  value: readonly E[] | string | undefined,
  option: string,
  entryText: (entry: E) => string | false,
  example: string,
  separator = ',',
): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) throw malformed(option, value, example)
  const texts = value.map((entry) => {
    const text = typeof entry === 'object' || typeof entry === 'number' ? entryText(entry) : false
    if (text === false) throw malformed(option, entry, example)
    return text
  })
  return texts.length === 0 ? 'none' : texts.join(separator)
}

function atText(entry: number | { readonly node: number; readonly at?: number }): string | false {
  if (typeof entry === 'number') return `${entry}`
  const { node, at } = entry
  if (!isNumber(node)) return false
  return at === undefined ? `${node}` : isNumber(at) && `${node}@${at}`
}

/** A share has a decimal point: that tells it from a position. */
function crashText(entry: number | Crash | CrashShare): string | false {
  if (typeof entry === 'number' || !('share' in entry)) return atText(entry)
  const { share, at } = entry
  const text = `${share}`.replace(/^(\d+)(?![\d.])/, '$1.0')
  return isNumber(share) && isNumber(at) && `${text}@${at}`
}

function linkText(a: number, b: number): string | false {
  return isNumber(a) && isNumber(b) && `${a}-${b}`
}

function spanText({ from, to }: Span): string {
  if (from === undefined && to === undefined) return ''
  return `@${from ?? ''}${to === undefined ? '' : `..${to}`}`
}

function delayText(delay: Delay, option: string): string {
  switch (delay?.model) {
    case 'constant':
      return `constant:${delay.delay}`
    case 'uniform':
      return `uniform:${delay.from}:${delay.to}`
    case 'exponential':
      return `exponential:${delay.mean}`
    default:
      throw malformed(option, delay, "{ model: 'uniform', from: 1, to: 10 }")
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function malformed(option: string, given: unknown, example: string): UsageError {
  return new UsageError(
    option,
    `${quoted(given)} cannot be read.`,
    `Write for example ${option}: ${example}.`,
  )
}
