import {
  type Aggregate,
  algorithm,
  type Link,
  link,
  map,
  message,
  type NodeInput,
  nat,
  real,
  type Theory,
  timer,
} from '../../core/index.ts'
import type { FlowRule } from '../../core/language/aggregate.ts'
import type { Aggregation } from '../aggregation.ts'
import { mean } from './aggregates.ts'
import { latest } from './algorithm-cache.ts'
import { fourDigits, goesOn, type RoundAlgorithm, roundParams } from './rounds.ts'

/**
 * The average of a node and its neighbours, as far as the node knows. The flow over each link then
 * gives the neighbour just what it lacks.
 */
export const settle: FlowRule = (value, flow, estimate, from, to) => {
  let sum = value
  for (let l = from; l < to; l++) sum += estimate[l] - flow[l]
  const average = sum / (to - from + 1)
  for (let l = from; l < to; l++) {
    flow[l] += average - estimate[l]
    estimate[l] = average
  }
  return average
}

interface Links {
  readonly flows: Map<Link, number>
  readonly heard: Map<Link, number>
}
type Me = Links & NodeInput & Record<string, number> & { readonly exchanges: number; begun: number }

/**
 * Flow updating (Jesus, Baquero and Almeida 2009). A node keeps for each link what has flowed over
 * it and what the neighbour last estimated; its own share is its value less the flows. In each
 * round it averages with the neighbours, moves the flows so that all have this average, and sends
 * flow and average to all. A message says what the flow is, not what to add: one that is lost or
 * arrives twice does no harm. 2E messages per round.
 */
export const flowAlgorithm: RoundAlgorithm = ({ name, aggregate, theory }) => {
  const [{ name: own = 'p0', rule }] = aggregate.parts
  const FLOW = message({ flow: real, estimate: real })
  const TICK = timer()

  function forget(my: Links, over: Link): void {
    my.flows.delete(over)
    my.heard.delete(over)
  }

  return algorithm({
    name,
    needs: { topology: 'any', knows: ['inputs', 'liveness'] },
    messages: { FLOW },
    timers: { TICK },
    params: roundParams,
    state: { [own]: real, flows: map(link, real), heard: map(link, real), begun: nat } as never,
    wakes: true,
    lasting: true,
    computes: { aggregate, carrier: null },

    start(my: Me, net) {
      my[own] = aggregate.parts[0].start(my)
      net.after(0, TICK)
    },

    on: {
      FLOW(my: Me, { flow, estimate }, net) {
        my.flows.set(net.from, -flow)
        my.heard.set(net.from, estimate)
      },
    },

    timeout: {
      TICK(my: Me, net) {
        const links = net.links.filter((one) => net.up(one))
        const flow = links.map((one) => my.flows.get(one) ?? 0)
        const heard = links.map((one) => my.heard.get(one) ?? 0)
        my[own] = rule.flow!(aggregate.parts[0].start(my), flow, heard, 0, links.length)
        for (const [i, one] of links.entries()) {
          my.flows.set(one, flow[i])
          my.heard.set(one, heard[i])
          net.send(one, FLOW, { flow: flow[i], estimate: heard[i] })
        }
        if (goesOn(my)) net.after(my.period, TICK)
      },
    },

    down: (my: Me, over) => forget(my, over),
    up: (my: Me, over) => forget(my, over),

    reasons: {
      FLOW: (_, { flow, estimate }, __, { from, node }) =>
        `has heard that ${node(from)} estimates ${fourDigits(estimate)} and that ${fourDigits(flow)} flowed to here`,
      TICK: () => 'averages with what it has heard, and tells all neighbours',
    },

    theory,
  })
}

const average: Aggregate = {
  ...mean,
  parts: [{ name: 'a', rule: { flow: settle }, start: ({ value }) => value }],
}

const theory: Theory = {
  title: 'Flow updating',
  authors: 'Jesus, Baquero, Almeida 2009',
  idea: 'Each node remembers what has flowed over each of its links. What it holds is its value less these flows. In every round it averages with its neighbours and tells them the flows that make all equal to this average.',
  because:
    'The value itself is never given away, and both ends of a link agree on its flow as soon as one message arrives: the flows cancel, whatever was lost before. So the estimates converge to the average of the present values of the live nodes.',
  breaks:
    'Without a failure detector what has flowed to a crashed node is never taken back. Nodes with many links take longer to agree than with gossip-average.',
  cost: '2E messages per round; about 0.77 of the error left per round on torus:8x8',
  example: 'conclave run flow-updating -t torus:8x8 --loss 0.3 --until 40',
  bounds: [],
}

/** The average that survives loss, crashes and changing values without epochs. */
export const flowUpdating: Aggregation<'flow-updating'> = {
  name: 'flow-updating',
  settings: {},
  aggregate: () => average,
  theory,
  algorithm: latest([], () => flowAlgorithm({ name: 'flow-updating', aggregate: average, theory })),
}
