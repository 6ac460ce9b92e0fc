import { algorithmNamed } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { prove } from '../../prove/prove.ts'
import { UnmetCondition } from '../../prove/refusal.ts'
import { exploreWorlds } from './explore-worlds.ts'
import {
  type BrokenProperty,
  Findings,
  type GradeExploration,
  type GradeSubject,
} from './findings.ts'
import { type GradedWorld, gradedWorldOf } from './graded-world.ts'
import { GradedRuns, type GradeMeasurement, largestValue, measureCost } from './measure-cost.ts'
import { simulateWorlds } from './random-worlds.ts'
import { type UnmetRequirement, unmetRequirements } from './requirements.ts'

/** How thoroughly a definition is graded. */
export interface GradeEffort {
  /** All interleavings of networks up to this size, within a budget of states. */
  readonly largest: number
  readonly states: number
  /** The number of random worlds to simulate. */
  readonly worlds: number
  /** The sizes at which the cost is measured, and the runs per size. */
  readonly sizes: readonly number[]
  readonly repeats: number
}

const THOROUGH: GradeEffort = {
  largest: 4,
  states: 500_000,
  worlds: 500,
  sizes: [8, 16, 32, 64, 128, 256],
  repeats: 10,
}

/** What is asked of a grade besides the definition. */
export interface GradeDemands {
  /** The algorithm to compare with; null: the default for the network. */
  readonly reference: string | null
  /** Words of `REQUIREMENTS`. */
  readonly require: readonly string[]
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

export interface Grade {
  /** wrong: a property is violated or the world is too easy. none: it could not be decided. */
  readonly verdict: 'right' | 'wrong' | 'none'
  /** The world that the definition declares, in which it was graded. */
  readonly world: GradedWorld
  /** Requirements that it does not meet; it is not graded further then. */
  readonly refused: readonly UnmetRequirement[]
  readonly explored: readonly GradeExploration[]
  readonly simulated: number
  readonly properties: readonly { readonly name: string; readonly holds: boolean | null }[]
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
  ...{ ring: 'hirschberg-sinclair', complete: 'afek-gafni', any: 'echo-extinction' },
  ...{ tree: 'tree', hypercube: 'hyper-elect' },
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
  subject: GradeSubject,
  { reference, require, costs }: GradeDemands,
  { largest, states, worlds, sizes, repeats }: GradeEffort = THOROUGH,
): Generator<GradeStep, Grade> {
  const { algorithm } = subject
  const world = gradedWorldOf(algorithm, subject.idUse)
  const refused = unmetRequirements(require, world)
  if (refused.length > 0) return { ...UNGRADED, verdict: 'wrong', world, refused }
  const findings = new Findings(world)
  const explored = yield* progress(exploreWorlds(subject, findings, { largest, states }), findings)
  const simulated = yield* progress(simulateWorlds(subject, findings, worlds), findings)
  const { properties, broken } = findings
  const undecided = properties.some(({ holds }) => holds === null)
  const verdict = broken.length > 0 ? 'wrong' : undecided ? 'none' : 'right'
  const found = { ...UNGRADED, verdict, world, explored, properties, broken } as const
  if (broken.length > 0) return { ...found, counterexample: counterexampleOf(broken[0]) }
  yield { doing: 'proving its invariant', violated: findings.names }
  const proof = proveInvariant(subject.bare)
  // An algorithm that never falls silent has no total cost.
  if (algorithm.quiet === 'never') return { ...found, simulated, proof }
  const against = algorithmNamed(reference ?? REFERENCES[world.network], 'reference')
  const runs = new GradedRuns(algorithm, repeats)
  const known = new GradedRuns(against, repeats)
  const measured = yield* progress(measureCost(runs, known, sizes), findings)
  const wanted = costs.map(({ measure, sizes: at }) =>
    at.map((n) => ({ n, ...largestValue(runs, n, measure) })),
  )
  return { ...found, simulated, proof, measured, costs: wanted }
}

function* progress<T>(steps: Generator<string, T>, findings: Findings): Generator<GradeStep, T> {
  for (;;) {
    const { value, done } = steps.next()
    if (done) return value
    yield { doing: value, violated: findings.names }
  }
}

const UNGRADED: Omit<Grade, 'verdict' | 'world'> = {
  ...{ refused: [], explored: [], simulated: 0, properties: [], broken: [] },
  ...{ counterexample: null, proof: null, measured: [], costs: [] },
}

function counterexampleOf({ n, property, detail, thrown, steps, replay }: BrokenProperty) {
  return { n, broken: thrown === undefined ? property : detail, steps, replay }
}

/** A longer proof is left to `conclave prove`: it must not use up the time of a grade. */
const MOST_STEPS = 300_000

class TooLong extends Error {}

/** Tries to prove a definition that states an invariant; null where it states none. */
function proveInvariant(algorithm: Algorithm): GradeProof | null {
  const unproved = (verdict: 'open' | 'refused', reason: string): GradeProof => ({
    ...{ verdict, properties: [], reason },
  })
  try {
    if (Object.keys(algorithm.invariant()).length === 0) return null
    const { verdict, clauses } = prove(algorithm, propertiesOf(algorithm, false), (steps) => {
      if (steps > MOST_STEPS) throw new TooLong()
    })
    if (verdict === 'open') return unproved(verdict, 'its clauses are not enough')
    const goals = clauses.filter(({ from, proved }) => from === 'goal' && proved)
    return { verdict, properties: goals.map(({ name }) => name), reason: '' }
  } catch (error) {
    if (error instanceof TooLong) return unproved('open', 'that would take too long here')
    const reason = error instanceof Error ? error.message : String(error)
    return unproved(error instanceof UnmetCondition ? 'refused' : 'open', reason)
  }
}
