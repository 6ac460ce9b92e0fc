import { ROUNDING } from '../../core/numbers.ts'
import { counted, rounded } from '../../core/text-format.ts'
import { unexpected } from '../../options/reading.ts'
import { CONFIDENCE, rateInterval } from '../statistics/distributions.ts'
import { intervalOfMean, type SampleSummary } from '../statistics/statistics.ts'
import type { ExperimentFindings } from '../statistics/summary.ts'
import { ELECTED } from './measures.ts'

/** A claim of an experiment: a sentence, and a test of the findings. */
export interface Claim {
  readonly says: string
  /** Whose claim it is; without a source it is the author's own. */
  readonly source?: string
  judge(findings: Omit<ExperimentFindings, 'claims'>): ClaimVerdict
}

export interface ClaimVerdict {
  /** Null if the runs cannot tell. */
  readonly holds: boolean | null
  /** The measured numbers, in words. */
  readonly found: string
}

/** The values of the swept fields at a point, with n. */
export type At = Readonly<Record<string, unknown>> & { readonly n: number }
/** A function of a point and of the means measured there. */
type Formula = number | ((at: At, means: Readonly<Record<string, number>>) => number)
interface Limits {
  /** The points that the claim is about; all by default. */
  where?(at: At): boolean
}

const EXACT = 'exact'

/** The same claim, with the source that makes it. */
export function claimedBy(source: string, claim: Claim): Claim {
  return { ...claim, source }
}

/** The mean at every point equals a formula. */
export function exactly(says: string, measure: string, is: Formula, limits: Limits = {}): Claim {
  return nearly(says, measure, is, { ...limits, share: ROUNDING })
}

/** The mean at every point is near a formula: within an amount, or a share of its value. */
export function nearly(
  says: string,
  measure: string,
  is: Formula,
  { within = 0, share = 0, ...limits }: Limits & { within?: number; share?: number },
): Claim {
  return atEveryPoint(says, measure, is, limits, ({ mean }, wanted) => {
    const off = Math.abs(mean - wanted)
    return {
      excess: off / (within + share * Math.abs(wanted) || ROUNDING),
      words:
        off <= ROUNDING * Math.abs(wanted) ? EXACT : `${figure(mean)}, expected ${figure(wanted)}`,
    }
  })
}

/**
 * The mean at every point is that of a formula. All points are tested together at a level of 95 %:
 * each of m at 1 - 0.05 / m (Bonferroni). If a mean of 0 would pass as well, the runs cannot tell.
 */
export function inInterval(says: string, measure: string, is: Formula, limits: Limits = {}): Claim {
  return {
    says,
    judge(findings) {
      const cases = casesOf(findings, measure, limits)
      if (cases.length === 0) return { holds: false, found: `no point has ${measure}` }
      const level = 1 - (1 - CONFIDENCE) / cases.length
      const tests = cases.map(({ at, means, summary }) => {
        const wanted = wantedAt(is, at, means)
        return { at, mean: summary.mean, wanted, ...comparedMean(summary, wanted, level) }
      })
      const holds = jointly(tests.map((test) => test.holds))
      const alike = tests.filter((test) => test.holds === holds)
      const many = holds === false ? tests.length - alike.length : alike.length
      const of = `${many} of ${counted(tests.length, 'point')}`
      const judged =
        holds === null
          ? `cannot tell: too few runs at ${of}`
          : `in the joint 95 % interval at ${of}`
      if (holds) return { holds, found: judged }
      const [{ at, mean, reach, wanted }] = alike
      const range = reach === null ? '' : ` ± ${figure(reach)}`
      const numbers = `${figure(mean)}${range}, expected ${figure(wanted)} (${placeText(at)})`
      return { holds, found: `${judged}; ${numbers}` }
    },
  }
}

/** Whether a number can be the mean behind a sample; null if the sample says too little. */
function comparedMean(
  summary: SampleSummary,
  wanted: number,
  level: number,
): { readonly holds: boolean | null; readonly reach: number | null } {
  const { mean, deviation, min, max } = summary
  const off = Math.abs(mean - wanted)
  const equal = off <= ROUNDING * Math.abs(wanted)
  // One run has no interval, and a mean over all permutations needs none.
  const interval = summary.low === null ? null : intervalOfMean(summary, level)
  if (interval === null) return { holds: deviation === null && !equal ? null : equal, reach: null }
  const reach = wanted < mean ? mean - interval.low : interval.high - mean
  if (off > reach && !equal) return { holds: false, reach }
  const blind =
    wanted === 0
      ? reach >= Math.max(Math.abs(min), Math.abs(max))
      : interval.low <= 0 && interval.high >= 0
  return { holds: blind && !equal ? null : true, reach }
}

/** The largest value at every point is at most that of a formula. */
export function atMost(says: string, measure: string, is: Formula, limits: Limits = {}): Claim {
  return atEveryPoint(says, measure, is, limits, ({ max }, wanted) => ({
    excess: shareOf(max, wanted),
    words: `${figure(max)}, upper limit ${figure(wanted)}`,
  }))
}

/** The smallest value at every point is at least that of a formula. */
export function atLeast(says: string, measure: string, is: Formula, limits: Limits = {}): Claim {
  return atEveryPoint(says, measure, is, limits, ({ min }, wanted) => ({
    excess: shareOf(wanted, min),
    words: `${figure(min)}, lower limit ${figure(wanted)}`,
  }))
}

/** A fit has coefficients near those given, and at least the given R². */
export function fitted(
  says: string,
  question: string,
  wanted: {
    readonly near?: Readonly<Record<string, readonly [value: number, within: number]>>
    readonly r2?: number
  },
): Claim {
  return {
    says,
    judge({ fits }) {
      const found = fits.filter((one) => one.question === question)
      const holds = found.every(
        ({ fit }) =>
          fit !== null &&
          (fit.r2 ?? 0) >= (wanted.r2 ?? 0) &&
          Object.entries(wanted.near ?? {}).every(([name, [value, within]]) =>
            fit.coefficients.some(
              (one) => one.name === name && Math.abs(one.value - value) <= within,
            ),
          ),
      )
      const words = found.map(({ fit, series, problem }) => {
        const which = series === '' ? '' : `${series}: `
        if (fit === null) return `${which}${problem}`
        return `${which}${fit.formula}, R² ${fit.r2?.toFixed(4) ?? '-'}`
      })
      return { holds: holds && found.length > 0, found: words.join('; ') || 'no such fit' }
    },
  }
}

/** The growth class of a measure is this; it cannot be told unless the class is clear. */
export function grows(says: string, measure: string, like: string, series?: string): Claim {
  return {
    says,
    judge({ fits }) {
      const found = fits.filter(
        (one) =>
          one.measure === measure &&
          one.growth !== null &&
          (series === undefined || one.series === series),
      )
      const holds = jointly(
        found.map(({ growth }) => (growth!.certainty === 'clear' ? growth!.growth === like : null)),
      )
      const words = found.map(
        ({ growth, series }) => `${series && `${series}: `}${growth!.verdict}`,
      )
      return found.length > 0
        ? { holds, found: words.join(' ') }
        : { holds: false, found: 'there is no fit ~ auto' }
    },
  }
}

/**
 * Elections that may fail do so as often as their theory states, at every point and in total,
 * together at a level of 95 %. If runs that never fail would pass as well, they cannot tell.
 */
export const asOftenAsStated: Claim = {
  says: 'runs fail as often as stated',
  judge(findings) {
    const points = casesOf(findings, 'chance', {}).map(({ means, summary: { mean, count } }) => ({
      count,
      failed: Math.round(count * (1 - means[ELECTED])),
      expected: count * mean,
    }))
    const sum = (of: 'count' | 'failed' | 'expected') =>
      points.reduce((sum, point) => sum + point[of], 0)
    const total = { count: sum('count'), failed: sum('failed'), expected: sum('expected') }
    const level = 1 - (1 - CONFIDENCE) / (points.length + 1)
    const fits = ({ count, failed, expected }: typeof total, seen = failed) => {
      const { low, high } = rateInterval(seen, count, level)
      return low * count <= expected && expected <= high * count
    }
    const expected = `${figure(total.expected)} expected`
    const found = `${total.failed} of ${total.count} runs failed, ${expected}`
    if (![...points, total].every((one) => fits(one))) return { holds: false, found }
    return fits(total, 0) ? { holds: null, found: `cannot tell: ${found}` } : { holds: true, found }
  },
}

/** False if one is false, true if all are; else null. */
function jointly(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false
  return verdicts.includes(null) ? null : true
}

/** Four digits, to tell a near value from an exact one. */
function figure(value: number): string {
  return rounded(value, 4)
}

/** At most 1 if the part is at most the whole, up to rounding. */
function shareOf(part: number, whole: number): number {
  if (whole === 0) return part <= 0 ? 0 : Number.POSITIVE_INFINITY
  return part / whole / (1 + ROUNDING)
}

function wantedAt(formula: Formula, at: At, means: Readonly<Record<string, number>>): number {
  return typeof formula === 'number' ? formula : formula(at, means)
}

function casesOf(
  { points }: Omit<ExperimentFindings, 'claims'>,
  measure: string,
  { where }: Limits,
) {
  return points.flatMap(({ point, n, measures }) => {
    const at: At = { ...point, n }
    const summary = measures[measure]
    if (!summary || !(where?.(at) ?? true)) return []
    const known = Object.entries(measures).filter(([, one]) => one !== null)
    const means = Object.fromEntries(known.map(([name, one]) => [name, one!.mean]))
    return [{ at, means, summary }]
  })
}

function placeText(at: At): string {
  return Object.entries(at)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

/** Judges every point and reports the worst. */
function atEveryPoint(
  says: string,
  measure: string,
  is: Formula,
  limits: Limits,
  compare: (summary: SampleSummary, wanted: number) => { excess: number; words: string },
): Claim {
  return {
    says,
    judge(findings) {
      const cases = casesOf(findings, measure, limits).map(({ at, means, summary }) => ({
        at,
        ...compare(summary, wantedAt(is, at, means)),
      }))
      if (cases.length === 0) return { holds: false, found: `no point has ${measure}` }
      const worst = cases.reduce((a, b) => (b.excess > a.excess ? b : a))
      const where = cases.length === 1 ? 'at one point' : `at all ${cases.length} points`
      const found =
        worst.words === EXACT
          ? `exact ${where}`
          : cases.length === 1
            ? worst.words
            : `${where}; worst: ${worst.words} (${placeText(worst.at)})`
      return { holds: worst.excess <= 1, found }
    },
  }
}

/** Claims are code, so only TypeScript documents can contain them. */
export function readClaims(where: string, given: unknown): readonly Claim[] {
  const isClaim = (one: Partial<Claim> | null) =>
    typeof one?.says === 'string' && typeof one.judge === 'function'
  if (Array.isArray(given) && given.every(isClaim)) return given
  throw unexpected(
    where,
    'claims made by exactly, nearly, atMost, atLeast, inInterval, fitted or grows',
    given,
    'Write the experiment in TypeScript, or leave the claims out.',
  )
}
