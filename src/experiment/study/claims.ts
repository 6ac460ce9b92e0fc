import { ROUNDING } from '../../core/rounding.ts'
import { rounded } from '../../core/text-format.ts'
import { unexpected } from '../../scenario/fields/reading.ts'
import type { SampleSummary } from '../statistics/statistics.ts'
import type { ExperimentFindings } from '../statistics/summary.ts'

/** A claim of an experiment: a sentence, and a test of the findings. */
export interface Claim {
  readonly says: string
  /** Whose claim it is; without a source it is the author's own. */
  readonly source?: string
  judge(findings: Omit<ExperimentFindings, 'claims'>): ClaimVerdict
}

export interface ClaimVerdict {
  readonly holds: boolean
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
 * The value of a formula lies in the 95 % interval of the mean. One point in twenty misses it by
 * chance, so the claim fails only if the mean is off by more than twice the interval.
 */
export function inInterval(says: string, measure: string, is: Formula, limits: Limits = {}): Claim {
  return {
    says,
    judge(findings) {
      const misses = casesOf(findings, measure, limits).map(({ at, means, summary }) => {
        const off = Math.abs(summary.mean - wantedAt(is, at, means))
        return off === 0 ? 0 : off / ((summary.high ?? summary.mean) - summary.mean)
      })
      const inside = misses.filter((miss) => miss <= 1).length
      const holds = misses.length > 0 && misses.every((miss) => miss <= 2)
      return { holds, found: `in the 95 % interval at ${inside} of ${misses.length} points` }
    },
  }
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
          (fit.r2 ?? 0) >= (wanted.r2 ?? 0) &&
          Object.entries(wanted.near ?? {}).every(([name, [value, within]]) =>
            fit.coefficients.some(
              (one) => one.name === name && Math.abs(one.value - value) <= within,
            ),
          ),
      )
      const words = found.map(({ fit, series }) => {
        const which = series === '' ? '' : `${series}: `
        return `${which}${fit.formula}, R² ${fit.r2?.toFixed(4) ?? '-'}`
      })
      return { holds: holds && found.length > 0, found: words.join('; ') || 'no such fit' }
    },
  }
}

/** The growth class of a measure is this. */
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
      const holds = found.length > 0 && found.every(({ growth }) => growth!.growth === like)
      const words = found.map(
        ({ growth, series }) => `${series && `${series}: `}${growth!.verdict}`,
      )
      return { holds, found: words.join(' ') || 'there is no fit ~ auto' }
    },
  }
}

/** Elections that may fail do so as often as their theory states. */
export const asOftenAsStated: Claim = {
  says: 'runs fail as often as stated',
  judge(findings) {
    const points = casesOf(findings, 'failed', {}).map(({ means, summary: { mean, count } }) => {
      const [failed, expected] = [count * mean, count * means.chance]
      const deviation = Math.sqrt(expected * (1 - means.chance))
      // Four standard deviations and one run more, since few runs are no normal distribution.
      return { count, failed, expected, near: Math.abs(failed - expected) <= 4 * deviation + 1 }
    })
    const sum = (of: 'count' | 'failed' | 'expected') =>
      figure(points.reduce((total, point) => total + point[of], 0))
    const found = `${sum('failed')} of ${sum('count')} runs failed, ${sum('expected')} expected`
    return { holds: points.every(({ near }) => near), found }
  },
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
      const place = Object.entries(worst.at).map(([name, value]) => `${name} ${value}`)
      const where = cases.length === 1 ? 'at one point' : `at all ${cases.length} points`
      const found =
        worst.words === EXACT
          ? `exact ${where}`
          : cases.length === 1
            ? worst.words
            : `${where}; worst: ${worst.words} (${place.join(', ')})`
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
