import { UsageError } from '../../core/index.ts'
import { digits } from '../../core/text-format.ts'
import { type DataPoint, type Fit, fitForm, fitSum } from './fit.ts'
import { readForm } from './form-text.ts'
import { powerOf, type Sum } from './forms.ts'

/** How certain an answer is: the alternatives are refuted, much less likely, or fit as well. */
export type Certainty = 'clear' | 'likely' | 'open'

/** One growth class, with the best of its fits. */
export interface Candidate {
  /** `n log2 n`; `1` for a constant. */
  readonly growth: string
  /** The Akaike weight: the probability that this class is the best of all candidates. */
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
  /** The power law through the same points, if all are positive. */
  readonly power: Fit | null
}

/**
 * Growth classes, slow ones first. The leading term may come with a constant or with the next
 * slower term: Hirschberg-Sinclair on a bit-reversal ring sends 3 n log2 n + 2 n messages, which is
 * of class n log n.
 */
const CLASSES: readonly (readonly string[])[] = [
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

/** Fewer points cannot refute a form with two coefficients. */
const FEWEST = 5
/** A leading term must make up at least this share of the largest value. */
const SHARE = 0.2
/** Akaike weights from which an answer is clear or likely, and an alternative worth naming. */
const [CLEAR, LIKELY, ALTERNATIVE] = [0.95, 0.8, 0.05]
/** A form with a smaller R² does not fit. */
const GOOD = 0.9

/**
 * Determines the growth class. Relative errors are squared, so that small networks count as much as
 * large ones, and forms are compared by Akaike's criterion. A form is a candidate only if its
 * leading coefficient differs significantly from zero and its leading term makes up a relevant
 * share of the largest value; otherwise a faster form with a tiny coefficient would always fit as
 * well as the true one.
 */
export function growthOf(points: readonly DataPoint[], variable = 'n', where = 'fit'): Growth {
  const different = new Set(points.map(({ x }) => x)).size
  if (different < FEWEST)
    throw new UsageError(
      where,
      `auto needs at least ${FEWEST} different values of ${variable}, but there ${different === 1 ? 'is' : 'are'} ${different}.`,
      `Sweep more values of ${variable}, or name a form.`,
    )
  const candidates = candidatesFor(points, variable)
  const [{ growth, weight }] = candidates
  const positive = points.every(({ x, y }) => x > 0 && y > 0)
  const power = positive ? fitForm(powerOf(variable), points) : null
  if (power !== null && falls(power, points)) {
    const verdict = `falls as ${variable} grows, roughly like ${power.formula}`
    return { growth: power.form, certainty: 'open', verdict, candidates, power }
  }
  // If all forms fit badly, the best of them is no answer.
  const poor = (candidates[0].fit.r2 ?? 1) < GOOD
  const certainty = poor ? 'open' : weight >= CLEAR ? 'clear' : weight >= LIKELY ? 'likely' : 'open'
  return { growth, certainty, verdict: verdictOf(candidates, certainty), candidates, power }
}

/** Whether the exponent is significantly negative, and relevant over the measured range. */
function falls({ coefficients, at }: Fit, points: readonly DataPoint[]): boolean {
  const xs = points.map(({ x }) => x)
  const ratio = at(Math.max(...xs)) / at(Math.min(...xs))
  return (coefficients[1].high ?? 0) < 0 && ratio < 1 - SHARE
}

/** `grows like n log2 n (clear); best fit 0.683 n log2 n, residual standard error 2.38 %` */
function verdictOf([best, ...others]: readonly Candidate[], certainty: Certainty): string {
  const percent = ({ weight }: Candidate) => `${Math.round(weight * 100)} %`
  const claim = best.growth === '1' ? 'is constant' : `grows like ${best.growth}`
  const deviation = best.fit.deviation!
  const error = deviation < 1e-9 ? 'exact' : `residual standard error ${digits(deviation * 100)} %`
  const fit = `best fit ${best.fit.formula}, ${error}`
  if (certainty === 'clear') return `${claim} (clear); ${fit}`
  const alternatives = others
    .filter(({ weight }) => weight >= ALTERNATIVE)
    .map((one) => `${one.growth === '1' ? 'constant' : one.growth} (${percent(one)})`)
  const doubt =
    alternatives.length === 0
      ? 'no form fits well'
      : `${alternatives.join(', ')} cannot be ruled out`
  const adverb = certainty === 'likely' ? 'probably' : 'possibly'
  return `${adverb} ${claim} (${percent(best)}); ${fit}; ${doubt}`
}

/** The growth classes that are consistent with the measurements, best first. */
function candidatesFor(points: readonly DataPoint[], variable: string): Candidate[] {
  const last = points.reduce((a, b) => (b.x > a.x ? b : a))
  const classes = CLASSES.map((texts) => {
    const forms = texts.map((text) => readForm(text.replaceAll(/\bn\b/g, variable)) as Sum)
    const fits = forms.flatMap((form) => {
      const found = fitSum(form, points, 'relative')
      return found !== null && found.aicc !== null && leads(form, found, last) ? [found] : []
    })
    return { growth: forms[0].terms[0].name || '1', fits }
  })
  const best = Math.min(...classes.flatMap(({ fits }) => fits.map(({ aicc }) => aicc!)))
  const odds = ({ aicc }: Fit) => Math.exp((best - aicc!) / 2)
  const sumOfOdds = (fits: readonly Fit[]) => fits.reduce((sum, one) => sum + odds(one), 0)
  const all = sumOfOdds(classes.flatMap(({ fits }) => fits))
  return classes
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
