import { algorithmNamed } from '../../algorithms/index.ts'
import { neverInWords } from '../../check/index.ts'
import type { Algorithm } from '../../core/index.ts'
import {
  type UseEvidence,
  unshownIn,
  variantsOf,
} from '../../core/language/validation/only-compared.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { numericParameters } from '../../prove/conditions.ts'
import { proveProperties } from '../../prove/prove.ts'
import { UnmetCondition } from '../../prove/refusal.ts'
import { prepare } from '../../scenario/index.ts'
import { measuredRun } from '../study/run-job.ts'
import { exploreWorlds } from './explore-worlds.ts'
import {
  type BrokenProperty,
  Findings,
  type GradeExploration,
  type GradeSubject,
  TERMINATION,
} from './findings.ts'
import { type GradedWorld, gradedWorldOf, isOwnProblem } from './graded-world.ts'
import { GradedRuns, type GradeMeasurement, largestValue, measureCost } from './measure-cost.ts'
import {
  type GradedSizes,
  judgedRun,
  promisedBy,
  simulateSizes,
  simulateWorlds,
} from './random-worlds.ts'
import { type UnmetRequirement, unmetRequirements } from './requirements.ts'

/** How thoroughly a definition is graded. */
export interface GradeEffort {
  /** All interleavings of networks up to this size, within a budget of states. */
  readonly largest: number
  readonly states: number
  /** The number of random worlds to simulate. */
  readonly worlds: number
  /** Every size up to this one is simulated once, and larger ones near numbers in the source. */
  readonly every: number
  /** The most messages, links and meetings of all runs for sizes, half of them for every size. */
  readonly messages: number
  /** The sizes at which the cost is measured, and the runs per size. */
  readonly sizes: readonly number[]
  readonly repeats: number
}

const THOROUGH: GradeEffort = {
  largest: 4,
  states: 500_000,
  worlds: 500,
  every: 256,
  messages: 2_000_000,
  sizes: [8, 16, 32, 64, 128, 256],
  repeats: 10,
}

/** What is asked of a grade besides the definition. */
export interface GradeDemands {
  /** The algorithm to compare with; null: the default for the network. */
  readonly reference: string | null
  /** Words of `REQUIREMENTS`. */
  readonly require: readonly string[]
  /** The names of the properties that count; all of them if there is none. */
  readonly properties: readonly string[]
  /** Whether a file may bring the problem by which it is judged. */
  readonly allowOwnProblem: boolean
  /** Costs to measure at given sizes, for a rubric. */
  readonly costs: readonly { readonly measure: string; readonly sizes: readonly number[] }[]
}

/** The largest cost measured at one size; null if there is none. */
export interface CostAt {
  readonly n: number
  readonly links: number
  readonly value: number | null
}

/** The failure in the smallest world that has one. */
export interface GradeCounterexample {
  readonly n: number
  /** The violated property, or the error that the definition threw. */
  readonly broken: string
  readonly steps: readonly string[]
  readonly replay: string
}

/** What became of the invariant that a definition states. */
export interface GradeProof {
  readonly verdict: 'proved' | 'open' | 'refused'
  /** The properties that are proved for every n, every choice of ids and every schedule. */
  readonly properties: readonly string[]
  /** Why nothing is proved, in words; empty where it is. */
  readonly reason: string
}

/**
 * right: all properties that count are proved for every n. no error found: nothing more was tried
 * than the grade lists. none: something could not be decided.
 */
export type GradeVerdict = 'right' | 'no error found' | 'wrong' | 'refused' | 'none'

export interface Grade {
  readonly verdict: GradeVerdict
  /** The world that the definition declares, in which it was graded. */
  readonly world: GradedWorld
  /** Requirements that it does not meet; it is not graded further then. */
  readonly refused: readonly UnmetRequirement[]
  readonly explored: readonly GradeExploration[]
  /** What has happened in no exploration, in sentences. */
  readonly never: readonly string[]
  readonly simulated: number
  /** The sizes that were simulated besides; null if an error was found before. */
  readonly sizes: GradedSizes | null
  readonly properties: readonly { readonly name: string; readonly holds: boolean | null }[]
  /** What is not decided, with reasons. */
  readonly open: readonly string[]
  /** All violated properties, smallest worlds first. */
  readonly broken: readonly BrokenProperty[]
  /** The first of them. */
  readonly counterexample: GradeCounterexample | null
  /** Only for correct definitions. */
  readonly measured: readonly GradeMeasurement[]
  /** What became of the invariant that a correct definition states; null where it states none. */
  readonly proof: GradeProof | null
  /** For each cost that was asked for; empty unless the definition is correct. */
  readonly costs: readonly (readonly CostAt[])[]
}

const REFERENCES = {
  ring: 'hirschberg-sinclair',
  complete: 'afek-gafni',
  any: 'echo-extinction',
  tree: 'tree',
  hypercube: 'hyper-elect',
}

/** What is done next, and the properties that are violated so far. */
export interface GradeStep {
  readonly doing: string
  readonly violated: readonly string[]
}

/**
 * Grades a definition: checks small worlds, simulates random larger ones, measures its cost. Yields
 * its progress: a caller that stops it knows what was found until then.
 */
export function* gradeOf(
  given: GradeSubject,
  { reference, require, properties: counted, allowOwnProblem, costs }: GradeDemands,
  effort: GradeEffort = THOROUGH,
): Generator<GradeStep, Grade> {
  // Ids and sizes are whole numbers; constants need not be.
  const whole = given.numbers.filter((c) => Number.isSafeInteger(c) && c >= 0)
  const subject = { ...given, numbers: whole }
  const { algorithm } = subject
  const { worlds, repeats } = effort
  const world = gradedWorldOf(algorithm, subject.idUse)
  const refused = [
    ...unmetRequirements(require, world),
    ...(isOwnProblem(world) && !allowOwnProblem ? [OWN_PROBLEM] : []),
  ]
  if (refused.length > 0) return { ...UNGRADED, verdict: 'refused', world, refused }
  const findings = new Findings(world, uncountedOf(counted, algorithm), counted)
  if (isOwnProblem(world) && promisedBy(algorithm).length === 0)
    findings.leaveOpen('its own problem', 'it has no properties')
  const explored = yield* progress(exploreWorlds(subject, findings, effort), findings)
  const found = () => {
    const { properties, broken, open } = findings
    const verdict = broken.length > 0 ? 'wrong' : open.length > 0 ? 'none' : 'no error found'
    const counterexample = broken.length > 0 ? counterexampleOf(broken[0]) : null
    const never = findings.never === null ? [] : neverInWords(findings.never)
    return {
      ...UNGRADED,
      verdict,
      world,
      explored,
      never,
      properties,
      open,
      broken,
      counterexample,
    } as const
  }
  const simulated = yield* progress(simulateWorlds(subject, findings, worlds), findings)
  if (findings.names.length > 0) return { ...found(), simulated }
  const sizes = yield* progress(simulateSizes(subject, findings, effort), findings)
  if (findings.settled) return { ...found(), simulated, sizes }
  yield { doing: 'proving its invariant', violated: findings.names }
  const proof = proveInvariant(subject)
  // An algorithm that never falls silent has no total cost.
  if (algorithm.quiet === 'never') return { ...found(), simulated, sizes, proof }
  const against = algorithmNamed(reference ?? REFERENCES[world.network], 'reference')
  const runs = new GradedRuns(algorithm, repeats, (world) =>
    findings.settled ? null : judgedRun(subject, findings, world),
  )
  const known = new GradedRuns(against, repeats, (given) =>
    measuredRun(prepare(given, against, String)),
  )
  const measured = yield* progress(measureCost(runs, known, effort.sizes), findings)
  const wanted = costs.map(({ measure, sizes: at }) =>
    at.map((n) => ({ n, ...largestValue(runs, n, measure) })),
  )
  if (findings.settled) return { ...found(), simulated, sizes }
  const grade = { ...found(), simulated, sizes, proof, measured, costs: wanted }
  return isProved(grade) ? { ...grade, verdict: 'right' } : grade
}

const OWN_PROBLEM: UnmetRequirement = {
  require: 'election',
  reason: 'the file defines the problem by which it is judged (--allow-own-problem accepts it)',
}

/** The properties that do not count. Whatever holds in the end presupposes that runs end. */
function uncountedOf(counted: readonly string[], algorithm: Algorithm): string[] {
  if (counted.length === 0) return []
  const promised = promisedBy(algorithm)
  const ends = promised.some(({ name, when }) => when !== 'always' && counted.includes(name))
  const needed = ends ? [...counted, TERMINATION] : counted
  return [...promised.map(({ name }) => name), TERMINATION].filter((one) => !needed.includes(one))
}

/**
 * Whether every property that counts is proved for every n. No list of worlds shows as much: a
 * definition may fail only where n is larger.
 */
function isProved({ verdict, world, proof, properties }: Grade): boolean {
  if (verdict !== 'no error found' || proof?.verdict !== 'proved') return false
  if (world.crashes || world.mayFail || isOwnProblem(world)) return false
  return properties.length > 0 && properties.every(({ name }) => proof.properties.includes(name))
}

function* progress<T>(steps: Generator<string, T>, findings: Findings): Generator<GradeStep, T> {
  for (;;) {
    const { value, done } = steps.next()
    if (done) return value
    yield { doing: value, violated: findings.names }
  }
}

const UNGRADED: Omit<Grade, 'verdict' | 'world'> = {
  refused: [],
  explored: [],
  never: [],
  simulated: 0,
  sizes: null,
  properties: [],
  open: [],
  broken: [],
  counterexample: null,
  proof: null,
  measured: [],
  costs: [],
}

function counterexampleOf({ n, property, detail, thrown, steps, replay }: BrokenProperty) {
  return { n, broken: thrown === undefined ? property : detail, steps, replay }
}

/** A longer proof is left to `conclave prove`: it must not use up the time of a grade. */
const MOST_STEPS = 300_000

class TooLong extends Error {}

/** Tries to prove a definition that states an invariant; null where it states none. */
function proveInvariant({ bare, use }: GradeSubject): GradeProof | null {
  try {
    if (Object.keys(bare.invariant()).length === 0) return null
    const proofs = variantsOf(bare, numericParameters(bare)).map(({ algorithm }) =>
      variantProof(algorithm, use),
    )
    const unproved = proofs.find(({ verdict }) => verdict !== 'proved')
    if (unproved !== undefined) return unproved
    const [first, ...others] = proofs
    const properties = first.properties.filter((name) =>
      others.every((one) => one.properties.includes(name)),
    )
    return { ...first, properties }
  } catch (error) {
    if (error instanceof TooLong) return unproved('open', 'that would take too long here')
    const reason = error instanceof Error ? error.message : String(error)
    return unproved(error instanceof UnmetCondition ? 'refused' : 'open', reason)
  }
}

function unproved(verdict: 'open' | 'refused', reason: string): GradeProof {
  return { verdict, properties: [], reason }
}

/** The proof of one of the algorithms that parameters choose. */
function variantProof(algorithm: Algorithm, use: UseEvidence): GradeProof {
  const [unshown] = unshownIn(algorithm, use)
  if (unshown !== undefined) return unproved('open', `${unshown.where}: ${unshown.why}`)
  const { verdict, clauses } = proveProperties(
    algorithm,
    propertiesOf(algorithm, false),
    (steps) => {
      if (steps > MOST_STEPS) throw new TooLong()
    },
  )
  if (verdict === 'open') return unproved(verdict, 'its clauses are not enough')
  const goals = clauses.filter(({ from, proved }) => from === 'goal' && proved)
  return { verdict, properties: goals.map(({ name }) => name), reason: '' }
}
