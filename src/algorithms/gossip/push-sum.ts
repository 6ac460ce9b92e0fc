import {
  type Aggregate,
  type AggregateField,
  algorithm,
  half,
  message,
  type NodeInput,
  type Theory,
  timer,
} from '../../core/index.ts'
import type { Aggregation } from '../aggregation.ts'
import { latest } from './algorithm-cache.ts'
import { fourDigits, goesOn, numberFields, type RoundAlgorithm, roundParams } from './rounds.ts'

type Held = Record<string, number>
type Me = Held & NodeInput & { readonly exchanges: number; begun: number }

/**
 * Push-sum (Kempe, Dobra and Gehrke 2003). A node holds a sum s and a weight w. In each round it
 * keeps half of both and sends the other half to a random neighbour; what arrives is added. The
 * estimate is s/w. Sums over nodes and messages never change. One message per node and round; on a
 * complete network the expected squared deviation is about halved in each round.
 */
export const shareAlgorithm: RoundAlgorithm = ({ name, aggregate, theory }) => {
  const { names, fields, state } = numberFields(aggregate)
  const SHARE = message(fields)
  const TICK = timer()

  /** Takes away what the node gives, and returns it. */
  function given(my: Held): Held {
    const share: Held = {}
    for (const [part, { rule }] of aggregate.parts.entries()) {
      share[names[part]] = rule.share!(my[names[part]])
      my[names[part]] -= share[names[part]]
    }
    return share
  }

  return algorithm({
    name,
    needs: { topology: 'any', knows: ['inputs'], coins: true },
    messages: { SHARE },
    timers: { TICK },
    params: roundParams,
    state: state as typeof fields & Record<'begun', (typeof state)['begun']>,
    wakes: true,
    lasting: true,
    computes: { aggregate, carrier: 'SHARE' },

    start(my: Me, net) {
      for (const [part, { start }] of aggregate.parts.entries()) my[names[part]] = start(my)
      net.after(0, TICK)
    },

    on: {
      SHARE(my: Me, share) {
        for (const part of names) my[part] += share[part]
      },
    },

    timeout: {
      TICK(my: Me, net) {
        const link = net.pick()
        if (link !== null) net.send(link, SHARE, given(my))
        if (goesOn(my)) net.after(my.period, TICK)
      },
    },

    reasons: {
      SHARE: (_, share, __, { from, node }) =>
        `adds what ${node(from)} gives away: ${names.map((part) => `${part} ${fourDigits(share[part])}`).join(', ')}`,
      TICK: () => 'gives a part of what it holds to a random neighbour',
    },

    theory,
  })
}

const weight = (start: AggregateField['start']): AggregateField => ({
  name: 'w',
  rule: half,
  start,
})
const value = ({ value }: NodeInput) => value
const one = () => 1
const holder = ({ chosen }: NodeInput) => (chosen === 0 ? 1 : 0)
const total = (values: Float64Array) => values.reduce((sum, each) => sum + each, 0)

function ratio(
  s: AggregateField['start'],
  w: AggregateField['start'],
  chosen: number,
  truth: Aggregate['truth'],
): Aggregate {
  return {
    parts: [{ name: 's', rule: half, start: s }, weight(w)],
    chosen,
    estimate: (parts, at = 0) => parts[at] / parts[at + 1],
    truth,
  }
}

/** With a weight at one node only, s/w is the sum; with s = 1 everywhere, that is the count. */
const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  average: ratio(value, one, 0, (values) => total(values) / values.length),
  sum: ratio(value, holder, 1, total),
  count: ratio(one, holder, 1, (values) => values.length),
}

const theory: Theory = {
  title: 'Push-sum',
  authors: 'Kempe, Dobra, Gehrke 2003',
  idea: 'Each node holds a sum and a weight. In every round all nodes at once keep half of both and send the other half to a random neighbour. The estimate is the sum divided by the weight.',
  because:
    'Nothing is lost or made: over nodes and messages together both sums never change. Each round mixes what a node holds with that of others, so all ratios converge to the ratio of the sums; on complete networks the expected sum of squares of s - w * mean shrinks by exactly 1/2 - (3n-4)/(4(n-1)^2) per round.',
  breaks:
    'A lost message takes its share of sum and weight along: all nodes agree, on a wrong value. A message that arrives twice adds it. Crashes and changed values are as for gossip-average.',
  cost: 'n messages per round; squared deviation halved per round',
  example: 'conclave run push-sum -n 1000 --until 20',
  bounds: [],
}

/** Averages, sums and counts by one-way messages. */
export const pushSum: Aggregation<'push-sum'> = {
  name: 'push-sum',
  settings: {
    of: {
      says: 'what is computed: average, sum, or count',
      otherwise: 'average',
      words: ['average', 'sum', 'count'],
    },
  },
  aggregate: ({ of }) => AGGREGATES[of],
  theory,
  algorithm: latest(['of'], ({ of }) =>
    shareAlgorithm({ name: 'push-sum', aggregate: AGGREGATES[of], theory }),
  ),
}
