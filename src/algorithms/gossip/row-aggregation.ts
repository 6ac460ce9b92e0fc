import type { Aggregate, Theory } from '../../core/index.ts'
import type { Aggregation, AggregationSettings, WordSetting } from '../aggregation.ts'
import { latest } from './algorithm-cache.ts'
import { gossipAlgorithm } from './gossip.ts'

/** An aggregation whose nodes exchange rows of numbers, with the same rules in both forms. */
export function rowAggregation<Name extends string>(
  name: Name,
  settings: Aggregation['settings'],
  theory: Theory,
  aggregate: (settings: AggregationSettings) => Aggregate,
): Aggregation<Name> {
  return {
    name,
    settings,
    aggregate,
    theory,
    algorithm: latest([...Object.keys(settings), 'n'], (set) =>
      gossipAlgorithm({ name, theory, aggregate: aggregate(set) }),
    ),
  }
}

/** Sketches and lists may be flooded: what is taken in twice changes nothing. */
export const how: WordSetting = {
  says: 'how news spread: exchange (with a random neighbour in each cycle), or flood (also to all neighbours at once); flood is the default on networks that are not complete',
  otherwise: 'exchange',
  elsewhere: 'flood',
  words: ['exchange', 'flood'],
}
