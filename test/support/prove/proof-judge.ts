import { type CheckOptions, checkWorld } from '../../../src/check/index.ts'
import { type Algorithm, type Property, Random } from '../../../src/core/index.ts'
import { propertiesOf } from '../../../src/problems/algorithm-properties.ts'
import { type ProofResult, proveProperties } from '../../../src/prove/prove.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { ringOrders } from '../reachable-states.ts'
import { wrongWith } from './counterexample-replay.ts'
import { holds } from './ring-configurations.ts'

/* A proof is judged by exploration: what is proved is true in all states that it reaches. */

export type Judgement =
  | 'proved and safe'
  | 'open and broken'
  | 'open and safe'
  | 'refused'
  /** Exploration breaks nothing, and no proof was tried. */
  | 'safe, not tried'
  /** Must not be. */
  | 'proved and broken'

export interface Judged {
  readonly judgement: Judgement
  /** What is proved and false, or wrong with a counterexample to induction. */
  readonly mistakes: readonly string[]
  /** How many counterexamples to induction were replayed. */
  readonly replayed: number
  /** How many clauses were proved. */
  readonly proved: number
}

/** What an exploration depends on. */
type Links = Pick<ProofResult['for'], 'order' | 'duplicates'>

export interface Exploration {
  readonly world: ScenarioInput
  readonly rules?: Partial<CheckOptions>
}

/** All orders of ids on rings of up to `all` nodes, and one on each larger one up to `most`. */
export function smallRings(all: number, most: number): Exploration[] {
  const worlds: Exploration[] = []
  for (let n = 1; n <= most; n++)
    for (const ids of n <= all ? ringOrders(n) : [mixedOrder(n)]) worlds.push({ world: { n, ids } })
  return worlds
}

/** No id lies beside its neighbours in the order. */
function mixedOrder(n: number): number[] {
  const ids = Array.from({ length: n }, (_, i) => i + 1)
  return [...ids.filter((id) => id % 2 === 0), ...ids.filter((id) => id % 2 === 1)].reverse()
}

/** In complete networks, with a crash and a recovery, and up to so many terms. */
export function smallClusters(): Exploration[] {
  const faults = { crashes: 1, recoveries: 1, detect: 'off' } as const
  return [
    { world: { n: 2 }, rules: { bounds: { term: 2 }, faults } },
    { world: { n: 3 }, rules: { bounds: { term: 1 } } },
    { world: { n: 3 }, rules: { bounds: { term: 1 }, faults } },
    { world: { n: 4 }, rules: { bounds: { term: 1 } } },
    { world: { n: 3 }, rules: { bounds: { term: 2 } } },
  ]
}

/** Every link that a proof may speak of is at least as good. */
const WORST: Links = { order: 'any', duplicates: true }

/** Judges only what exploration breaks: for definitions of which a proof takes long. */
export function judgedIfBroken(
  algorithm: Algorithm,
  explorations: readonly Exploration[],
  states: number,
  seed: number,
): Judged {
  const required = propertiesOf(algorithm, false).filter(({ when }) => when === 'always')
  return firstBroken(algorithm, required, WORST, explorations, states) === null
    ? { judgement: 'safe, not tried', mistakes: [], replayed: 0, proved: 0 }
    : judged(algorithm, explorations, states, seed)
}

/** Proves, explores what is proved with links as bad as the proof allows, replays the rest. */
export function judged(
  algorithm: Algorithm,
  explorations: readonly Exploration[],
  states: number,
  seed: number,
): Judged {
  const properties = propertiesOf(algorithm, false)
  let result: ProofResult
  try {
    result = proveProperties(algorithm, properties)
  } catch (error) {
    if (!isComplaint(error)) throw error
    return { judgement: 'refused', mistakes: [], replayed: 0, proved: 0 }
  }
  // After a step in which a handler goes wrong nothing is claimed.
  const claimed = result.faulty === null ? claims(algorithm, properties, result) : []
  const broken = firstBroken(algorithm, claimed, result.for, explorations, states)
  const { wrong, replayed } = replays(algorithm, properties, result, seed)
  const mistakes = [...(broken === null ? [] : [`proved, but false: ${broken}`]), ...wrong]
  const required = properties.filter(({ when }) => when === 'always')
  const judgement =
    broken !== null
      ? 'proved and broken'
      : result.verdict === 'proved'
        ? 'proved and safe'
        : firstBroken(algorithm, required, result.for, explorations, states) === null
          ? 'open and safe'
          : 'open and broken'
  return { judgement, mistakes, replayed, proved: claimed.length }
}

/** What the language and the prover throw at definitions says how to mend them. */
function isComplaint(error: unknown): error is Error {
  return error instanceof Error && 'hint' in error
}

/** What is proved, as properties that must always hold. */
function claims(
  algorithm: Algorithm,
  properties: readonly Property[],
  { clauses }: ProofResult,
): Property[] {
  const stated = algorithm.invariant()
  return clauses.flatMap(({ name, proved, from }): Property[] => {
    if (!proved) return []
    const goal = properties.find((property) => property.name === name)
    if (from === 'goal') return [{ ...goal!, when: 'always' }]
    // Explorations do not see sets of links as clauses do.
    if (algorithm.needs.topology !== 'ring') return []
    return [
      {
        name,
        when: 'always',
        broken({ n, state, inFlight = [] }) {
          const nodes = Array.from({ length: n }, (_, node) => state(node))
          const messages = inFlight.map(({ to, link, kind, body }) => ({
            ...{ to, from: link, kind, body },
          }))
          return holds(algorithm, stated[name], { nodes, messages }) ? null : 'it fails'
        },
      },
    ]
  })
}

/** The first property that fails in a state that exploration reaches; null: none does. */
function firstBroken(
  algorithm: Algorithm,
  properties: readonly Property[],
  { order, duplicates }: Links,
  explorations: readonly Exploration[],
  states: number,
): string | null {
  if (properties.length === 0) return null
  const lossy = duplicates ? {} : { faults: { losses: 2 } }
  for (const { world: given, rules } of explorations) {
    const { world } = prepare(given, algorithm, flagged)
    const options = { mode: 'untimed', wake: 'any', order: duplicates ? 'lossy' : order } as const
    try {
      const { violated } = checkWorld(world, {
        ...{ ...options, ...lossy, properties, limits: { states }, reduction: 'off', ...rules },
      })
      if (violated !== null) return `${violated.property}, with ${JSON.stringify(given)}`
    } catch (error) {
      if (!isComplaint(error)) throw error
      return `a handler goes wrong: ${error.message}`
    }
  }
  return null
}

/** How often what a counterexample leaves open is decided at random. */
const COMPLETIONS = 4

/** On rings: each counterexample to induction is one, whatever is drawn for what it leaves open. */
function replays(
  algorithm: Algorithm,
  properties: readonly Property[],
  { clauses, for: links }: ProofResult,
  seed: number,
): { readonly wrong: readonly string[]; readonly replayed: number } {
  if (algorithm.needs.topology !== 'ring') return { wrong: [], replayed: 0 }
  const stated = algorithm.invariant()
  const universal = (name: string) =>
    stated[name] ?? properties.find((property) => property.name === name)!.universal!
  const assumed = clauses.flatMap(({ name, proved }) => {
    const clause = universal(name)
    return proved && !('step' in clause) ? [clause] : []
  })
  const random = Random.from(seed)
  const wrong: string[] = []
  let replayed = 0
  for (const { name, counterexample } of clauses) {
    if (counterexample === null) continue
    const clause = universal(name)
    const before = 'step' in clause || counterexample.step === null ? assumed : [...assumed, clause]
    replayed++
    for (let i = 0; i < COMPLETIONS; i++) {
      const problem = wrongWith(
        { algorithm, counterexample, clause, assumed: before, links },
        random,
      )
      if (problem !== null) wrong.push(`the counterexample to "${name}": ${problem}`)
    }
  }
  return { wrong, replayed }
}
