import { algorithm, type NodeInput } from '../../core/index.ts'
import { waveOrGossip } from '../wave-or-gossip.ts'
import {
  mergedSummaries,
  roundingScaleOf,
  statisticsOf,
  summary,
  summaryOf,
  truthOf,
  type ValueSummary,
} from './summary.ts'
import { type InWave, wave, waveBounds, waveDisplay, waveReasons } from './wave.ts'

const { messages, state, start, asked, answered, informed, down, up, tree } = wave(summary, {
  own: (my: InWave<ValueSummary> & NodeInput) => summaryOf(my.value),
  both: mergedSummaries,
  conclude(my, net) {
    if (my.source === my.id) net.lead()
    else net.follow(my.source)
  },
})

function meanText({ sum, count }: ValueSummary): string {
  return `${Number((sum / count).toPrecision(3))} of ${count}`
}

function waveReasonsOf() {
  const { asked, answered, informed } = waveReasons(meanText)
  return { WAVE: asked, ACK: answered, RESULT: informed }
}

/**
 * Segall 1983 (propagation of information with feedback), on the tree of Zambonelli (2023). A
 * source floods WAVE, the first sender becomes the parent, ACK carries count, sum, squared
 * deviations, min and max of a subtree up the tree, and RESULT carries those of all nodes down.
 * Waves extinguish each other and restart as in wireless; the remaining source becomes leader.
 * 2(2E-(N-1)) messages and N-1 RESULT with one source.
 */
export const treeAggregate = algorithm({
  name: 'tree-aggregate',
  needs: { topology: 'any', ids: 'unique', knows: ['liveness', 'inputs'] },
  messages: { WAVE: messages.ASK, ACK: messages.ACK, RESULT: messages.TELL },
  announcement: 'RESULT',
  elects: 'another',
  starters: 'first',
  lasting: true,
  state,
  wakes: false,

  start,
  on: { WAVE: asked, ACK: answered, RESULT: informed },
  down,
  up,
  tree,
  display: {
    ...waveDisplay('mean of its subtree, and the number of nodes', meanText),
    decides: { WAVE: 'source', ACK: 'found', RESULT: 'found' },
  },
  reasons: waveReasonsOf(),

  finds: {
    // Before RESULT arrives, a node has only the summary of its subtree.
    known: ({ leader, found }) => (leader === null ? null : statisticsOf(found)),
    truth: truthOf,
    scale: roundingScaleOf,
  },

  theory: {
    title: 'Tree aggregate',
    authors: 'Segall 1983; the tree of Vasudevan, Kurose and Towsley 2004',
    texts: ['004'],
    idea: 'A source sends WAVE to all its neighbours. A node that receives its first WAVE takes the sender as its parent and asks its other neighbours; it answers later WAVEs with an empty ACK. When all answers have arrived, a node merges the summaries of its children with its own value and sends the result to its parent: count, sum, sum of squared deviations from the mean, minimum and maximum. The source then knows minimum, maximum, sum, count, mean and variance of all nodes, and RESULT carries them down the tree. A higher source, or a later wave, takes over the nodes of another wave.',
    because:
      'The parents form a spanning tree of the component, and a node answers its parent once, after all nodes that it asked have answered: so every value is counted exactly once. The deviations of a union are those of both groups plus those of their means (Chan, Golub and LeVeque 1979), which keeps the digits that a sum of squares loses. Of several waves only the highest gets all its answers.',
    breaks:
      'Message loss: the source waits forever. No failure detector: a node waits forever for a crashed one, and values of crashed nodes still count. A result belongs to one moment: changed values need another wave.',
    example: 'conclave run tree-aggregate --topology geometric:100:0.2 --values uniform:0:1',
    cost: 'WAVE = ACK = 2E-(N-1), RESULT = N-1 with one source; exact',
    comparison: waveOrGossip,
    bounds: waveBounds,
  },
})
