import { type Counterexample, IdPermutations, orbitRepresentatives } from '../../check/index.ts'
import { UsageError } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { factorial } from '../../core/runtime/permutation.ts'
import { grouped } from '../../core/text-format.ts'
import type { CheckTarget } from '../../scenario/check-target.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { integer } from '../../scenario/fields/reading.ts'
import type { Io } from '../io.ts'
import { cpuMs, explorationSpeed, ProgressLine } from '../terminal/progress.ts'
import { type CheckReport, type ExploredWorld, explore, type Options, SILENT } from './explore.ts'
import { PermutationPool } from './permutation-pool.ts'
import { CostTally, worstOverAll } from './worst-over-permutations.ts'

/** More would take days. */
const MOST = 10_000_000

/** Flags that say how much to explore or where to put it, not what. */
const ASIDE = ['n', 'ids', 'json', 'svg', 'trace', 'states', 'memory', 'seconds']

/** What a check of all arrangements of ids covers. */
export interface PermutationCoverage {
  /** How many arrangements stand for all, and how many they are. */
  readonly needed: number
  readonly all: number
  /** What is known where each was explored and nothing is broken. */
  readonly proves: string
  /** The one with the most states. */
  readonly largest: {
    /** None where nodes have no ids. */
    readonly ids: readonly number[]
    readonly states: number
    readonly transitions: number
  }
}

/** A report on all arrangements has the fields of one; counts are sums, the depth the largest. */
export interface AllReport extends CheckReport {
  /** How many were explored. */
  readonly arrangements: number
  readonly coverage: PermutationCoverage
  readonly violated: BrokenArrangement | null
}

interface BrokenArrangement extends Counterexample {
  readonly ids: readonly number[]
  /** Shows it alone. */
  readonly command: string
}

/** Explores every arrangement of the ids 1 to n that matters; null where Ctrl-C was pressed. */
export async function exploreAll(
  name: string,
  options: Options,
  io: Io,
): Promise<(ExploredWorld & { readonly result: AllReport }) | null> {
  const before = cpuMs()
  const tally = new CostTally(integer('--states', options.states, 1, Number.MAX_SAFE_INTEGER))
  // One state is enough to see that the options make sense, and what world they describe.
  const { walk: _, ...still } = options
  const glance = await explore(name, { ...still, ids: 'increasing', states: '1' }, SILENT)
  const { world } = glance.subject
  const arrangements = arrangementsIn(glance)
  const progress = new ProgressLine(io)
  const crew = new PermutationPool(name, options, arrangements)
  const finished = await crew.work(tally, () =>
    progress.show(
      () =>
        `${grouped(tally.explored)} of ${grouped(arrangements.count)} permutations, ${grouped(tally.states)} states`,
    ),
  )
  progress.clear()
  if (!finished) {
    io.err(`interrupted after ${tally.explored} of ${arrangements.count} arrangements\n`)
    return null
  }
  const largest = { ...tally.largest, ids: arrangements.at(tally.largest.number) }
  const seen = (ids: readonly number[]) => (world.algorithm.needs.ids === undefined ? [] : ids)
  // Wherever it was found, it is told as the command for that arrangement tells it, if there is
  // still time to find it again.
  const ids = tally.violatedBy === null ? null : arrangements.at(tally.violatedBy)
  const alone = (ids: readonly number[]) => explore(name, { ...options, ids: ids.join() }, SILENT)
  const shown = ids ? await alone(ids) : glance
  const costly = tally.costs && (await worstOverAll(tally, tally.costs, arrangements, alone))
  const worst = costly?.worst
  const { reason: __, walk: ___, violated: again, ...described } = shown.result
  const violated = again ?? tally.example
  return {
    subject: costly?.subject ?? shown.subject,
    rules: shown.rules,
    result: {
      ...described,
      states: tally.states,
      transitions: tally.transitions,
      depth: tally.depth,
      hash: { ...described.hash, expectedMisses: tally.expectedMisses },
      exhausted: tally.reason === null && tally.explored === arrangements.count,
      ...(tally.reason !== null && { reason: reasonOf(tally.reason, options) }),
      arrangements: tally.explored,
      coverage: {
        needed: arrangements.count,
        all: world.algorithm.needs.ids === undefined ? 1 : factorial(arrangements.n),
        proves: proofOf(world) + drawn(world, glance.subject.scenario),
        largest: {
          ids: seen(largest.ids),
          states: largest.states,
          transitions: largest.transitions,
        },
      },
      ...(tally.draws && { draws: tally.draws }),
      ...(tally.walk && { walk: tally.walk }),
      properties: tally.properties(arrangements.count),
      ...(worst && { worst }),
      violated:
        violated && ids
          ? { ...violated, ids: seen(ids), command: commandFor(name, options, seen(ids)) }
          : null,
      speed: explorationSpeed(tally.states, cpuMs() - before),
    },
  }
}

/**
 * The largest id need not be tried at every position where the network can be moved onto itself,
 * ids are only compared, and nothing else tells positions apart: who starts, who is dead, what
 * nodes hold and links cost, what an author demands. (Of several that lead after a recovery,
 * neighbours in the order of positions are looked at; so then all are tried too.)
 */
function arrangementsIn({ subject, result: { wake, faults } }: ExploredWorld): IdPermutations {
  const { algorithm, topology, names } = subject.world
  const { ids, knows = [] } = algorithm.needs
  const { n } = topology
  const marked = (faults?.dead?.length ?? 0) + (faults?.recoveries ?? 0) > 0
  const told = knows.includes('weights') || knows.includes('inputs') || names !== undefined
  const demanding = subject.demands.length > 0
  const movable = ids === 'unique' && wake === 'any' && !marked && !told && !demanding
  const everywhere = Array.from({ length: n }, (_, node) => node)
  const places = movable ? orbitRepresentatives(topology) : everywhere
  const arrangements = ids === undefined ? IdPermutations.single(n) : new IdPermutations(n, places)
  if (arrangements.count <= MOST) return arrangements
  throw new UsageError(
    '--ids',
    `at most ${grouped(MOST)} arrangements can be tried, but ${n} nodes have ${grouped(arrangements.count)}.`,
    'Use fewer nodes, or --ids random with several seeds.',
  )
}

/**
 * It speaks of the ids that were tried. Nothing here shows that a definition only compares ids: it
 * may treat one of them in its own way, and such an id need not be among 1 to n.
 */
function proofOf({ algorithm, topology: { n } }: World): string {
  const { name, needs } = algorithm
  if (needs.ids === undefined) return `every world of this kind: the nodes of ${name} have no ids`
  const ids = n === 1 ? 'the id 1' : `every permutation of the ids 1 to ${n}`
  return `${ids}; other ids were not tried`
}

/** What stays as it was given, or the seed has drawn it: numbers of links, and weights. */
function drawn({ algorithm, topology }: World, { seed, weights }: CheckTarget['scenario']): string {
  const { knows = [] } = algorithm.needs
  const meaningful =
    topology.kind === 'ring' || knows.some((it) => it === 'direction' || it === 'peers')
  const parts = [
    ...(meaningful ? [] : ['numbers of links']),
    ...(knows.includes('weights') && weights === 'random' ? ['weights'] : []),
  ]
  const given = knows.includes('weights') && weights !== 'random' ? `; with weights ${weights}` : ''
  return parts.length === 0 ? given : `${given}; with the ${parts.join(' and ')} of seed ${seed}`
}

/** Threads share the memory; what one of them says of its part is said of the whole. */
function reasonOf(reason: string, { memory }: Options): string {
  return reason.replace(/of \d+ MB/, `of ${memory} MB`)
}

function commandFor(name: string, options: Options, ids: readonly number[]): string {
  const { n } = options
  const size = ids.length > 0 ? { ids: ids.join() } : { ...(n !== undefined && { n }) }
  const given = Object.entries(options)
    .filter(([flag, value]) => !ASIDE.includes(flag) && value !== undefined && value !== 'auto')
    .map(([flag, value]) => [flag.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`), value])
  return commandLine('check', name, { ...size, ...Object.fromEntries(given) })
}
