import { UsageError } from '../../core/index.ts'
import { digits, grouped } from '../../core/text-format.ts'
import { type Coefficient, type Fit, fitForm, fitSum, UNLIKELY } from './fit.ts'
import { readForm } from './form-text.ts'
import { CONSTANT, type FormTerm, powerOf, type Sum, sumForm } from './forms.ts'
import { type DataPoint, noiseOf, sumOf as total } from './noise.ts'

/** How certain an answer is: everything else that was tried is refuted, or not. */
export type Certainty = 'clear' | 'open'

/** One growth law, with the best of its fits. */
export interface Candidate {
  /** `n log2 n`; `1` for a constant. */
  readonly growth: string
  /** The Akaike weight: its share among all candidates. */
  readonly weight: number
  /** Whether it is exact, or deviates from the means by no more than chance. */
  readonly fits: boolean
  readonly fit: Fit
}

export interface Growth {
  readonly growth: string
  readonly certainty: Certainty
  /** One sentence for a reader. */
  readonly verdict: string
  /** The fit that the verdict tells. */
  readonly fit: Fit
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** The power law through the same points, if all are positive. */
  readonly power: Fit | null
}

/** The laws that may be named, slow ones first, with the functions that grow like them. */
const NAMED = (
  '1, log2(n) ~ H(n), log2(n)^2, sqrt(n), n, n log2(n) ~ n H(n), ' +
  'n^1.5, n^2, n^2 log2(n), n^3, 2^n'
).split(', ')

/** Other laws, which are only rivals: if one of them fits as well, no law is clear. */
const RIVALS = (
  'log2(n)^0.5, log2(n)^1.5, log2(n)^3, n^0.25, sqrt(n) log2(n), n^0.75, n^0.9, ' +
  'n log2(n)^-1, n log2(n)^0.5, n log2(n)^2, n^1.1, n^1.25, n^1.5 log2(n), n^1.75, ' +
  'n^2 log2(n)^-1, n^2.25, n^2.5, n^3 log2(n), n^4'
).split(', ')

/** Fewer points cannot refute a form with two coefficients. */
const POINTS_MIN = 5
/** A leading term must make up at least this share of the largest value, to name the best form. */
const SHARE = 0.2
/** A faster term that may make up a larger share of the largest value is not excluded. */
const EXCLUDED = 0.1
/** A smaller share is rounding error. */
const FAINT = 1e-8
/** A form that misses a value by a larger share does not describe the data. */
const HOPELESS = 0.5
/** Rivals that are listed. */
const MOST_RIVALS = 4

interface Law {
  readonly name: string
  readonly named: boolean
  readonly terms: readonly FormTerm[]
}

interface Attempt {
  readonly law: Law
  readonly form: Sum
  readonly fit: Fit
  readonly fits: boolean
  /** The share of the leading term in the largest value. */
  readonly share: number
}

/**
 * Determines the growth law. Every law is fitted alone and with a slower one. One is clear if it
 * fits exactly, or within the spread of the repeats, if no other law does, and if no faster law can
 * make up a relevant share beside it. Otherwise the best form only describes the measured range.
 */
export function growthOf(points: readonly DataPoint[], variable = 'n', where = 'fit'): Growth {
  refuse(points, variable, where)
  const laws = lawsOf(variable)
  const attempts = attemptsAt(points, laws, variable)
  const candidates = candidatesOf(attempts)
  const positive = points.every(({ x, y }) => x > 0 && y > 0)
  const power = positive ? fitForm(powerOf(variable), points) : null
  const like = (what: string): Growth => {
    const verdict = `${what}, roughly like ${power!.formula}`
    const answer = { growth: power!.form, certainty: 'open' as const, verdict, fit: power! }
    return { ...answer, candidates, power }
  }
  if (power !== null && falls(power, points)) return like(`falls as ${variable} grows`)
  if (!candidates.some(({ fits }) => fits) && power !== null && isSteep(points, variable))
    return like(`grows faster than every form tried${isExponential(points) ? '' : ' but 2^n'}`)
  const [{ growth, fit }] = candidates
  const constant = growth === '1'
  const doubt = doubtOf(points, { attempts, laws, power }, candidates[0])
  if (doubt === null) {
    const quality = fit.exact ? 'exact' : `lack of fit p = ${digits(fit.lackOfFit!)}`
    const is = constant ? 'is constant' : `grows like ${growth}`
    const verdict = `${is} (clear); best fit ${fit.formula}, ${quality}`
    return { growth, certainty: 'clear', verdict, fit, candidates, power }
  }
  const miss = missOf(fit, points)
  const lost = !candidates[0].fits && miss > HOPELESS ? 'like no form tried, best ' : ''
  const is = `${lost}${constant ? 'constant' : `like ${growth}`}`
  const off = fit.exact ? 'exact' : `off by at most ${digits(miss * 100)} %`
  const verdict = `${rangeOf(points, variable)} ${is}: ${fit.formula}, ${off}; ${doubt}`
  return { growth, certainty: 'open', verdict, fit, candidates, power }
}

function refuse(points: readonly DataPoint[], variable: string, where: string): void {
  const different = new Set(points.map(({ x }) => x)).size
  if (different < POINTS_MIN)
    throw new UsageError(
      where,
      `auto needs at least ${POINTS_MIN} different values of ${variable}, but there ${different === 1 ? 'is' : 'are'} ${different}.`,
      `Sweep more values of ${variable}, or name a form.`,
    )
  const negative = points.find(({ y }) => y < 0)
  if (negative !== undefined)
    throw new UsageError(
      where,
      `only positive values have a growth law, but at ${variable} = ${negative.x} the mean is ${digits(negative.y)}.`,
      'Name a form.',
    )
}

/** All laws, the named ones first, slow ones first. */
function lawsOf(variable: string): Law[] {
  const termOf = (text: string): FormTerm => {
    if (text === '1') return CONSTANT
    const [{ name, at }] = (readForm(`0 + ${text}`) as Sum).terms
    return { name: name.replaceAll(/\bn\b/g, variable), at }
  }
  return [...NAMED, ...RIVALS].map((text, i) => {
    const terms = text.split(' ~ ').map(termOf)
    return { name: terms[0].name || '1', named: i < NAMED.length, terms }
  })
}

/** Every law alone and with a slower named one; exact data determine a third term. */
function attemptsAt(
  points: readonly DataPoint[],
  laws: readonly Law[],
  variable: string,
): Attempt[] {
  const noise = noiseOf(points)
  const last = points.reduce((a, b) => (b.x > a.x ? b : a))
  const attempt = (law: Law, terms: readonly FormTerm[]): Attempt[] => {
    const form = sumForm(variable, terms)
    const fit = fitSum(form, points, 'relative', noise)
    if (fit === null || fit.aicc === null) return []
    const [leading] = fit.coefficients
    const share = Math.abs((leading.value * terms[0].at(last.x)) / last.y)
    const leads = terms[0] === CONSTANT || (leading.value > 0 && isSure(leading) && share > FAINT)
    const fits = noise === null ? fit.exact : fit.lackOfFit! >= UNLIKELY
    return leads ? [{ law, form, fit, fits, share }] : []
  }
  const slower = (law: Law) =>
    laws.filter((one) => one.named && isSlower(one, law)).map(({ terms }) => terms[0])
  const simple = laws.flatMap((law) =>
    law.terms.flatMap((term) => [
      ...attempt(law, [term]),
      ...slower(law).flatMap((second) => attempt(law, [term, second])),
    ]),
  )
  if (noise !== null || simple.some(({ fits }) => fits)) return simple
  const triple = laws
    .filter(({ named }) => named)
    .flatMap((law) => {
      const below = slower(law)
      return below.flatMap((second, i) =>
        below.slice(0, i).flatMap((third) => attempt(law, [law.terms[0], second, third])),
      )
    })
  return [...simple, ...triple.filter(({ fits }) => fits)]
}

function isSlower(one: Law, other: Law): boolean {
  return one.terms[0].at(FAR) < other.terms[0].at(FAR)
}

/** Where every law exceeds the slower ones. */
const FAR = 1e60

/** The named laws, best first; those that do not fit only if their leading term is relevant. */
function candidatesOf(attempts: readonly Attempt[]): Candidate[] {
  const relevant = attempts.filter(
    ({ law, fits, share }) => law.named && (fits || law.terms[0] === CONSTANT || share >= SHARE),
  )
  const best = Math.min(...relevant.map(({ fit }) => fit.aicc!))
  const odds = (of: readonly Attempt[]) =>
    total(of.map(({ fit }) => Math.exp((best - fit.aicc!) / 2)))
  const all = odds(relevant)
  return [...new Set(relevant.map(({ law }) => law.name))]
    .map((growth) => {
      const of = relevant.filter(({ law }) => law.name === growth)
      const { fits, fit } = of.toSorted(byQuality)[0]
      return { growth, weight: odds(of) / all, fits, fit }
    })
    .sort((a, b) => Number(b.fits) - Number(a.fits) || b.weight - a.weight)
}

function byQuality(a: Attempt, b: Attempt): number {
  return Number(b.fits) - Number(a.fits) || a.fit.aicc! - b.fit.aicc!
}

/** Whether the exponent is significantly negative, and relevant over the measured range. */
function falls({ coefficients, at }: Fit, points: readonly DataPoint[]): boolean {
  const xs = points.map(({ x }) => x)
  const ratio = at(Math.max(...xs)) / at(Math.min(...xs))
  return (coefficients[1].high ?? 0) < 0 && ratio < 1 - SHARE
}

/**
 * Whether the upper half of the points grows faster than n^3: as a power law does, or between any
 * two of them. What grows exponentially is no power law, so that its exponent has a wide interval.
 */
function isSteep(points: readonly DataPoint[], variable: string): boolean {
  const upper = points.toSorted((a, b) => a.x - b.x).slice(-Math.ceil(points.length / 2))
  if (fitForm(powerOf(variable), upper).coefficients[1].low! > 3) return true
  return upper.slice(1).every(({ x, y }, i) => y / upper[i].y > (x / upper[i].x) ** STEEP)
}

/** Steeper than an n^3 that single noisy runs distort. */
const STEEP = 4

/** Whether the largest points grow at least like 2^n. */
function isExponential(points: readonly DataPoint[]): boolean {
  const [one, other] = points.toSorted((a, b) => b.x - a.x)
  return Math.log2(one.y / other.y) >= one.x - other.x
}

interface Tried {
  readonly attempts: readonly Attempt[]
  readonly laws: readonly Law[]
  readonly power: Fit | null
}

/** Why the best law is not clear; null if it is. */
function doubtOf(
  points: readonly DataPoint[],
  { attempts, laws, power }: Tried,
  { growth, fits, fit }: Candidate,
): string | null {
  const fitting = attempts.filter((one) => one.fits && one.law.name !== growth).toSorted(byQuality)
  const [own] = laws.find(({ name }) => name === growth)!.terms
  const other = power === null ? [] : otherPower(power, own)
  const others = fitting.map(({ law }) => (law.name === '1' ? 'a constant' : law.name))
  const rivals = [...new Set([...other, ...others])]
  const listed = rivals.slice(0, MOST_RIVALS).join(', ')
  const more = rivals.length > MOST_RIVALS ? ` and ${rivals.length - MOST_RIVALS} more` : ''
  const verb = rivals.length === 1 ? 'fits' : 'fit'
  if (rivals.length > 0) return `${listed}${more} ${verb}${fits ? ' as well' : ''}`
  if (fits) return fit.errors === 'measured' ? fasterBeside(points, attempts, laws, fit) : null
  if (fit.errors === 'measured') return 'no form tried fits within the spread of the runs'
  const repeated = points.every(({ summary }) => summary !== undefined && summary.count > 1)
  return `no form tried is exact${repeated ? '' : ', and single runs do not show their spread'}`
}

/** The power law, if it fits and its exponent is not that of a term. */
function otherPower({ form, coefficients, exact, lackOfFit }: Fit, { at }: FormTerm): string[] {
  if (!exact && (lackOfFit ?? 0) < UNLIKELY) return []
  const [, { name, value, low, high }] = coefficients
  const [exponent, later] = [Math.log2(at(8) / at(4)), Math.log2(at(64) / at(32))]
  const off = { name, value: value - exponent, low: low! - exponent, high: high! - exponent }
  const same = Math.abs(exponent - later) < FAINT && (Math.abs(off.value) < FAINT || !isSure(off))
  return same ? [] : [form.replace(/k$/, digits(value))]
}

/** Whether an interval of about 99 % excludes 0: some twenty laws are tried. */
function isSure({ value, low, high }: Coefficient): boolean {
  if (low === null || high === null) return false
  const reach = value > 0 ? value - low : high - value
  return Math.abs(value) > WIDER * reach
}

const WIDER = 1.35

/** The faster law that may make up a relevant share beside a form; null if none may. */
function fasterBeside(
  points: readonly DataPoint[],
  attempts: readonly Attempt[],
  laws: readonly Law[],
  fit: Fit,
): string | null {
  const { law, form } = attempts.find((one) => one.fit === fit)!
  const noise = noiseOf(points)
  const last = points.reduce((a, b) => (b.x > a.x ? b : a))
  for (const faster of laws.filter(
    (one) => isSlower(law, one) && (one.named || one.name.endsWith('^4')),
  )) {
    const [term] = faster.terms
    // 2^n exceeds all numbers from n = 1,024 on.
    if (!Number.isFinite(term.at(last.x))) continue
    const both = fitSum(sumForm(form.variable, [term, ...form.terms]), points, 'relative', noise)
    if (both === null) return `there are too few points to exclude ${faster.name}`
    const [leading] = both.coefficients
    if (isSure(leading)) return `with ${faster.name} beside it, it fits better`
    const share = (leading.high! * term.at(last.x)) / last.y
    if (share > EXCLUDED) {
      const most = `${faster.name} may be up to ${digits(share * 100)} %`
      return `${most} of the value at the largest ${form.variable}`
    }
  }
  return null
}

function rangeOf(points: readonly DataPoint[], variable: string): string {
  const xs = points.map(({ x }) => x)
  return `between ${variable} = ${grouped(Math.min(...xs))} and ${grouped(Math.max(...xs))}`
}

/** The largest relative error of a fit. */
function missOf({ at }: Fit, points: readonly DataPoint[]): number {
  return Math.max(...points.map(({ x, y }) => (y === 0 ? 0 : Math.abs(at(x) / y - 1))))
}
