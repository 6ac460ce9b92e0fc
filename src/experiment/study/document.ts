import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { DOCUMENT_FIELDS, withOwnNames } from '../../options/experiment.ts'
import { integer, text, unexpected } from '../../options/reading.ts'
import { shortTexts } from '../../options/scenario.ts'
import { DEFAULT_SIZE } from '../../scenario/fields/sized-network.ts'
import type { FieldLocator, ScenarioInput } from '../../scenario/index.ts'
import { SCENARIO_FIELDS } from '../../scenario/scenario.ts'
import { fitForm } from '../statistics/fit.ts'
import { readFit } from '../statistics/form-text.ts'
import type { Form } from '../statistics/forms.ts'
import { growthOf } from '../statistics/growth.ts'
import { type Claim, readClaims } from './claims.ts'
import { defaultMeasures, isBound, readMeasure } from './measures.ts'
import { type OwnMeasures, readOwnMeasures } from './own-measures.ts'
import { readSweptValues, type SweepPoint, type Swept, scenarioAt, sweptShares } from './sweep.ts'

/** An experiment as one document: what is run, swept, measured, fitted and claimed. */
export interface Experiment {
  readonly title: string
  /** What the results mean, in the author's words. */
  readonly discussion: string
  /** The scenario at every point, without the swept fields. */
  readonly base: ScenarioInput
  readonly sweep: Readonly<Record<string, readonly Swept[]>>
  /** The number of runs per point, each with its own seed; or all permutations of the ids. */
  readonly repeat: number | 'all'
  readonly seed: number
  readonly measures: readonly string[]
  /** Measures that the document brings along, if any. */
  readonly ownMeasures?: OwnMeasures
  /** `messages ~ n log2 n`, `time ~ auto`. */
  readonly fits: readonly string[]
  /** The swept field along which growth is measured; null if no number is swept. */
  readonly x: string | null
  /** Which axes of the figures are logarithmic; by default x, if it is swept by a factor. */
  readonly log: readonly ('x' | 'y')[]
  readonly claims: readonly Claim[]
  /** Violated properties are expected: they are counted, and the experiment does not fail. */
  readonly mayFail: boolean
}

/** An experiment as users write it; every field but base has a default. */
export interface ExperimentDocument {
  readonly title?: string
  readonly discussion?: string
  readonly base: ScenarioInput
  readonly sweep?: Readonly<Record<string, unknown>>
  readonly repeat?: number | 'all'
  readonly seed?: number
  /** What is measured: `'messages'`, `'time'`, `'messages/n'`, ... */
  readonly measure?: readonly string[] | string
  /** The same as `measure`. */
  readonly measures?: readonly string[] | string
  /** Measures of its own, by name: functions of the result of a run. */
  readonly ownMeasures?: OwnMeasures
  /** Which growth is fitted: `'messages ~ n log2 n'`, or `'auto'` for the best of several. */
  readonly fit?: readonly string[] | string
  /** The same as `fit`. */
  readonly fits?: readonly string[] | string
  readonly x?: string
  readonly log?: readonly ('x' | 'y')[] | 'none'
  readonly claims?: readonly Claim[]
  readonly mayFail?: boolean
  /** What differs in a quick run, for a first look and for tests. */
  readonly quick?: Omit<Partial<ExperimentDocument>, 'quick' | 'claims'>
}

/** All permutations of this many ids still take only seconds. */
const MOST_PERMUTED = 9
/** More names do not fit into a title. */
const MOST_NAMED = 4

/** Reads a document and fills in the defaults. */
export function readExperiment(
  document: ScenarioInput,
  place: FieldLocator,
  /** Whether a name is that of an aggregation; by default the catalogue says it. */
  aggregates?: (name: unknown) => boolean,
): Experiment {
  const [given, where] = withOwnNames(document, place)
  const stranger = Object.keys(given).find((name) => !DOCUMENT_FIELDS.includes(name))
  if (stranger !== undefined) {
    throw new UsageError(
      where(stranger),
      `an experiment has no field ${quoted(stranger)}.`,
      `The fields are ${DOCUMENT_FIELDS.join(', ')}; fields of a single run belong under base.`,
    ).withCandidates(stranger, DOCUMENT_FIELDS)
  }
  const example = { algorithm: 'lcr', ids: 'decreasing' }
  const base = shortTexts(
    recordOf(where('base'), given.base, example),
    (field) => `${where('base')}.${field}`,
  )
  const other = Object.keys(base).find((name) => !SCENARIO_FIELDS.includes(name))
  if (other !== undefined)
    throw new UsageError(
      `${where('base')}.${other}`,
      `a scenario has no field ${quoted(other)}.`,
      `The fields are ${SCENARIO_FIELDS.join(', ')}.`,
    ).withCandidates(other, SCENARIO_FIELDS)
  const ranges = recordOf(where('sweep'), given.sweep ?? {}, { n: '2..100' })
  const sweep = Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [
      name,
      readSweptValues(where('sweep'), range, name === 'cut'),
    ]),
  )
  const ownMeasures = readOwnMeasures(where('ownMeasures'), given.ownMeasures)
  const own = Object.keys(ownMeasures)
  const listed = listOf(given.measure ?? defaultMeasures(base, sweep, aggregates)).map(String)
  const measures = [...new Set([...listed, ...own])].map((name) =>
    readMeasure(where('measure'), name, own),
  )
  const x = readX(where('x'), given.x, sweep)
  const fits = readFits(where('fit'), given.fit ?? [], { measures, own, sweep, x })
  const experiment: Experiment = {
    title: given.title === undefined ? titleOf(base, sweep) : text(where('title'), given.title, ''),
    discussion: given.discussion === undefined ? '' : String(given.discussion).trim(),
    base,
    sweep,
    repeat: readRepeat(where('repeat'), given.repeat ?? 1),
    seed: integer(where('seed'), given.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
    measures: [...new Set([...measures, ...fits.map((fit) => fit.split(' ~ ')[0])])],
    ...(own.length > 0 && { ownMeasures }),
    fits,
    x,
    log: readLog(where('log'), given.log ?? (isGeometric(sweep[x ?? '']) ? 'x' : [])),
    claims: readClaims(where('claims'), given.claims ?? []),
    mayFail: given.mayFail === true,
  }
  refuseUnknownSweeps(experiment, where('sweep'))
  sweptShares(base, sweep, where('sweep'))
  refuseManyPermutations(experiment, where)
  refuseFitOfNothing(experiment, where)
  refuseFewPoints(experiment, where)
  refuseTwice(experiment, where)
  return experiment
}

/** The line of a figure that a point belongs to: the values of all fields but x. */
export function seriesOf({ x }: Pick<Experiment, 'x'>, point: SweepPoint): string {
  return Object.entries(point)
    .filter(([name]) => name !== x)
    .map(([name, value]) => (name === 'algorithm' ? String(value) : `${name} ${value}`))
    .join(', ')
}

/** What is run and swept: `lcr, peterson by n`; many algorithms are only counted. */
function titleOf(base: ScenarioInput, sweep: Experiment['sweep']): string {
  const swept = sweep.algorithm?.map(String) ?? [String(base.algorithm)]
  const names = swept.length > MOST_NAMED ? `${swept.length} algorithms` : swept.join(', ')
  const over = Object.keys(sweep).filter((field) => field !== 'algorithm')
  return over.length === 0 ? names : `${names} by ${over.join(' and ')}`
}

function recordOf(where: string, given: unknown, example: ScenarioInput): ScenarioInput {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as ScenarioInput
  throw unexpected(where, 'an object', given, `Write for example ${JSON.stringify(example)}.`)
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

/** Reads `messages ~ n`; `auto` alone applies to every measure. */
function readFits(
  where: string,
  given: unknown,
  { measures, own, sweep, x }: FitContext,
): string[] {
  return listOf(given).flatMap((one) => {
    const { measure, form } = readFit(String(one), where)
    if (form !== null && x !== null) refuseOtherVariable(form, x, numbersIn(sweep), where)
    const name = form === null ? 'auto' : readableName(form)
    if (measure !== null) return [`${readMeasure(where, measure, own)} ~ ${name}`]
    return measures.filter((of) => !isBound(of)).map((of) => `${of} ~ ${name}`)
  })
}

/** What the fits of a document may be about. */
interface FitContext extends Pick<Experiment, 'measures' | 'sweep' | 'x'> {
  readonly own: readonly string[]
}

/** Numbers of one field must not be fitted as if they were those of another. */
function refuseOtherVariable(form: Form, x: string, swept: readonly string[], where: string): void {
  const { variable } = form
  const isConstant = form.kind === 'sum' && form.terms.every(({ name }) => name === '')
  if (variable === x || isConstant) return
  const fit = `the fit "${form.name}" is along ${variable}`
  if (swept.includes(variable))
    throw new UsageError(where, `${fit}, but x is ${x}.`, `Choose it with --x ${variable}.`)
  throw new UsageError(
    where,
    `${fit}, which is not swept; swept numbers are ${swept.join(' and ')}.`,
    `Write the form with ${x}.`,
  ).withCandidates(variable, swept)
}

/** The name of a form, from which the same form is read again: without a constant it has a 0. */
function readableName(form: Form): string {
  const free = form.kind === 'sum' && form.terms.every((term) => term.name !== '')
  return free ? `0 + ${form.name}` : form.name
}

function readRepeat(where: string, given: unknown): Experiment['repeat'] {
  return given === 'all' ? 'all' : integer(where, given, 1, 1_000_000, 'a number of repeats')
}

function numbersIn(sweep: Experiment['sweep']): string[] {
  return Object.keys(sweep).filter((name) =>
    sweep[name].every((value) => typeof value === 'number'),
  )
}

function readX(where: string, given: unknown, sweep: Experiment['sweep']): string | null {
  const numeric = numbersIn(sweep)
  if (given === undefined) {
    const longest = numeric.toSorted((a, b) => sweep[b].length - sweep[a].length)
    return numeric.includes('n') ? 'n' : (longest[0] ?? null)
  }
  const found = numeric.find((name) => name === given)
  if (found !== undefined) return found
  const hint = 'Name the field along which growth is measured.'
  if (numeric.length === 1)
    throw new UsageError(where, `only ${numeric[0]} is swept, not ${quoted(given)}.`, hint)
  const expected = numeric.length === 0 ? 'a swept number' : `one of ${numeric.join(', ')}`
  throw unexpected(where, expected, given, hint)
}

function readLog(where: string, given: unknown): Experiment['log'] {
  const axes = listOf(given)
    .flatMap((axis) => String(axis).split(','))
    .filter((axis) => axis !== '' && axis !== 'none')
  const wrong = axes.find((axis) => axis !== 'x' && axis !== 'y')
  if (wrong === undefined) return axes as Experiment['log']
  throw unexpected(where, 'x, y, both or none', wrong, 'Write x,y.')
}

/** At least three values, each the same multiple of the one before: powers, or 10, 20, 40. */
function isGeometric(values: readonly Swept[] = []): boolean {
  const sorted = values.map(Number).toSorted((a, b) => a - b)
  const factors = sorted.slice(1).map((value, i) => value / sorted[i])
  const alike = factors.every((factor) => Math.abs(factor / factors[0] - 1) < 0.01)
  return factors.length > 1 && sorted[0] > 0 && factors[0] >= LEAST_FACTOR && alike
}

/** Values that are closer, such as 99, 100 and 101, are as clear on a linear axis. */
const LEAST_FACTOR = 1.2

function refuseManyPermutations({ repeat, base, sweep }: Experiment, where: FieldLocator): void {
  if (repeat !== 'all') return
  const given = ['ids', 'topology'].find((field) => base[field] !== undefined || sweep[field])
  if (given !== undefined) {
    throw new UsageError(
      where('repeat'),
      `all permutations need the default network of n nodes, but ${given} is given.`,
      `Leave out ${given}, and give or sweep n.`,
    )
  }
  const sizes = sweep.n ?? [(base.n ?? DEFAULT_SIZE) as Swept]
  const wrong = sizes.find((n) => !(Number(n) >= 1 && Number(n) <= MOST_PERMUTED))
  if (wrong === undefined) return
  throw new UsageError(
    where('repeat'),
    `all permutations need an n from 1 to ${MOST_PERMUTED}, but n is ${wrong}.`,
    'Use a smaller n, or a number of repeats.',
  )
}

function refuseFitOfNothing({ fits, x }: Experiment, where: FieldLocator): void {
  if (x !== null || fits.length === 0) return
  throw new UsageError(
    where('fit'),
    'a fit needs a swept number.',
    'Sweep one, for example n=2..100.',
  )
}

/** Fits made-up means first, so that too few points are rejected before anything runs. */
function refuseFewPoints({ fits, x, sweep }: Experiment, where: FieldLocator): void {
  const xs = x === null ? [] : sweep[x].map(Number)
  const points = xs.map((at) => ({ x: at, y: at ** 2 + 1 }))
  for (const question of fits) {
    const { form } = readFit(question)
    if (form === null) growthOf(points, x ?? 'n', where('fit'))
    else fitForm(form, points, 'absolute', where('fit'))
  }
}

/** A swept name is a field, a parameter, or stands in braces in another field. */
function refuseUnknownSweeps({ base, sweep }: Experiment, where: string): void {
  const known = (name: string) =>
    SCENARIO_FIELDS.includes(name) || !Object.hasOwn(scenarioAt(base, { [name]: 0 }), name)
  const stranger = Object.keys(sweep).find((name) => !known(name))
  if (stranger === undefined) return
  throw new UsageError(
    where,
    `there is no field ${quoted(stranger)}.`,
    `Sweep a field such as n or loss, a parameter (set.${stranger}), or write {${stranger}} in another field.`,
  ).withCandidates(stranger, SCENARIO_FIELDS)
}

function refuseTwice({ base, sweep }: Experiment, where: FieldLocator): void {
  for (const [name, values] of Object.entries(sweep)) {
    const texts = values.map(String)
    const twice = texts.find((text, i) => texts.indexOf(text) < i)
    const double = base[name] !== undefined && name !== 'algorithm'
    if (twice === undefined && !double) continue
    throw new UsageError(
      where('sweep'),
      twice === undefined
        ? `${name} is both swept and given one value.`
        : `${name} has the value ${twice} twice.`,
      'Remove one of the two.',
    )
  }
}

export function repeatsAt(experiment: Experiment, point: SweepPoint): number {
  if (experiment.repeat !== 'all') return experiment.repeat
  let permutations = 1
  for (let k = 2; k <= sizeAt(experiment, point); k++) permutations *= k
  return permutations
}

/** The number of nodes of the default network at a point. */
export function sizeAt({ base }: Experiment, point: SweepPoint): number {
  return Number(point.n ?? base.n ?? DEFAULT_SIZE)
}
