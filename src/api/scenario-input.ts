import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { LIST_FAULTS, type ListedFaultName } from '../options/list-faults.ts'
import { decimal } from '../options/reading.ts'
import {
  type DelayOption,
  type LinkDelay,
  type NodeStart,
  SCENARIO_OPTIONS,
  type ScenarioOptions,
} from '../options/scenario-options.ts'
import { isObjectLiteral } from '../options/shape.ts'
import { delayNumber } from '../scenario/fields/delay.ts'
import type { ScenarioInput } from '../scenario/index.ts'
import { refuseNumbers } from './option-checks.ts'

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
      if (!isRecord(value)) return [fieldNamed(name), value]
      if (Object.hasOwn(LIST_FAULTS, name))
        return [name, LIST_FAULTS[name as ListedFaultName].form.text(name, value)]
      const write = WRITERS[name] as ((value: object) => unknown) | undefined
      return [fieldNamed(name), write === undefined ? value : write(value)]
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
  disk: (commit) => delayText(commit, 'disk'),
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isOptional(value: unknown): boolean {
  return value === undefined || isNumber(value)
}

function isStart(entry: Unread): boolean {
  return isNumber(entry) || (isNumber(entry?.node) && isOptional(entry.at))
}

function isLink(entry: unknown): boolean {
  return (
    Array.isArray(entry) && entry.length === 2 && entry.every(isNumber) && entry[0] !== entry[1]
  )
}
