import type { Algorithm, Needs, Problem } from '../../core/index.ts'
import { enumerated } from '../../core/text-format.ts'
import { implicitElection, leaderElection, leaderPerTerm } from '../../problems/index.ts'

/** Whether it is shown that ids are only compared; otherwise why not. */
export interface IdUse {
  readonly kind: 'proved' | 'refuted' | 'unknown'
  readonly detail: string
}

/**
 * The world that a definition declares, and in which it is graded. Whoever declares more is graded
 * in an easier world, so reports always show it.
 */
export interface GradedWorld {
  readonly idUse: IdUse
  /** What is judged; `own: ` before the name of a problem that the file itself defines. */
  readonly problem: string
  readonly network: Needs['topology']
  readonly ids: 'none' | 'unique' | 'numbers'
  readonly knows: readonly string[]
  readonly time: 'asynchronous' | 'bounded delay' | 'clocks' | 'rounds' | 'meetings'
  readonly order: 'any' | 'fifo'
  readonly start: 'any' | 'together'
  readonly coins: boolean
  /** Whether it declares that it answers crashes. */
  readonly crashes: boolean
  readonly elects: 'largest' | 'another'
  /** Whether it goes on after the election. */
  readonly lasting: boolean
}

const OWN = 'own: '
const BUILT_IN: readonly Problem[] = [leaderElection, implicitElection, leaderPerTerm]

export function gradedWorldOf(algorithm: Algorithm, idUse: IdUse): GradedWorld {
  const { needs, lasting, elects, down, meet } = algorithm
  const problem = algorithm.problem ?? leaderElection
  return {
    idUse,
    problem: BUILT_IN.includes(problem) ? problem.name : `${OWN}${problem.name}`,
    network: needs.topology,
    ids: needs.ids ?? 'none',
    knows: [...(needs.knows ?? [])],
    time: meet !== null ? 'meetings' : (needs.time ?? 'asynchronous'),
    order: needs.order ?? 'any',
    start: needs.start ?? 'any',
    coins: needs.coins === true,
    crashes: lasting && down !== null,
    elects,
    lasting,
  }
}

const NETWORKS: Readonly<Record<Needs['topology'], string>> = {
  ...{ ring: 'ring', complete: 'complete network', tree: 'tree', hypercube: 'hypercube' },
  any: 'any network',
}
const IDS = { none: 'anonymous', unique: 'unique ids', numbers: 'ids to compute with' }
const KNOWN: Readonly<Record<string, string>> = {
  peers: "neighbours' ids",
  liveness: 'a failure detector',
  weights: 'link weights',
  direction: 'sense of direction',
  inputs: 'values',
  voters: 'voters',
  incarnation: 'incarnations',
}

/** The world in one sentence: `ring, unique ids, n unknown, asynchronous, any order, ...`. */
export function gradedWorldText(world: GradedWorld): string {
  const { network, ids, knows, time, order, start, coins, crashes, elects, lasting } = world
  const { problem } = world
  const others = knows.filter((what) => what !== 'n').map((what) => KNOWN[what] ?? what)
  return [
    NETWORKS[network],
    IDS[ids],
    knows.includes('n') ? 'n known' : 'n unknown',
    ...(others.length > 0 ? [`knows ${enumerated(others)}`] : []),
    time === 'rounds' ? 'synchronous rounds' : time,
    ...(time === 'rounds' || time === 'meetings'
      ? []
      : [order === 'any' ? 'any order' : 'fifo links']),
    start === 'any' ? 'any nodes start' : 'all start together',
    crashes ? 'with crashes' : 'no crashes',
    ...(coins ? ['coins'] : []),
    ...(elects === 'another' ? ['any node may win'] : []),
    ...(lasting ? ['never stops'] : []),
    ...(problem === leaderElection.name ? [] : [`judged by ${problem}`]),
  ].join(', ')
}

const SHORT_TIMES: Readonly<Record<GradedWorld['time'], string>> = {
  ...{ asynchronous: 'async', 'bounded delay': 'bounded', clocks: 'clocks', rounds: 'rounds' },
  meetings: 'meetings',
}

/** The same for the column of a table: `ring async fifo n`. */
export function gradedWorldShort(world: GradedWorld): string {
  const { network, ids, knows, time, order, start, problem } = world
  return [
    network === 'any' ? 'graph' : network,
    SHORT_TIMES[time],
    ...(order === 'fifo' && time !== 'rounds' ? ['fifo'] : []),
    ...(start === 'together' ? ['together'] : []),
    ...(ids === 'none' ? ['anonymous'] : ids === 'numbers' ? ['numbers'] : []),
    ...knows,
    // What a file judges itself by must not look like an election.
    ...(problem.startsWith(OWN) ? ['own problem'] : []),
  ].join(' ')
}
