import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import type { Delay } from '../sim/index.ts'
import { decimal, integer, unexpected } from './reading.ts'
import type { LinkDelay } from './scenario-options.ts'
import { entriesOf, link, number, record, refuseOthers, unreadable } from './shape.ts'

/** The longest delay of a message, in time units. */
export const LONGEST_DELAY = 1_000_000_000

/** A delay model as users write it: what a file or the network says is not known yet. */
export type WrittenDelay =
  | Exclude<Delay, { model: 'links' | 'serial' }>
  | { readonly model: 'serial'; readonly delay: number }
  | { readonly model: 'file'; readonly path: string }
  | { readonly model: 'links of file'; readonly path: string }
  | { readonly model: 'links of text'; readonly links: string }
  | { readonly model: 'weights' }

type Reader = (where: string, value: unknown) => number

const DELAY = `a delay above 0, up to ${LONGEST_DELAY}`
const delay: Reader = (where, value) => decimal(where, value, DELAY, 1.5, isDelay)
const wholeDelay: Reader = (where, value) => integer(where, value, 1, LONGEST_DELAY, 'a delay')
const sigma: Reader = (where, value) =>
  decimal(where, value, 'a sigma from 0 to 20', 0.5, (spread) => spread >= 0 && spread <= 20)
const alpha: Reader = (where, value) =>
  decimal(where, value, 'an alpha above 0', 1.5, (exponent) => exponent > 0)

/** The mean of the logarithm, which may be negative. */
const mu: Reader = (where, value) => {
  const text = String(value)
  const size = decimal(where, text.replace(/^-/, ''), 'a mu from -20 to 20', 1, (it) => it <= 20)
  return text.startsWith('-') ? -size : size
}

/** The numbers of each model, in the order of its text: `uniform:1:10`. */
const MODELS: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  constant: { delay },
  uniform: { from: wholeDelay, to: wholeDelay },
  exponential: { mean: delay },
  lognormal: { mu, sigma },
  pareto: { alpha, min: delay },
  serial: { delay },
}

const FORMS =
  'unit, constant:D, uniform:A:B, exponential:MEAN, lognormal:MU:SIGMA, pareto:ALPHA:MIN'
const NAMES = ['unit', ...Object.keys(MODELS), 'empirical', 'file', 'links', 'weights']

export function isDelay(value: number): boolean {
  return value > 0 && value <= LONGEST_DELAY
}

/** Reads the text of a delay model, without the files that it names. */
export function readDelay(where: string, value: string): WrittenDelay {
  const [model, ...numbers] = value.split(':')
  const rest = numbers.join(':')
  if (value === 'unit') return { model: 'constant', delay: 1 }
  if (value === 'weights') return { model: 'weights' }
  if (model === 'file' && rest !== '') return { model, path: rest }
  if (model === 'links' && /^\d+-\d+=/.test(rest)) return { model: 'links of text', links: rest }
  if (model === 'links' && rest !== '') return { model: 'links of file', path: rest }
  if (model === 'empirical' && rest !== '')
    return { model, delays: rest.split(',').map((one) => delay(where, one.trim())) }
  const readers = Object.hasOwn(MODELS, model) ? Object.entries(MODELS[model]) : []
  if (readers.length === 0 || readers.length !== numbers.length)
    throw unexpected(
      where,
      `${FORMS}, serial:D, empirical:1,2,5, file:PATH, links:PATH or weights`,
      value,
      'Write for example uniform:1:10.',
    ).withCandidates(value, NAMES)
  const read = readers.map(([name, reader], i) => [name, reader(where, numbers[i])] as const)
  const { from, to } = Object.fromEntries(read)
  if (from > to)
    throw new UsageError(
      where,
      `${quoted(value)} has the larger delay first.`,
      `Write ${model}:${to}:${from}.`,
    )
  return { model, ...Object.fromEntries(read) } as unknown as WrittenDelay
}

/** Reads how long something takes at one node: a delay model that knows no links. */
export function readDuration(where: string, value: string): Delay {
  const written = readDelay(where, value)
  switch (written.model) {
    case 'file':
    case 'links of file':
    case 'links of text':
    case 'weights':
    case 'serial':
      throw unexpected(
        where,
        `${FORMS} or empirical:1,2,5`,
        value,
        'Write for example uniform:1:5.',
      )
    default:
      return written
  }
}

const linkDelay = record<LinkDelay>({ link, delay: number(DELAY, 1.5, isDelay) })

/** The text of a delay model that is given as data. */
export function delayText(where: string, value: object): string {
  const { model, ...given } = value as Readonly<Record<string, unknown>>
  if (model === 'empirical') {
    refuseOthers(where, given, ['delays'])
    const all = Array.from((given.delays ?? []) as ArrayLike<unknown>)
    if (all.length === 0) throw unreadable(`${where}.delays`, given.delays, 'delays: [1, 2, 5]')
    return `empirical:${all.map((one) => delay(`${where}.delays`, one)).join()}`
  }
  if (model === 'links') {
    refuseOthers(where, given, ['delays'])
    const example = 'delays: [{ link: [0, 1], delay: 2.5 }]'
    const all = entriesOf(`${where}.delays`, given.delays, linkDelay, example, 1)
    return `links:${all.map(({ link: ends, delay: one }) => `${ends.join('-')}=${one}`).join()}`
  }
  const readers = Object.hasOwn(MODELS, String(model)) ? MODELS[String(model)] : null
  if (readers === null) throw unreadable(where, value, "{ model: 'uniform', from: 1, to: 10 }")
  refuseOthers(where, given, Object.keys(readers))
  const numbers = Object.entries(readers).map(([name, reader]) =>
    reader(`${where}.${name}`, given[name]),
  )
  const [from, to] = numbers
  if (model === 'uniform' && from > to)
    throw new UsageError(
      `${where}.to`,
      `expected a delay of at least ${from}, the smallest one, got ${to}.`,
      'Swap the two.',
    )
  return [model, ...numbers].join(':')
}
