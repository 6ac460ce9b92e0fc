import {
  type Aggregate,
  algorithm,
  message,
  metropolisWeights,
  type NodeInput,
  nat,
  real,
  type Theory,
  timer,
} from '../../core/index.ts'
import type { Aggregation } from '../aggregation.ts'
import { mean } from './aggregates.ts'
import { latest } from './algorithm-cache.ts'
import { fourDigits, goesOn, numberFields, type RoundAlgorithm, roundParams } from './rounds.ts'

type Held = Record<string, number>
type Me = Held & NodeInput & { readonly exchanges: number; begun: number }

/** The field that keeps a number as it was when the round began. */
const sent = (name: string) => `${name}Sent`

/**
 * Averaging with all neighbours at once (Xiao and Boyd 2004, with Metropolis weights). In each
 * round a node sends its number x and its degree to all neighbours, and takes from each the
 * difference to the x that it has sent itself, divided by 1 + the larger degree of the two. No
 * randomness: every round multiplies the deviations by the same matrix, so they shrink by its
 * second largest eigenvalue. 2E messages per round.
 */
export const weightAlgorithm: RoundAlgorithm = ({ name, aggregate, theory }) => {
  const { names, fields, state } = numberFields(aggregate)
  const kept = Object.fromEntries(names.map((part) => [sent(part), real] as const))
  const VALUE = message({ ...fields, degree: nat })
  const TICK = timer()

  return algorithm({
    name,
    needs: { topology: 'any', knows: ['inputs'], time: 'rounds', start: 'together' },
    messages: { VALUE },
    timers: { TICK },
    params: roundParams,
    state: { ...kept, ...state } as typeof fields & Record<'begun', (typeof state)['begun']>,
    wakes: true,
    lasting: true,
    computes: { aggregate, carrier: null },

    start(my: Me, net) {
      for (const [part, { start }] of aggregate.parts.entries()) {
        my[names[part]] = start(my)
        my[sent(names[part])] = my[names[part]]
      }
      net.after(0, TICK)
    },

    on: {
      VALUE(my: Me, { degree, ...theirs }: Held, net) {
        for (const [part, { rule }] of aggregate.parts.entries()) {
          const x = names[part]
          my[x] += (theirs[x] - my[sent(x)]) * rule.weight!(net.degree, degree)
        }
      },
    },

    timeout: {
      TICK(my: Me, net) {
        for (const x of names) my[sent(x)] = my[x]
        const numbers = Object.fromEntries(names.map((x) => [x, my[x]]))
        net.sendAll(VALUE, { ...numbers, degree: net.degree } as never)
        if (goesOn(my)) net.after(my.period, TICK)
      },
    },

    reasons: {
      VALUE(my, theirs, _, { from, node }) {
        const [[x]] = [names]
        const mine = fourDigits((my as Held)[sent(x)])
        const other = fourDigits((theirs as Held)[x])
        return `moves towards ${other} of ${node(from)} from its own ${mine}`
      },
      TICK: () => 'tells all neighbours its number',
    },

    theory,
  })
}

const average: Aggregate = {
  ...mean,
  parts: [{ name: 'x', rule: metropolisWeights, start: ({ value }) => value }],
}

const theory: Theory = {
  title: 'Metropolis weights',
  authors: 'Xiao, Boyd 2004',
  idea: 'In every round each node tells all neighbours its number, and moves towards each of theirs: by the difference divided by 1 + the larger of the two degrees.',
  because:
    'Two neighbours take the same part of their difference, with opposite signs: the sum is kept. The weights of a node add up to less than 1, so the variance never grows, and per round deviations shrink by the second largest eigenvalue of the matrix of weights: 1 - (2-2cos(2pi/n))/3 on a ring, 1 - 1/n on a star, (d-1)/(d+1) on a hypercube; a complete network is exact after one round.',
  breaks:
    'Rounds that are not the same for both ends of a link: if a message is lost, late or early, two neighbours take parts of different differences, and the sum drifts. Changed values have no effect.',
  cost: '2E messages per round; deviation times the second largest eigenvalue',
  example: 'conclave run metropolis -t ring:8 --values index --until 20',
  bounds: [],
}

/** The average, by all neighbours at once and without randomness. */
export const metropolis: Aggregation<'metropolis'> = {
  name: 'metropolis',
  settings: {},
  aggregate: () => average,
  theory,
  algorithm: latest([], () => weightAlgorithm({ name: 'metropolis', aggregate: average, theory })),
}
