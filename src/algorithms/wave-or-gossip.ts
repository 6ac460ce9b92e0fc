import type { TheoryComparison } from '../core/index.ts'

/** The costs of a wave and of gossip for the same average; a test repeats the measurements. */
export const waveOrGossip: TheoryComparison = {
  title: 'A wave or gossip',
  says: 'tree-aggregate sends 4E - N + 1 messages, once, and is exact: cheap on sparse networks, but without any result before the end. gossip-average sends 2N messages per cycle on any network: about 7.7N for each further digit on complete networks, far more if all neighbours are near. On random:1000:0.01, with 4,848 links, the wave takes 18,393 messages; gossip takes 30,000 until all nodes are within 1 % and 96,000 until they are within a millionth. On complete:1000 the wave takes 1,997,001 and gossip 18,000 or 50,000. On grid:32x32 it is 6,913 against 1,181,696 for 1 %. A lost message stops the wave and leaves a small error in gossip; gossip continues when values change, a wave must be repeated.',
  commands: [
    'conclave run tree-aggregate -t random:1000:0.01',
    'conclave run gossip-average -t random:1000:0.01 --timing cycles --set tolerance=0.000001 --until 60',
  ],
}
