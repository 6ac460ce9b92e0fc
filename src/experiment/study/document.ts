import { UsageError } from '../../core/index.ts'
import { integer, quoted, text } from '../../scenario/fields/reading.ts'
import { DEFAULT_SIZE } from '../../scenario/fields/sized-network.ts'
import type { FieldLocator, ScenarioInput } from '../../scenario/index.ts'
import { fitForm } from '../statistics/fit.ts'
import { readFit } from '../statistics/form-text.ts'
import { growthOf } from '../statistics/growth.ts'
import { type Claim, readClaims } from './claims.ts'
import { defaultMeasures, isBound, readMeasure } from './measures.ts'
import { readValues, type SweepPoint, type Swept } from './sweep.ts'

/** An experiment as one document: what is run, what is swept, measured and asked of it. */
export interface Experiment {
  readonly title: string
  /** What the figures and the verdict mean, in the author's words. */
  readonly discussion: string
  /** The scenario at every point, but for what is swept. */
  readonly base: ScenarioInput
  readonly sweep: Readonly<Record<string, readonly Swept[]>>
  /** How often each point is run, each time with a seed of its own; or over every arrangement. */
  readonly repeat: number | 'all'
  readonly seed: number
  readonly measures: readonly string[]
  /** `messages ~ n log2 n`, `time ~ auto`. */
  readonly fits: readonly string[]
  /** The swept field along which growth is measured; null where no number is swept. */
  readonly x: string | null
  /** Which axes of the figures are logarithmic. */
  readonly log: readonly ('x' | 'y')[]
  readonly claims: readonly Claim[]
  /** Runs that break a property are what is looked for: they are counted, and no fault. */
  readonly mayFail: boolean
}

/** An experiment as it is written: what is left out has a default. */
export interface ExperimentDocument {
  readonly title?: string
  readonly discussion?: string
  readonly base: ScenarioInput
  readonly sweep?: Readonly<Record<string, unknown>>
  readonly repeat?: number | 'all'
  readonly seed?: number
  readonly measures?: readonly string[]
  readonly fits?: readonly string[]
  readonly x?: string
  readonly log?: readonly ('x' | 'y')[]
  readonly claims?: readonly Claim[]
  readonly mayFail?: boolean
  /** What is different with --quick, for a first look and for tests. */
  readonly quick?: Omit<Partial<ExperimentDocument>, 'quick' | 'claims'>
}

const FIELDS = [
  'title',
  'discussion',
  'base',
  'sweep',
  'repeat',
  'seed',
  'measures',
  'fits',
  'x',
  'log',
  'claims',
  'mayFail',
  'quick',
]

/** Every arrangement of so many ids is still a matter of seconds. */
const MOST_ARRANGED = 9

/** Reads what a file or the flags say, and writes every default out. */
export function readExperiment(given: ScenarioInput, where: FieldLocator): Experiment {
  const stranger = Object.keys(given).find((name) => !FIELDS.includes(name))
  if (stranger !== undefined) {
    throw new UsageError(
      where(stranger),
      `an experiment has the fields ${FIELDS.join(', ')}, but ${quoted(stranger)} was given.`,
      'Correct the name; what belongs to a single run goes under base.',
    )
  }
  const base = recordOf(where('base'), given.base, { algorithm: 'lcr', ids: 'decreasing' })
  const ranges = recordOf(where('sweep'), given.sweep ?? {}, { n: '2..100' })
  const sweep = Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [name, readValues(where('sweep'), range)]),
  )
  const measures = [
    ...new Set(listOf(given.measures ?? defaultMeasures(base, sweep)).map(String)),
  ].map((name) => readMeasure(where('measures'), name))
  const fits = readFits(where('fits'), given.fits ?? [], measures)
  const experiment: Experiment = {
    title: given.title === undefined ? titleOf(base, sweep) : text(where('title'), given.title, ''),
    discussion: given.discussion === undefined ? '' : String(given.discussion).trim(),
    base,
    sweep,
    repeat: readRepeat(where('repeat'), given.repeat ?? 1),
    seed: integer(where('seed'), given.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
    measures: [...new Set([...measures, ...fits.map((fit) => fit.split(' ~ ')[0])])],
    fits,
    x: readX(where('x'), given.x, sweep),
    log: readLog(where('log'), given.log ?? []),
    claims: readClaims(where('claims'), given.claims ?? []),
    mayFail: given.mayFail === true,
  }
  refuseManyArrangements(experiment, where)
  refuseFitOfNothing(experiment, where)
  refuseFewPoints(experiment, where)
  refuseTwice(experiment, where)
  return experiment
}

/** Fields of one point that make a line of their own in a figure: all but the one along x. */
export function seriesOf({ x }: Pick<Experiment, 'x'>, point: SweepPoint): string {
  return Object.entries(point)
    .filter(([name]) => name !== x)
    .map(([name, value]) => (name === 'algorithm' ? String(value) : `${name} ${value}`))
    .join(', ')
}

function titleOf(base: ScenarioInput, sweep: Experiment['sweep']): string {
  const name = base.algorithm ?? sweep.algorithm?.join(', ')
  const over = Object.keys(sweep).filter((field) => field !== 'algorithm')
  return over.length === 0 ? String(name) : `${name} by ${over.join(' and ')}`
}

function recordOf(where: string, given: unknown, example: ScenarioInput): ScenarioInput {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as ScenarioInput
  throw new UsageError(
    where,
    `names with values are needed, but ${given === undefined ? 'there are none' : `${quoted(given)} was given`}.`,
    `Write for example ${JSON.stringify(example)}.`,
  )
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

/** `messages ~ n`; `auto` alone is asked of every measure. */
function readFits(where: string, given: unknown, measures: readonly string[]): string[] {
  return listOf(given).flatMap((one) => {
    const { measure, form } = readFit(String(one), where)
    const name = form?.name ?? 'auto'
    if (measure !== null) return [`${readMeasure(where, measure)} ~ ${name}`]
    return measures.filter((of) => !isBound(of)).map((of) => `${of} ~ ${name}`)
  })
}

function readRepeat(where: string, given: unknown): Experiment['repeat'] {
  return given === 'all' ? 'all' : integer(where, given, 1, 1_000_000, 'a number of repeats')
}

function readX(where: string, given: unknown, sweep: Experiment['sweep']): string | null {
  const numeric = Object.keys(sweep).filter((name) =>
    sweep[name].every((value) => typeof value === 'number'),
  )
  if (given === undefined) {
    const longest = numeric.toSorted((a, b) => sweep[b].length - sweep[a].length)
    return numeric.includes('n') ? 'n' : (longest[0] ?? null)
  }
  const found = numeric.find((name) => name === given)
  if (found !== undefined) return found
  throw new UsageError(
    where,
    `${numeric.length === 0 ? 'a swept number is needed' : `one of ${numeric.join(', ')} is needed`}, but ${quoted(given)} was given.`,
    'Name the field along which growth is measured.',
  )
}

function readLog(where: string, given: unknown): Experiment['log'] {
  const axes = listOf(given)
    .flatMap((axis) => String(axis).split(','))
    .filter((axis) => axis !== '')
  const wrong = axes.find((axis) => axis !== 'x' && axis !== 'y')
  if (wrong === undefined) return axes as Experiment['log']
  throw new UsageError(
    where,
    `x, y or both are needed, but ${quoted(wrong)} was given.`,
    'Write x,y.',
  )
}

function refuseManyArrangements({ repeat, base, sweep }: Experiment, where: FieldLocator): void {
  if (repeat !== 'all') return
  const given = ['ids', 'topology'].find((field) => base[field] !== undefined || sweep[field])
  if (given !== undefined) {
    throw new UsageError(
      where('repeat'),
      `every arrangement is for the default network of n nodes, but ${given} is given too.`,
      `Leave out ${given}, and sweep n or give -n.`,
    )
  }
  const sizes = sweep.n ?? [(base.n ?? DEFAULT_SIZE) as Swept]
  const wrong = sizes.find((n) => !(Number(n) >= 1 && Number(n) <= MOST_ARRANGED))
  if (wrong === undefined) return
  throw new UsageError(
    where('repeat'),
    `every arrangement is for n from 1 to ${MOST_ARRANGED}, but n is ${wrong}.`,
    'Take smaller n, or a number of repeats.',
  )
}

function refuseFitOfNothing({ fits, x }: Experiment, where: FieldLocator): void {
  if (x !== null || fits.length === 0) return
  throw new UsageError(
    where('fits'),
    'growth is measured along a swept number, but none is swept.',
    'Sweep one, for example n=2..100.',
  )
}

/** Asks made-up means first: what too few points cannot answer is said before anything is run. */
function refuseFewPoints({ fits, x, sweep }: Experiment, where: FieldLocator): void {
  const xs = x === null ? [] : sweep[x].map(Number)
  const points = xs.map((at) => ({ x: at, y: at ** 2 + 1 }))
  for (const question of fits) {
    const { form } = readFit(question)
    if (form === null) growthOf(points, x ?? 'n', where('fits'))
    else fitForm(form, points, 'absolute', where('fits'))
  }
}

function refuseTwice({ base, sweep }: Experiment, where: FieldLocator): void {
  for (const [name, values] of Object.entries(sweep)) {
    const texts = values.map(String)
    const twice = texts.find((text, i) => texts.indexOf(text) < i)
    const double = base[name] !== undefined && name !== 'algorithm'
    if (twice === undefined && !double) continue
    throw new UsageError(
      where('sweep'),
      `every value is swept once, and not given elsewhere, but ${twice === undefined ? `${name} is given too` : `${name} is ${twice} twice`}.`,
      'Leave one out.',
    )
  }
}

export function repeatsAt(experiment: Experiment, point: SweepPoint): number {
  if (experiment.repeat !== 'all') return experiment.repeat
  let arrangements = 1
  for (let k = 2; k <= sizeAt(experiment, point); k++) arrangements *= k
  return arrangements
}

/** How many nodes the default network has at a point. */
export function sizeAt({ base }: Experiment, point: SweepPoint): number {
  return Number(point.n ?? base.n ?? DEFAULT_SIZE)
}
