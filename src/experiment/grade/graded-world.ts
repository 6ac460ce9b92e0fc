import { defaultOrder } from '../../check/index.ts'
import type { Algorithm, Needs } from '../../core/index.ts'
import { enumerated } from '../../core/text-format.ts'
import { BUILT_IN_PROBLEMS } from '../../problems/algorithm-properties.ts'
import { leaderElection } from '../../problems/index.ts'

/** Whether it is shown that ids are only compared; otherwise why not. */
export interface IdUse {
  readonly kind: 'proved' | 'refuted' | 'unknown'
  readonly detail: string
}

/**
 * The world that a definition declares, and in which it is graded. A definition that declares more
 * is graded in an easier world, so reports always show it.
 */
export interface GradedWorld {
  readonly idUse: IdUse
  /** What is judged; `own: ` before the name of a problem that the file itself defines. */
  readonly problem: string
  /** It states a chance to fail: then only what holds in every run is judged. */
  readonly mayFail: boolean
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

export function gradedWorldOf(algorithm: Algorithm, idUse: IdUse): GradedWorld {
  const { needs, lasting, elects, down, meet, theory } = algorithm
  const problem = algorithm.problem ?? leaderElection
  return {
    idUse,
    problem: BUILT_IN_PROBLEMS.includes(problem) ? problem.name : `${OWN}${problem.name}`,
    mayFail: theory.fails !== undefined,
    network: needs.topology,
    ids: needs.ids ?? 'none',
    knows: [...(needs.knows ?? [])],
    time: meet !== null ? 'meetings' : (needs.time ?? 'asynchronous'),
    order: defaultOrder(algorithm),
    start: needs.start ?? 'any',
    coins: needs.coins === true,
    crashes: lasting && down !== null,
    elects,
    lasting,
  }
}

/** Whether a file is judged by a problem that it defines itself. */
export function isOwnProblem({ problem }: GradedWorld): boolean {
  return problem.startsWith(OWN)
}

/** What a verdict must not hide: it judges something else than an election that never fails. */
export function judgedBy(world: GradedWorld): string | null {
  const { problem, mayFail } = world
  const words = [
    ...(mayFail ? ['a chance to fail that it states'] : []),
    ...(isOwnProblem(world) ? [`its own problem, ${problem.slice(OWN.length)}`] : []),
    ...(problem === leaderElection.name || isOwnProblem(world) ? [] : [problem]),
  ]
  return words.length === 0 ? null : `judged by ${enumerated(words)}`
}

const NETWORKS: Readonly<Record<Needs['topology'], string>> = {
  ring: 'ring',
  complete: 'complete network',
  tree: 'tree',
  hypercube: 'hypercube',
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
  const by = judgedBy(world)
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
    ...(by === null ? [] : [by]),
  ].join(', ')
}

const SHORT_TIMES: Readonly<Record<GradedWorld['time'], string>> = {
  asynchronous: 'async',
  'bounded delay': 'bounded',
  clocks: 'clocks',
  rounds: 'rounds',
  meetings: 'meetings',
}

/** The same for the column of a table: `ring async fifo n`. */
export function gradedWorldShort(world: GradedWorld): string {
  const { network, ids, knows, time, order, start } = world
  return [
    network === 'any' ? 'graph' : network,
    SHORT_TIMES[time],
    ...(order === 'fifo' && time !== 'rounds' ? ['fifo'] : []),
    ...(start === 'together' ? ['together'] : []),
    ...(ids === 'none' ? ['anonymous'] : ids === 'numbers' ? ['numbers'] : []),
    ...knows,
  ].join(' ')
}
