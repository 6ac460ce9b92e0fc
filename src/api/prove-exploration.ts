import { type CheckResult, type ExplainedRun, checkWorld as explore } from '../check/index.ts'
import { type Algorithm, type Property, UsageError } from '../core/index.ts'
import { sealed } from '../core/runtime/sealed/sealed.ts'
import { optionNamed } from '../options/scenario.ts'
import type { ReachedState } from '../prove/find/pool.ts'
import type { ProofResult, ProvedFor } from '../prove/prove.ts'
import { propertyNamed, viewsOf } from '../prove/report/clause-property.ts'
import { provenTopology } from '../prove/vocabulary.ts'
import { checkModel } from './check-model.ts'

/** Networks of up to so many nodes are explored. */
const LARGEST = { ring: 4, complete: 3 }
/** On complete networks: the largest term, and how many nodes crash, and recover if they can. */
const TERMS = 1
const CRASHES = 1
/**
 * States in all: a clause is evaluated for every choice of nodes and messages in each of them. What
 * is proved is explored as a precaution, which must not take longer than the proof.
 */
const MOST_STATES = 30_000
const MOST_STATES_PROVED = { ring: 1000, complete: 10_000 }
/** Where links do not double messages, so many may be lost. */
const LOSSES = 2

/**
 * Whether an open clause is violated on small rings. needed: on links as the definition needs them.
 * worst: only on links that lose, double and reorder messages, as a proof allows them to. null: not
 * on rings of up to n nodes.
 */
export interface ClauseReach {
  readonly links: 'needed' | 'worst' | null
  /** The ring on which it is violated; otherwise the largest that was explored. */
  readonly n: number
  readonly ids?: readonly number[]
  /** How it is violated, in words, and the steps that lead there. */
  readonly detail?: string
  readonly run?: readonly string[]
}

/** What the exploration of small networks says about the clauses of a proof. */
export interface ExploredClauses {
  readonly reach: ReadonlyMap<string, ClauseReach>
  /** The largest network all states of which were seen, on rings for all orders of ids. */
  readonly n: number
  readonly states: number
  /** The largest values of fields that were explored, where others grow without end. */
  readonly bounds?: Readonly<Record<string, number>>
}

/**
 * Explores small networks, rings with all orders of ids: is what is not proved violated there? What
 * is proved must hold there: a proof that is contradicted is a defect of the prover.
 */
export function exploreClauses(
  algorithm: Algorithm,
  result: ProofResult,
  goals: readonly Property[],
): ExploredClauses {
  const wanted = (isProved: boolean): Property[] =>
    result.clauses
      .filter(({ proved }) => proved === isProved)
      .flatMap(({ name }) => propertyNamed(name, algorithm, goals) ?? [])
  const networks = new SmallNetworks(sealed(algorithm), result.for)
  const { topology, bounds } = networks
  const worst = networks.explore(wanted(true), 'worst', MOST_STATES_PROVED[topology])
  const bounded = Object.keys(bounds).length > 0 && { bounds }
  for (const [name, { detail, ids }] of worst.violated)
    throw new UsageError(
      algorithm.name,
      `"${name}" is proved, but violated on a ${topology} network with ids ${ids}: ${detail}.`,
      'If its universal clause is yours, it does not imply the property; otherwise please report it.',
    )
  const open = wanted(false)
  if (open.length === 0) return { reach: new Map(), n: worst.n, states: worst.states, ...bounded }
  const needed = networks.explore(open, 'needed', MOST_STATES)
  const rest = open.filter(({ name }) => !needed.violated.has(name))
  const further = networks.explore(rest, 'worst', MOST_STATES)
  const n = Math.min(needed.n, further.n)
  const reach = open.map(({ name }): [string, ClauseReach] => [
    name,
    needed.violated.get(name) ?? further.violated.get(name) ?? { links: null, n },
  ])
  const states = worst.states + needed.states + further.states
  return { reach: new Map(reach), n, states, ...bounded }
}

type Links = 'needed' | 'worst'

/** Networks of a few nodes with an algorithm. */
class SmallNetworks {
  readonly topology: 'ring' | 'complete'
  /** Terms grow without end. */
  readonly bounds: Readonly<Record<string, number>>

  constructor(
    private readonly algorithm: Algorithm,
    private readonly worst: Pick<ProvedFor, 'order' | 'duplicates' | 'recoveries'>,
  ) {
    this.topology = provenTopology(algorithm)
    const terms = Object.entries(algorithm.layout.own).filter(([, { sort }]) => sort === 'term')
    this.bounds = Object.fromEntries(terms.map(([name]) => [name, TERMS]))
  }

  explore(wanted: readonly Property[], links: Links, most: number) {
    const violated = new Map<string, ClauseReach>()
    const largest = LARGEST[this.topology]
    let states = 0
    for (let n = 1; n <= largest; n++) {
      const before = states
      // All orders on a complete network are alike.
      for (const ids of this.topology === 'ring' ? ordersOf(n) : [ordersOf(n)[0]]) {
        let found: CheckResult
        do {
          const rest = wanted.filter(({ name }) => !violated.has(name))
          if (rest.length === 0) return { violated, states, n: largest }
          found = this.check(ids, links, rest, Math.max(1, most - states)).result
          states += found.states
          if (found.violated !== null) {
            const { property } = found.violated
            violated.set(property, { links, n, ids, ...detailOf(found, property) })
          }
        } while (found.violated !== null)
        if (!found.exhausted) return { violated, states: before, n: n - 1 }
      }
    }
    return { violated, states, n: largest }
  }

  check(ids: readonly number[], links: Links, wanted: readonly Property[], states: number) {
    const { algorithm } = this
    const { order, duplicates, recoveries } = this.worst
    const fifo = algorithm.needs.order === 'fifo'
    const complete = this.topology === 'complete'
    const worst = {
      ...(order === 'any' && duplicates ? { links: 'lossy' } : { losses: LOSSES }),
      // On a ring a crash would close it, which is another algorithm.
      ...(recoveries && complete && { crashes: CRASHES, recoveries: CRASHES }),
    }
    const { target, model } = checkModel(
      { definition: algorithm, ownProperties: [] },
      {
        topology: `${this.topology}:${ids.length}`,
        ids: ids.join(),
        ...(complete && { detect: 'off' }),
        order: fifo && (links === 'needed' || order === 'fifo') ? 'fifo' : 'any',
        'allow-weaker': true,
      },
      { mode: 'untimed', ...(complete && { bound: this.bounds }), ...(links === 'worst' && worst) },
      { where: optionNamed },
    )
    const result = explore(target.world, { ...model, properties: wanted, limits: { states } })
    return { target, model, result }
  }
}

/** The run on a small network that violates a property, on links as the definition needs them. */
export function violatingRun(
  algorithm: Algorithm,
  runs: ProvedFor,
  property: Property,
  ids: readonly number[],
) {
  const networks = new SmallNetworks(sealed(algorithm), runs)
  const { target, model, result } = networks.check(ids, 'needed', [property], MOST_STATES)
  const { scenario, world } = target
  const { detail } = detailOf(result, property.name)
  const violation = { property: property.name, detail }
  return { scenario, world, model, run: result.violated!, violation }
}

function detailOf({ violated, properties }: CheckResult, name: string) {
  const steps: ExplainedRun['trace'] = violated!.trace
  return {
    detail: properties.find((one) => one.name === name)?.detail ?? '',
    run: steps.map(({ text }) => text),
  }
}

/** All orders of the ids 1 to n around a ring, up to rotation: the largest comes first. */
function ordersOf(n: number): number[][] {
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((id) => orders(rest.filter((other) => other !== id)).map((o) => [id, ...o]))
  return orders(Array.from({ length: n - 1 }, (_, i) => i + 1)).map((order) => [n, ...order])
}

/** Shows all states of the rings of two and three nodes with all orders of ids; counts them. */
export function seeStates(algorithm: Algorithm, see: (state: ReachedState) => void): number {
  let states = 0
  const seeing: Property = {
    name: 'seen',
    when: 'always',
    broken(global) {
      states++
      see(viewsOf(global))
      return null
    },
  }
  for (const n of [2, 3])
    for (const ids of ordersOf(n)) {
      const { target, model } = checkModel(
        { definition: sealed(algorithm), ownProperties: [] },
        { topology: `ring:${n}`, ids: ids.join(), order: 'any', 'allow-weaker': true },
        { mode: 'untimed' },
        { where: optionNamed },
      )
      explore(target.world, { ...model, properties: [seeing], limits: { states: MOST_STATES } })
    }
  return states
}
