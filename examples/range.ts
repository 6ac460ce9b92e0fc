/*
 * An aggregation of your own: the range of all values, the largest minus the smallest. Nodes gossip
 * two numbers; each keeps the larger one of the first and the smaller one of the second.
 *
 *   conclave run range.ts -n 1000 --timing cycles
 *   conclave run range.ts -n 100 --until 12
 *   conclave check range.ts --values 3,1,4
 *   conclave experiment range.ts --timing cycles --sweep n=2^6..2^12 --measure reached --fit auto
 *   conclave cluster range.ts -n 5 --values index
 */
import { gossip, largest, smallest } from 'conclave'

export default gossip({
  name: 'range',
  aggregate: {
    parts: [
      { rule: largest, start: ({ value }) => value },
      { rule: smallest, start: ({ value }) => value },
    ],
    estimate: ([most, least]) => most - least,
    truth: (values) => Math.max(...values) - Math.min(...values),
  },
  theory: {
    idea: 'In every cycle each node exchanges the largest and the smallest value that it knows with a random neighbour.',
    because:
      'An extreme is never lost, and the number of nodes that know it about doubles per cycle.',
    breaks: 'Extremes of nodes that have crashed persist; epochs (epoch=30) forget them.',
  },
})
