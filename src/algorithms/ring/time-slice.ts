import {
  type Algorithm,
  algorithm,
  left,
  type My,
  message,
  type Net,
  timer,
  uid,
} from '../../core/index.ts'
import { timeTogether, worstMessages } from '../bounds.ts'

const WAKE = message({})
const LEADER = message({ id: uid })
const MY_SLICE = timer()

const needs = { topology: 'ring', ids: 'numbers', knows: ['n'], time: 'rounds' } as const
type Me = My<typeof needs, Record<never, never>>

function awaitSlice(my: Me, net: Net<'ring' | 'n'>): void {
  net.after(my.id * net.n, MY_SLICE)
}

function hearLeader(my: Me, { id }: { id: number }, net: Net<'ring'>): void {
  if (id !== my.id) {
    net.follow(id)
    net.cancel(MY_SLICE)
    net.send(left, LEADER, { id })
  }
  net.stop()
}

function lead(my: Me, net: Net<'ring'>): void {
  net.lead()
  net.send(left, LEADER, { id: my.id })
}

/**
 * The first synchronous algorithm of text 000. Time is cut into slices of n rounds; in slice m the
 * node with id m, if there is one, tells everybody that it leads, and a slice is long enough for
 * that. Exactly n messages, but m n rounds for the smallest id m. The text's remark that a common
 * start is not really required is the setting start=flood, at the cost of n messages more.
 */
export const timeSlice = algorithm({
  name: 'time-slice',
  needs: { ...needs, start: 'together' },
  messages: { LEADER },
  timers: { MY_SLICE },
  params: {
    start: {
      says: 'flood: nodes may start in different rounds; each sends one wake message when it wakes',
      choices: ['together', 'flood'],
      value: () => 'together',
    },
  },
  variant: ({ start }) => (start === 'flood' ? flooding() : null),
  state: {},
  wakes: false,
  elects: 'another',

  start: awaitSlice,
  on: { LEADER: hearLeader },
  timeout: { MY_SLICE: lead },

  beyond: ({ n, smallestId }) =>
    n * (smallestId + 2) <= Number.MAX_SAFE_INTEGER
      ? null
      : {
          needed: 'the election must end before round 2^53',
          given: `the smallest id is ${smallestId} and n is ${n}`,
          remedy: 'Use smaller ids.',
        },

  theory: {
    authors: 'TimeSlice of Lynch 1996',
    texts: ['000'],
    idea: 'Time is cut into slices of n rounds. When the slice with the number of its id comes and it has heard of no leader, a node leads and tells the others within the slice.',
    because:
      'The smallest id is first. Its message reaches everyone before the next slice begins, and with that everyone stays silent.',
    breaks:
      'Nodes that start in different rounds, unless start=flood is set, or a wrong n: a second node may begin its slice before the message reaches it.',
    example: 'conclave run time-slice --ids 7,9,12,8',
    cost: 'n messages, m n rounds for the smallest id m',
    bounds: [
      worstMessages('n', ({ n }) => n),
      timeTogether('m n (m the smallest id)', ({ n, smallestId }) => n * smallestId),
    ],
  },
})

/**
 * Whoever wakes, by itself or by a message, sends one WAKE and counts its slices from then on.
 * Clocks differ, yet slices of n rounds suffice. Let v have the smallest id m and let u be another,
 * d places further on. If u wakes in round t, its WAKE has come to v by round t + n - d. So v leads
 * by t + n - d + m n, and u hears of it by t + (m+1) n. The slice of u begins no earlier, and in a
 * round a node reads before it acts.
 *
 * To the drivers it is an algorithm of its own: with a common start there is still but one type of
 * message, and no bit is charged to tell it from others.
 */
function flooding(): Algorithm {
  return algorithm({
    name: timeSlice.name,
    needs,
    messages: { WAKE, LEADER },
    timers: { MY_SLICE },
    params: timeSlice.params,
    state: {},
    wakes: true,
    elects: 'another',

    start(my, net) {
      net.send(left, WAKE, {})
      awaitSlice(my, net)
    },
    on: { WAKE() {}, LEADER: hearLeader },
    timeout: { MY_SLICE: lead },

    beyond: timeSlice.beyond,
    theory: {
      ...timeSlice.theory,
      bounds: [
        worstMessages('2n', ({ n }) => 2 * n),
        timeTogether('m n (m the smallest id)', ({ n, smallestId }) => n * smallestId),
        {
          of: 'time',
          kind: 'worst',
          formula: '(m+1)n - 1',
          value: (w) => (w.smallestId + 1) * w.n - 1,
        },
      ],
    },
  })
}
