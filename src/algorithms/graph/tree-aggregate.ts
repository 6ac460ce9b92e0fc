import { algorithm, type NodeInput } from '../../core/index.ts'
import { waveOrGossip } from '../wave-or-gossip.ts'
import {
  figuresOf,
  ofBoth,
  ofOne,
  scaleOf,
  summary,
  truthOf,
  type ValueSummary,
} from './summary.ts'
import { type InWave, wave, waveBounds } from './wave.ts'

const { messages, state, start, asked, answered, told, down, up, tree } = wave(summary, {
  own: (my: InWave<ValueSummary> & NodeInput) => ofOne(my.value),
  both: ofBoth,
  conclude(my, net) {
    if (my.source === my.id) net.lead()
    else net.follow(my.source)
  },
})

/**
 * Segall 1983 (propagation of information with feedback), on the tree of text 004. A source floods
 * WAVE, the first sender becomes the parent, ACK carries count, sum, squared deviations, min and
 * max of all below up the tree, and RESULT takes those of all down. Waves meet and begin anew as in
 * wireless; the source that is left leads. 2(2E-(N-1)) messages and N-1 RESULT with one source.
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
  on: { WAVE: asked, ACK: answered, RESULT: told },
  down,
  up,
  tree,

  finds: {
    // Who has not heard the end knows only what lies below.
    known: ({ leader, found }) => (leader === null ? null : figuresOf(found)),
    truth: truthOf,
    scale: scaleOf,
  },

  theory: {
    authors: 'Segall 1983; the tree of Vasudevan, Kurose and Towsley 2004',
    texts: ['004'],
    idea: 'A source asks all its neighbours with WAVE. Whoever hears of it first takes the sender as its parent and asks its own neighbours; others who ask it get an empty ACK. With all answers in, a node puts together what its children found with its own value, and tells its parent: how many they are, their sum, the sum of squared deviations from their mean, the smallest and the largest. The source then knows minimum, maximum, sum, count, mean and variance of all, and RESULT takes them down the tree. A higher source, or a later wave, takes over the nodes of another.',
    because:
      'The parents form a tree that spans the component, and a node answers once, to its parent, after all whom it asked: so every value is counted exactly once. Two groups put together have the deviations of both and those of their two means (Chan, Golub and LeVeque), which keeps the digits that a sum of squares loses. Of several waves only the highest gets all its answers.',
    breaks:
      'Lost messages: the source waits for ever. A detector that is off: who waits for a dead node waits for ever, and what the dead held is still believed. A result is that of one moment: values that change need a wave each time.',
    example: 'conclave run tree-aggregate --topology geometric:100:0.2 --values uniform:0:1',
    cost: 'WAVE = ACK = 2E-(N-1), RESULT = N-1 with one source; exact',
    comparison: waveOrGossip,
    bounds: waveBounds,
  },
})
