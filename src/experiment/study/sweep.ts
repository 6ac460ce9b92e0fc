import { UsageError } from '../../core/index.ts'
import { grouped, quoted } from '../../core/text-format.ts'
import { settingPairs, unexpected } from '../../options/reading.ts'
import type { ScenarioInput } from '../../scenario/index.ts'

/** The value of a swept field: a number, a text, or a list such as ids. */
export type Swept = number | string | readonly number[]

/** The values of the swept fields at one point of an experiment, by name. */
export type SweepPoint = Readonly<Record<string, Swept>>

/** More values in one range are taken for a mistake. */
const MOST_VALUES = 100_000

const NUMBER = String.raw`-?\d+(?:\.\d+)?`
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(\\d+(?:\\.\\d+)?))?$`)
/** Matches malformed ranges, but not times of faults such as 0-1@5..9. */
const MALFORMED = /^[\d.^e+:-]*\.\.[\d.^e+:-]*$/
/** Ranges as they are written elsewhere. */
const OTHER_RANGE = new RegExp(
  `^(${NUMBER}|\\d+\\^\\d+) ?(?:-|:|–|\\.{3,}|…|to) ?(${NUMBER}|\\d+\\^\\d+)$`,
)
const POWERS = /^(\d+)\^(\d+)\.\.(\d+)\^(\d+)$/

/**
 * Reads `2..100`, `0..1:0.25`, `2^3..2^10`, a list of any of them, or an array. Where values may
 * be links, 0-1 is one.
 */
export function readSweptValues(where: string, given: unknown, links = false): Swept[] {
  const listed = typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given
  const parts = Array.isArray(listed) ? listed : [listed]
  const values = parts.flatMap((part) => readPart(where, part, links))
  if (values.length > 0 && values.length <= MOST_VALUES) return values
  throw new UsageError(
    where,
    values.length === 0
      ? 'there are no values to sweep.'
      : `${quoted(given)} has ${grouped(values.length)} values, more than ${grouped(MOST_VALUES)}.`,
    'Write for example 2..100, 2^3..2^10 or 8,16,32.',
  )
}

function readPart(where: string, part: unknown, links: boolean): Swept[] {
  if (typeof part === 'number') return [part]
  if (Array.isArray(part) && part.every((entry) => typeof entry === 'number')) return [part]
  if (typeof part === 'string' && part !== '') {
    const range = RANGE.exec(part)
    if (range) return rangeOf(where, part, range.slice(1).map(Number))
    const powers = POWERS.exec(part)
    if (powers) return powersOf(where, part, powers.slice(1).map(Number))
    const [, first, last] = (!links && OTHER_RANGE.exec(part)) || []
    if (first !== undefined)
      throw new UsageError(where, `${part} is not a range.`, `Did you mean ${first}..${last}?`)
    if (!MALFORMED.test(part)) return [new RegExp(`^${NUMBER}$`).test(part) ? Number(part) : part]
  }
  throw unexpected(
    where,
    'a number, a word or a range',
    part,
    'Write for example 2..100, 2^3..2^10 or 8,16,32.',
  )
}

function rangeOf(where: string, part: string, [first, last, step]: number[]): number[] {
  const stride = Number.isNaN(step) ? 1 : step
  const count = Math.floor((last - first) / stride + 1e-9) + 1
  if (stride > 0 && count >= 1 && count <= MOST_VALUES) {
    // Ten digits hide rounding errors: 0.1 + 0.2 becomes 0.3.
    return Array.from({ length: count }, (_, i) => Number((first + i * stride).toPrecision(10)))
  }
  throw new UsageError(
    where,
    `${part} is not an ascending range of at most ${grouped(MOST_VALUES)} steps.`,
    'Write for example 2..100 or 0..1:0.25.',
  )
}

function powersOf(where: string, part: string, [base, from, other, to]: number[]): number[] {
  if (base === other && base > 1 && from <= to && base ** to <= Number.MAX_SAFE_INTEGER) {
    return Array.from({ length: to - from + 1 }, (_, i) => base ** (from + i))
  }
  throw new UsageError(
    where,
    `${part} is not an ascending range of powers of one base.`,
    'Write for example 2^3..2^10.',
  )
}

/** All combinations of the values; the field that was named first varies slowest. */
export function pointsOf(sweep: Readonly<Record<string, readonly Swept[]>>): SweepPoint[] {
  return Object.entries(sweep).reduce<SweepPoint[]>(
    (points, [name, values]) =>
      points.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
    [{}],
  )
}

/**
 * The swept names whose values are shares of nodes in the field `crash`, as in `{p}@5`. There 0 and
 * 1 would be positions; a fraction among the values says that shares are meant. Values 0 and 1
 * alone could be either, and are refused.
 */
export function sweptShares(
  { crash }: ScenarioInput,
  sweep: Readonly<Record<string, readonly Swept[]>>,
  where: string,
): ReadonlySet<string> {
  const text = String(crash ?? '')
  const shares = Object.entries(sweep).flatMap(([name, values]) => {
    const victim = text.split(',').some((entry) => entry.trim().startsWith(`{${name}}@`))
    if (!victim || !values.every(isShare)) return []
    if (values.every((value) => Number.isInteger(value)) && values.length > 1) {
      throw new UsageError(
        where,
        `${name} is 0 and 1 in the crash {${name}}@..., which are positions or shares.`,
        `For shares write {${name}}%@... and ${name}=0,100; for positions sweep crash=0@...,1@....`,
      )
    }
    return values.some((value) => !Number.isInteger(value)) ? [name] : []
  })
  return new Set(shares)
}

function isShare(value: Swept): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/**
 * The scenario at a point. A name in braces in a text of the base, as in `ring:{n}`, is replaced by
 * its value; `set.name` is a parameter; any other name is a field. Shares keep a decimal point.
 */
export function scenarioAt(
  base: ScenarioInput,
  point: SweepPoint,
  shares: ReadonlySet<string> = new Set(),
): ScenarioInput {
  const entries = Object.entries(point)
  const placed = new Set<string>()
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string')
      return entries.reduce((text, [name, swept]) => {
        if (!text.includes(`{${name}}`)) return text
        placed.add(name)
        const whole = shares.has(name) && Number.isInteger(swept)
        return text.replaceAll(`{${name}}`, whole ? `${swept}.0` : String(swept))
      }, value)
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]))
  }
  const scenario = filled(base) as Record<string, unknown>
  const rest = entries.filter(([name]) => !placed.has(name))
  const settings = rest.filter(([name]) => isSetting(name))
  const set = Object.fromEntries(settings.map(([name, value]) => [name.slice(4), value]))
  return {
    ...scenario,
    ...Object.fromEntries(
      rest.flatMap(([name, value]) => (isSetting(name) ? [] : [[name, written(value)]])),
    ),
    ...(settings.length > 0 && {
      set: { ...Object.fromEntries(settingPairs(scenario.set ?? {})), ...set },
    }),
  }
}

function isSetting(name: string): boolean {
  return name.startsWith('set.')
}

/** A number as a text: every field accepts text, as on the command line. */
function written(value: Swept): unknown {
  return typeof value === 'number' ? String(value) : value
}
