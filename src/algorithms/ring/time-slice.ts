import { algorithm, left, message, timer, uid } from '../../core/index.ts'
import { timeTogether, worstMessages } from './bounds.ts'

const LEADER = message({ id: uid })
const MY_SLICE = timer()

/**
 * The first synchronous algorithm of text 000. Time is cut into slices of n rounds; in slice m the
 * node with id m, if there is one, tells everybody that it leads, and a slice is long enough for
 * that. Exactly n messages, but m n rounds for the smallest id m.
 */
export const timeSlice = algorithm({
  name: 'time-slice',
  needs: {
    topology: 'ring',
    ids: 'numbers',
    knows: ['n'],
    time: 'rounds',
    start: 'together',
  },
  messages: { LEADER },
  timers: { MY_SLICE },
  state: {},
  wakes: false,
  elects: 'another',

  start(my, net) {
    net.after(my.id * net.n, MY_SLICE)
  },

  on: {
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.cancel(MY_SLICE)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },

  timeout: {
    MY_SLICE(my, net) {
      net.lead()
      net.send(left, LEADER, { id: my.id })
    },
  },

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
    idea: 'Time is cut into slices of n rounds. When the slice with the number of its id comes and it has heard of no leader, a node leads and tells the others within the slice.',
    because:
      'The smallest id is first. Its message reaches everyone before the next slice begins, and with that everyone stays silent.',
    breaks:
      'Nodes that start in different rounds, or a wrong n: a second node may begin its slice before the message reaches it.',
    example: 'conclave run time-slice --ids 7,9,12,8',
    cost: 'n messages, m n rounds for the smallest id m',
    bounds: [
      worstMessages('n', ({ n }) => n),
      timeTogether('m n (m the smallest id)', ({ n, smallestId }) => n * smallestId),
    ],
  },
})
