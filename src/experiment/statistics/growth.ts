import { UsageError } from '../../core/index.ts'
import { type DataPoint, type Fit, fitForm, fitSum } from './fit.ts'
import { readForm } from './form-text.ts'
import { powerOf, type Sum } from './forms.ts'
import { digits } from './formula.ts'

/** How sure an answer is: rivals are refuted, are much less likely, or do as well. */
export type Certainty = 'clear' | 'likely' | 'open'

/** One kind of growth, by the best of its fits. */
export interface Candidate {
  /** `n log2 n`; `1` for no growth at all. */
  readonly growth: string
  /** Akaike's weight: the probability that this one is the nearest to the truth of all. */
  readonly weight: number
  readonly fit: Fit
}

export interface Growth {
  readonly growth: string
  readonly certainty: Certainty
  /** One sentence for a reader. */
  readonly verdict: string
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** The power law through the same points, where all are above 0: its exponent tells much. */
  readonly power: Fit | null
}

/**
 * Kinds of growth, slow ones first, and what may come with each: nothing, a constant, or the next
 * slower kind. HS on a bit-reversal ring sends 3 n log2 n + 2 n, and that is n log n.
 */
const KINDS: readonly (readonly string[])[] = [
  ['1'],
  ['0 + log2(n)', 'log2(n)'],
  ['0 + log2(n)^2', 'log2(n)^2', '0 + log2(n)^2 + log2(n)'],
  ['0 + sqrt(n)', 'sqrt(n)'],
  ['0 + n', 'n', 'n + log2(n)'],
  ['0 + n log2(n)', 'n log2(n)', '0 + n log2(n) + n', 'n log2(n) + n'],
  ['0 + n^1.5', 'n^1.5', '0 + n^1.5 + n'],
  ['0 + n^2', 'n^2', '0 + n^2 + n', 'n^2 + n'],
  ['0 + n^2 log2(n)', 'n^2 log2(n)', '0 + n^2 log2(n) + n^2'],
  ['0 + n^3', 'n^3', '0 + n^3 + n^2'],
  ['0 + 2^n', '2^n'],
]

/** Fewer points than this cannot refute a form with two coefficients. */
const FEWEST = 5
/** A leading term that makes up less than this of the largest value does not lead. */
const SHARE = 0.2
/** Weights from which an answer is clear or likely, and those of rivals that are still named. */
const [CLEAR, LIKELY, RIVAL] = [0.95, 0.8, 0.05]
/** A form that explains less of the variance than this does not fit. */
const GOOD = 0.9

/**
 * Which growth is it? Squares of relative errors, so that small networks count as much as large
 * ones; forms compared by Akaike's criterion; a form takes part only if its leading term is told
 * from zero and makes up a part of the largest value worth naming, since otherwise a faster form
 * with a tiny first coefficient would always fit as well as the true one.
 */
export function growthOf(points: readonly DataPoint[], variable = 'n', where = '--fit'): Growth {
  const different = new Set(points.map(({ x }) => x)).size
  if (different < FEWEST)
    throw new UsageError(
      where,
      `auto needs at least ${FEWEST} different values of ${variable}, but ${different} ${different === 1 ? 'was' : 'were'} swept.`,
      `Sweep more values of ${variable}, or name a form.`,
    )
  const candidates = candidatesFor(points, variable)
  const [{ growth, weight }] = candidates
  const positive = points.every(({ x, y }) => x > 0 && y > 0)
  const power = positive ? fitForm(powerOf(variable), points) : null
  if (power !== null && falls(power, points)) {
    const verdict = `falls as ${variable} grows, about like ${power.formula}`
    return { growth: power.form, certainty: 'open', verdict, candidates, power }
  }
  // The best of forms that all fit badly is no answer.
  const poor = (candidates[0].fit.r2 ?? 1) < GOOD
  const certainty = poor ? 'open' : weight >= CLEAR ? 'clear' : weight >= LIKELY ? 'likely' : 'open'
  return { growth, certainty, verdict: verdictOf(candidates, certainty), candidates, power }
}

/** The exponent is below 0 for sure, and over all that was measured it makes a difference. */
function falls({ coefficients, at }: Fit, points: readonly DataPoint[]): boolean {
  const xs = points.map(({ x }) => x)
  const ratio = at(Math.max(...xs)) / at(Math.min(...xs))
  return (coefficients[1].high ?? 0) < 0 && ratio < 1 - SHARE
}

function verdictOf([best, ...others]: readonly Candidate[], certainty: Certainty): string {
  const percent = ({ growth, weight }: Candidate) =>
    `${named(growth)} (${Math.round(weight * 100)} %)`
  const missed = best.fit.deviation!
  const near = missed < 1e-9 ? 'exactly' : `within ${digits(missed * 100)} %`
  const formula = `${best.fit.formula}, which fits ${near}`
  if (certainty === 'clear') return `${named(best.growth)}, clearly: ${formula}`
  const rivals = others.filter(({ weight }) => weight >= RIVAL).map(percent)
  const told = certainty === 'likely' ? 'likely' : 'perhaps'
  const doubt =
    rivals.length === 0 ? 'none fits well' : `cannot be told for sure from ${rivals.join(', ')}`
  return `${told} ${percent(best)}: ${formula}; ${doubt}`
}

const named = (growth: string) => (growth === '1' ? 'constant' : growth)

/** Kinds of growth that can be what was measured, best first. */
function candidatesFor(points: readonly DataPoint[], variable: string): Candidate[] {
  const last = points.reduce((a, b) => (b.x > a.x ? b : a))
  const kinds = KINDS.map((texts) => {
    const forms = texts.map((text) => readForm(text.replaceAll(/\bn\b/g, variable)) as Sum)
    const fits = forms.flatMap((form) => {
      const found = fitSum(form, points, 'relative')
      return found !== null && found.aicc !== null && leads(form, found, last) ? [found] : []
    })
    return { growth: forms[0].terms[0].name || '1', fits }
  })
  const best = Math.min(...kinds.flatMap(({ fits }) => fits.map(({ aicc }) => aicc!)))
  const odds = ({ aicc }: Fit) => Math.exp((best - aicc!) / 2)
  const sumOfOdds = (fits: readonly Fit[]) => fits.reduce((sum, one) => sum + odds(one), 0)
  const all = sumOfOdds(kinds.flatMap(({ fits }) => fits))
  return kinds
    .filter(({ fits }) => fits.length > 0)
    .map(({ growth, fits }) => ({
      growth,
      weight: sumOfOdds(fits) / all,
      fit: fits.reduce((a, b) => (b.aicc! < a.aicc! ? b : a)),
    }))
    .sort((a, b) => b.weight - a.weight)
}

function leads(form: Sum, { coefficients }: Fit, last: DataPoint): boolean {
  const [term] = form.terms
  if (term.name === '') return true
  const { value, low } = coefficients[0]
  if (low === null || low <= 0) return false
  return value * term.at(last.x) >= SHARE * Math.abs(last.y)
}
