import type { ScenarioInput } from '../../src/scenario/index.ts'
import type { Mutant } from './mutant.ts'

type Planted = Pick<Mutant, 'bug' | 'file' | 'in' | 'from' | 'to' | 'world'>

/** A bug in an election that never falls silent, and the property that a run then breaks. */
export interface EndlessMutant extends Planted {
  readonly breaks: string
}

const STABLE = 'the largest is the stable leader'
const CONVERGES = 'converges'

/** Everybody believes in 99, next door. */
const haunted: ScenarioInput = {
  topology: 'path:4',
  timing: 'sync',
  until: 60,
  tables: '[[[99,0]],[[99,0],[99,0]],[[99,0],[99,0]],[[99,0]]]',
}

export const endlessMutants: readonly EndlessMutant[] = [
  {
    bug: 'the leader beats only once',
    file: 'complete/omega.ts',
    from: '  net.after(my.beat, BEATING)\n',
    to: '',
    world: { ids: '0,1,2', until: 400 },
    breaks: STABLE,
  },
  {
    bug: 'a node that is suspected stays suspected',
    file: 'complete/omega.ts',
    from: '        trust(my, from, net)\n',
    to: '',
    world: { ids: '0,1,2', delay: 'uniform:1:9', set: 'patience=5', until: 400 },
    breaks: STABLE,
  },
  {
    bug: 'who trusts another goes on sending beats',
    file: 'complete/omega.ts',
    from: '    net.cancel(BEATING)\n',
    to: '',
    world: { ids: '0,1,2', delay: 'uniform:1:9', set: 'patience=5', until: 400 },
    breaks: 'only the leader sends',
  },
  {
    bug: 'distances without a bound',
    file: 'graph/stabilizing.ts',
    from: '    if (dist >= my.bound) continue\n',
    to: '',
    world: haunted,
    breaks: CONVERGES,
  },
  {
    bug: 'distances that do not grow',
    file: 'graph/stabilizing.ts',
    from: 'const dist = far + 1',
    to: 'const dist = far',
    world: haunted,
    breaks: CONVERGES,
  },
  {
    bug: 'a node does not begin with itself when it compares',
    file: 'graph/stabilizing.ts',
    from: '  my.root = my.id\n  my.dist = 0\n',
    to: '',
    world: haunted,
    breaks: CONVERGES,
  },
]

/**
 * A bug in an aggregation. sum: what nodes and messages hold together is not kept. truth: at the
 * end some node is off by more than the error that is promised.
 */
export interface AggregationMutant extends Planted {
  readonly breaks: 'sum' | 'truth'
  /** The relative error that is promised. */
  readonly error: number
}

export const aggregationMutants: readonly AggregationMutant[] = [
  {
    bug: 'what is given away is kept, too',
    file: 'gossip/push-sum.ts',
    from: '      my[names[part]] -= share[names[part]]\n',
    to: '',
    world: { n: 10, values: 'index', timing: 'async', until: 30 },
    breaks: 'sum',
    error: 1e-3,
  },
  {
    bug: 'the weight of a link depends on one end only',
    file: 'gossip/metropolis.ts',
    from: 'rule.weight!(net.degree, degree)',
    to: 'rule.weight!(net.degree, net.degree)',
    world: { topology: 'star:6', values: 'index', timing: 'async', until: 60 },
    breaks: 'sum',
    error: 1e-3,
  },
  {
    bug: 'wrong comparison: the largest numbers are kept',
    file: 'gossip/extrema.ts',
    in: 'gossip/row-rules.ts',
    from: 'if (theirs[from + i] >= mine[at + i]) continue',
    to: 'if (theirs[from + i] <= mine[at + i]) continue',
    world: { topology: 'grid:3x4', timing: 'async', until: 8, set: 'K=100' },
    breaks: 'truth',
    // Four standard deviations.
    error: 4 / Math.sqrt(98),
  },
  {
    bug: 'equal values of different owners are taken for one',
    file: 'gossip/top-k.ts',
    from: 'mine[a] - theirs[b] || owner - other',
    to: 'mine[a] - theirs[b]',
    world: { topology: 'path:4', values: '5,1,5,2', timing: 'async', until: 8, set: 'k=2' },
    breaks: 'truth',
    error: 1e-12,
  },
  {
    bug: 'the wrong half of the interval is kept',
    file: 'gossip/quantile.ts',
    from: '>= share ? HIGH : LOW',
    to: '>= share ? LOW : HIGH',
    world: { n: 20, values: 'index', timing: 'async', delay: 'constant:0.01', set: 'precision=1' },
    breaks: 'truth',
    // The median of 0 to 19 has the rank 10.
    error: 1 / 9,
  },
]
