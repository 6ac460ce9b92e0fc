import {
  type Algorithm,
  algorithm,
  left,
  type My,
  message,
  type NetOf,
  numericUid,
  timer,
} from '../../core/index.ts'
import { timeTogether, worstMessages } from '../bounds.ts'
import { announcementReason } from '../reasons.ts'

const WAKE = message({})
const LEADER = message({ id: numericUid })
const MY_SLICE = timer()

const needs = { topology: 'ring', ids: 'numbers', knows: ['n'], time: 'rounds' } as const
type Me = My<typeof needs, Record<never, never>>

function awaitSlice(my: Me, net: NetOf<typeof needs>): void {
  net.after(my.id * net.n, MY_SLICE)
}

function onLeader(my: Me, { id }: { id: number }, net: NetOf<typeof needs>): void {
  if (id !== my.id) {
    net.follow(id)
    net.cancel(MY_SLICE)
    net.send(left, LEADER, { id })
  }
  net.stop()
}

function lead(my: Me, net: NetOf<typeof needs>): void {
  net.lead()
  net.send(left, LEADER, { id: my.id })
}

const display = {
  badge: { name: 'slice', of: (my: Me) => my.id },
  countdown: { name: 'time until its slice', of: (): 'MY_SLICE' => 'MY_SLICE' },
} as const

const reasons = {
  LEADER: announcementReason,
  MY_SLICE: () => 'becomes leader: its slice begins, and nobody has led before',
}

/**
 * TimeSlice (Lynch 1996), the first synchronous algorithm of the MPS lecture. Time is divided into
 * slices of n rounds; in slice m the node with id m, if there is one, becomes leader and announces
 * it within the slice. Exactly n messages, but m n rounds for the smallest id m. The lecture
 * remarks that a common start is not required: that is the setting start=flood, with n more
 * messages.
 */
export const timeSlice = algorithm({
  name: 'time-slice',
  needs: { ...needs, start: 'together' },
  messages: { LEADER },
  timers: { MY_SLICE },
  params: {
    start: {
      says: 'flood: nodes may start in different rounds; every node sends one wake message when it wakes',
      choices: ['together', 'flood'],
      value: () => 'together',
    },
  },
  variant: ({ start }) => (start === 'flood' ? flooding() : null),
  state: {},
  wakes: false,
  elects: 'another',

  start: awaitSlice,
  on: { LEADER: onLeader },
  timeout: { MY_SLICE: lead },

  beyond: ({ n, smallestId }) =>
    n * (smallestId + 2) <= Number.MAX_SAFE_INTEGER
      ? null
      : {
          problem: `the election must end before round 2^53, but the smallest id is ${smallestId} and n is ${n}.`,
          hint: 'Use smaller ids.',
        },

  display,
  reasons,

  theory: {
    title: 'Time-slice',
    authors: 'TimeSlice of Lynch 1996',
    also: ['Waiting'],
    texts: ['000'],
    idea: 'Time is divided into slices of n rounds. A node becomes leader when the slice with the number of its id begins, unless it has received an announcement before. It announces itself within the slice.',
    because:
      'The slice of the smallest id comes first. Its announcement reaches all nodes before the next slice begins, so no other node becomes leader.',
    breaks:
      'Nodes that start in different rounds, unless start=flood is set, or a wrong n: a second node may begin its slice before the announcement reaches it.',
    example: 'conclave run time-slice --ids 7,9,12,8',
    cost: 'n messages, m n rounds for the smallest id m',
    bounds: [
      worstMessages('n', ({ n }) => n),
      timeTogether('m n (m the smallest id)', ({ n, smallestId }) => n * smallestId),
    ],
  },
})

/**
 * A node that wakes, spontaneously or by a message, sends one WAKE and counts its slices from then
 * on. Clocks differ, yet slices of n rounds suffice. Let v have the smallest id m, and let u be
 * another node, d positions further on. If u wakes in round t, its WAKE reaches v by round t + n -
 * d. So v leads by t + n - d + m n, and u receives the announcement by t + (m+1) n. The slice of u
 * begins no earlier, and in a round a node receives messages before it acts.
 *
 * For the engines it is an algorithm of its own: with a common start there is only one message
 * type, and no bits are charged to distinguish it.
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
    on: { WAKE() {}, LEADER: onLeader },
    timeout: { MY_SLICE: lead },

    beyond: timeSlice.beyond,
    display,
    reasons: { ...reasons, WAKE: () => 'has started already: it has sent this on when it woke' },
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
