import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { printFaults } from '../scenario/faults/fault-text.ts'
import { delayNumber } from '../scenario/fields/delay.ts'
import { decimal } from '../scenario/fields/reading.ts'
import type { ScenarioInput } from '../scenario/index.ts'
import { isObjectLiteral, refuseNumbers } from './option-checks.ts'
import {
  type DelayOption,
  type FaultSpan,
  type LinkDelay,
  type NodeStart,
  SCENARIO_OPTIONS,
  type ScenarioOptions,
} from './scenario-options.ts'

/** The field of a scenario that an option is: `electBy` is `elect-by`. */
export function fieldNamed(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The options of a scenario among others, as the fields that a scenario document has. */
export function scenarioInput(options: ScenarioOptions): ScenarioInput {
  const given = SCENARIO_OPTIONS.filter((name) => options[name] !== undefined)
  return Object.fromEntries(
    given.map((name) => {
      const value = options[name]
      const write = WRITERS[name] as ((value: object) => unknown) | undefined
      const data = write !== undefined && isRecord(value)
      return [fieldNamed(name), data ? write(value) : value]
    }),
  )
}

/** An entry of a list that a caller without types may have written in any way. */
type Unread = Readonly<Record<string, unknown>> | null | undefined

type Writer<K extends keyof ScenarioOptions> = (
  value: Exclude<NonNullable<ScenarioOptions[K]>, string>,
) => unknown

/** The numbers of a delay model, in the order of its text. */
const DELAY_FIELDS: Readonly<Record<DelayOption['model'], readonly string[]>> = {
  constant: ['delay'],
  uniform: ['from', 'to'],
  exponential: ['mean'],
  serial: ['delay'],
  lognormal: ['mu', 'sigma'],
  pareto: ['alpha', 'min'],
  empirical: ['delays'],
  links: ['delays'],
}

/** How options that are data become fields of a scenario; all others are taken as given. */
const WRITERS: { readonly [K in keyof ScenarioOptions]?: Writer<K> } = {
  topology(network) {
    const example = '{ edges: [[0, 1], [1, 2]] }'
    if (!isObjectLiteral(network)) throw unreadable('topology', network, `topology: ${example}`)
    refuseOthers('topology', network, ['edges'])
    const edges = listOf(network.edges, 'topology.edges', '[[0, 1], [1, 2]]', isLink)
    if (edges.length === 0) throw unreadable('topology.edges', edges, `topology: ${example}`)
    return `edges:${edges.map((edge) => edge.join('-')).join()}`
  },
  delay: (delay) => delayText(delay),
  wake(starts) {
    if ('rate' in starts) {
      refuseOthers('wake', starts, ['rate'])
      const isShare = (rate: number) => rate >= 0 && rate <= 1
      return `rate:${decimal('wake.rate', starts.rate, 'a rate from 0 to 1', 0.8, isShare)}`
    }
    const example = '[0, { node: 4, at: 3 }]'
    const all = listOf(starts, 'wake', example, isStart, ['node', 'at'])
    if (all.length === 0) throw unreadable('wake', all, `wake: ${example}`)
    return all.map((start) => (isNumber(start) ? `${start}` : startText(start))).join()
  },
  crash: (crashes) =>
    printFaults({
      crashes: listOf(
        crashes,
        'crash',
        '[{ node: 7, at: 12 }] or [{ share: 0.5, at: 10 }]',
        (one) => isStart(one) || (isNumber(one?.share) && isNumber(one.at)),
        ['node', 'share', 'at'],
      ).map((crash) => {
        if (isNumber(crash)) return { node: crash, at: null }
        return 'share' in crash ? crash : { node: crash.node, at: crash.at ?? null }
      }),
    }).crash,
  recover: (recoveries) =>
    printFaults({
      recoveries: listOf(
        recoveries,
        'recover',
        '[{ node: 7, at: 30 }]',
        (one) => isTimed(one) && isOptional(one?.id),
        ['node', 'at', 'id', 'amnesia'],
      ).map(({ node, at, id = null, amnesia }) => {
        return { node, at, id, ...(amnesia === true && { amnesia }) }
      }),
    }).recover,
  retire: (retirements) =>
    printFaults({
      retirements: listOf(retirements, 'retire', '[{ node: 7, at: 20 }]', isTimed, ['node', 'at']),
    }).retire,
  suspect: (suspicions) =>
    printFaults({
      suspicions: listOf(
        suspicions,
        'suspect',
        '[{ node: 3, from: 10, to: 20 }]',
        (one) => isNumber(one) || (isNumber(one?.node) && isSpan(one)),
        ['node', 'from', 'to'],
      ).map((one) =>
        isNumber(one) ? { node: one, ...spanOf({}) } : { node: one.node, ...spanOf(one) },
      ),
    }).suspect,
  partition: (partitions) =>
    printFaults({
      partitions: listOf(
        partitions,
        'partition',
        '[{ groups: [[0, 1, 2], [3, 4]], from: 10, to: 50 }]',
        (one) => isPartition(one?.groups) && isSpan(one),
        ['groups', 'from', 'to'],
      ).map((one) => ({ groups: one.groups, ...spanOf(one) })),
    }).partition,
  cut: (cuts) =>
    printFaults({
      cuts: listOf(
        cuts,
        'cut',
        '[{ link: [0, 1], from: 5, to: 9 }]',
        (one) => isLink(one) || (isLink(one?.link) && isSpan(one)),
        ['link', 'oneWay', 'from', 'to'],
      ).map((one) => {
        if (!('link' in one)) return { link: one, ...spanOf({}) }
        const { link, oneWay } = one
        return { link, ...(oneWay === true && { oneWay }), ...spanOf(one) }
      }),
    }).cut,
  pause: (pauses) =>
    printFaults({
      pauses: listOf(
        pauses,
        'pause',
        '[{ node: 2, from: 10, to: 20 }]',
        (one) => isNumber(one?.node) && isSpan(one),
        ['node', 'from', 'to'],
      ).map((one) => ({ node: one.node, ...spanOf(one) })),
    }).pause ?? 'none',
  disk: (commit) => delayText(commit, 'disk'),
  tamper: (faults) =>
    printFaults({
      overrides: listOf(
        faults,
        'tamper',
        '[{ drop: 17 }, { arrive: 18, at: 4.5 }]',
        (one) =>
          (isNumber(one?.drop) && isOptional(one.at)) ||
          (isNumber(one?.arrive) && isNumber(one.at)),
        ['drop', 'arrive', 'at'],
      ).map((one) =>
        'drop' in one
          ? { what: 'drop', message: one.drop, at: one.at ?? null }
          : { what: 'arrive', message: one.arrive, at: one.at },
      ),
    }).tamper,
  coins: (choices) =>
    Object.entries(choices)
      .map(([node, draws]) => `${node}:${draws}`)
      .join(';'),
  set: (settings) =>
    Array.isArray(settings)
      ? settings
      : Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
}

/** The entries of a list, each of which must be like the example and have no other fields. */
function listOf<E>(
  value: readonly E[],
  option: string,
  example: string,
  accepts: (entry: Unread) => boolean,
  fields: readonly string[] = [],
): readonly E[] {
  const written = `${option}: ${example}`
  if (!Array.isArray(value)) throw unreadable(option, value, written)
  const isKnown = (entry: E) =>
    !isObjectLiteral(entry) || Object.keys(entry).every((it) => fields.includes(it))
  const wrong = value.findIndex((entry) => !accepts(entry as Unread) || !isKnown(entry))
  if (wrong >= 0) throw unreadable(`${option}[${wrong}]`, value[wrong], written)
  refuseNumbers(option, value)
  return value
}

function unreadable(where: string, given: unknown, example: string): UsageError {
  const what = given === undefined ? 'it is missing' : `cannot read ${quoted(given)}`
  return new UsageError(where, `${what}.`, `Write for example ${example}.`)
}

/** Refuses fields that an object does not have. */
function refuseOthers(option: string, value: object, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name))
  if (other !== undefined)
    throw new UsageError(
      `${option}.${other}`,
      'there is no field of this name.',
      `The fields are ${known.join(', ')}.`,
    ).withCandidates(other, known)
}

function delayText(delay: DelayOption, where = 'delay'): string {
  const { model, ...rest } = delay
  const numbers = Object.hasOwn(DELAY_FIELDS, String(model)) ? DELAY_FIELDS[model] : null
  if (numbers === null)
    throw unreadable(where, delay, `${where}: { model: 'uniform', from: 1, to: 10 }`)
  refuseOthers(where, delay, ['model', ...numbers])
  if (model === 'empirical') return `empirical:${delayList(delay.delays).join()}`
  if (model === 'links') return `links:${linkDelayTexts(delay.delays).join()}`
  const given: Readonly<Record<string, unknown>> = rest
  if (model === 'lognormal' || model === 'pareto') {
    for (const name of numbers)
      if (!isNumber(given[name])) throw noNumber(`${where}.${name}`, given[name])
    return [model, ...numbers.map((name) => given[name])].join(':')
  }
  const texts = numbers.map((name) => delayNumber(`${where}.${name}`, given[name], model))
  if (model === 'uniform' && delay.from > delay.to)
    throw new UsageError(
      `${where}.to`,
      `expected a delay of at least ${delay.from}, the smallest one, got ${delay.to}.`,
      'Swap the two.',
    )
  return [model, ...texts].join(':')
}

function noNumber(where: string, value: unknown): UsageError {
  return new UsageError(
    where,
    `expected a number, got ${value === undefined ? 'nothing' : quoted(value)}.`,
    'Write a number such as 1.5.',
  )
}

function delayList(delays: unknown): number[] {
  const list = isRecord(delays) ? Array.from(delays as unknown as ArrayLike<number>) : []
  if (list.length === 0)
    throw unreadable('delay.delays', delays, "delay: { model: 'empirical', delays: [1, 2, 5] }")
  return list.map((one) => delayNumber('delay.delays', one, 'empirical'))
}

function linkDelayTexts(delays: unknown): string[] {
  const example = '[{ link: [0, 1], delay: 2.5 }]'
  const isEntry = (entry: Unread) => isLink(entry?.link) && isNumber(entry?.delay)
  const all = listOf(delays as readonly LinkDelay[], 'delay.delays', example, isEntry, [
    ...['link', 'delay'],
  ])
  if (all.length === 0) throw unreadable('delay.delays', all, `delays: ${example}`)
  return all.map(({ link, delay }) => `${link.join('-')}=${delay}`)
}

function startText({ node, at }: NodeStart): string {
  return at === undefined ? `${node}` : `${node}@${at}`
}

function spanOf({ from, to }: FaultSpan): { from: number | null; to: number | null } {
  return { from: from ?? null, to: to ?? null }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isOptional(value: unknown): boolean {
  return value === undefined || isNumber(value)
}

function isSpan(entry: Unread): boolean {
  return isOptional(entry?.from) && isOptional(entry?.to)
}

function isTimed(entry: Unread): boolean {
  return isNumber(entry?.node) && isNumber(entry.at)
}

function isStart(entry: Unread): boolean {
  return isNumber(entry) || (isNumber(entry?.node) && isOptional(entry.at))
}

function isLink(entry: unknown): boolean {
  return (
    Array.isArray(entry) && entry.length === 2 && entry.every(isNumber) && entry[0] !== entry[1]
  )
}

function isPartition(groups: unknown): boolean {
  const isGroup = (group: unknown) => Array.isArray(group) && group.length > 0
  return Array.isArray(groups) && groups.length > 1 && groups.every(isGroup)
}
