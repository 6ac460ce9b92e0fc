import {
  algorithm,
  compareIds,
  type Link,
  link,
  type My,
  map,
  maybe,
  message,
  type NetOf,
  real,
  timer,
  type Uid,
} from '../../core/index.ts'
import { eventualLeader } from '../../problems/index.ts'
import { positiveTimes } from '../positive-times.ts'

const BEAT = message({})

/** The trusted node sends its next beats. */
const BEATING = timer()
/** No beat of the trusted node has come for too long. */
const SILENCE = timer()

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers'],
  time: 'bounded delay',
  start: 'together',
} as const
const state = {
  /** Whom this node takes for the leader: the node behind a link, or null for itself. */
  trusted: maybe(link),
  /** How long this node waits for those that it has suspected wrongly; for others, patience. */
  wait: map(link, real),
}
const params = {
  beat: { says: 'time between two beats of the leader', value: () => 5 },
  patience: { says: 'how long a node waits for a beat at first', value: () => 12 },
  growth: { says: 'how much longer it waits after each wrong suspicion', value: () => 5 },
}

type Me = My<typeof needs, typeof state, typeof params>
type World = NetOf<typeof needs>

/**
 * The failure detector Omega with one sender in the long run (Larrea, Fernandez and Arevalo 2000).
 * Every node trusts the largest id that it does not suspect. Who trusts itself leads, and sends
 * beats to all smaller ids; who hears none in time trusts the next smaller id. A beat of a larger
 * node shows that the suspicion was wrong: it is trusted again and given more time. In the long run
 * only the leader sends, one message per beat and smaller id.
 */
export const omega = algorithm({
  name: 'omega',
  needs,
  messages: { BEAT },
  timers: { BEATING, SILENCE },
  params,
  variant: positiveTimes('omega', 'beat', 'patience'),
  state,
  wakes: true,
  quiet: 'never',
  problem: eventualLeader,

  start(my, net) {
    trust(my, largestBelow(my, null, net), net)
  },

  on: {
    BEAT(my, _body, net) {
      const { from } = net
      if (from === my.trusted) net.after(waitFor(my, from), SILENCE)
      else if (net.peer(from) > trustedId(my, net)) {
        my.wait.set(from, waitFor(my, from) + my.growth)
        trust(my, from, net)
      }
    },
  },

  timeout: {
    BEATING: beat,
    SILENCE(my, net) {
      trust(my, largestBelow(my, trustedId(my, net), net), net)
    },
  },

  display: {
    active: (my) => my.status === 'leader',
    badge: {
      name: 'how long it waits for a beat',
      of: (my) => (my.trusted === null ? null : waitFor(my, my.trusted)),
    },
    pointer: { name: 'trusts', of: (my) => my.trusted },
    countdown: {
      name: 'patience',
      of: (my) => (my.status === 'leader' ? 'BEATING' : 'SILENCE'),
    },
  },

  reasons: {
    BEAT(my, _, __, { from, node, peer }) {
      if (from === my.trusted) return `hears ${node(from)}, which it trusts`
      const largest = my.trusted === null ? my.id : peer(my.trusted)
      return peer(from) < largest
        ? `ignores ${node(from)}, which is smaller than the node that it trusts`
        : `trusts ${node(from)} again: its suspicion was wrong`
    },
    BEATING: () => 'shows all smaller ids that it is alive',
    SILENCE: (my, _, { node }) =>
      `suspects ${node(my.trusted!)}, of which it has heard nothing, and trusts the next smaller id`,
  },

  theory: {
    title: 'Omega',
    authors: 'Larrea, Fernandez and Arevalo 2000',
    idea: 'Every node trusts the largest id that it does not suspect. A node that trusts itself leads and sends beats to all smaller ids. A node that hears no beat of the trusted one in time trusts the next smaller id. If a beat of a larger node arrives after all, that node is trusted again, and waited for longer from then on.',
    because:
      'The largest live node trusts itself in the end, since nobody larger sends, and then beats for ever. A node that suspects it wrongly waits longer each time, so once delays are bounded this happens at most ceil((beat + largest delay - patience) / growth) times. From then on all trust it, and no other node sends.',
    breaks:
      'No growth (growth=0) where delays are longer than the patience again and again: trust moves for ever. Beats that are lost without end. A network without a bound on delays.',
    example: 'conclave run omega --ids 0,1,2,3,4 --crash 4@32,3@81 --until 200',
    cost: 'one message per beat and smaller id, by the leader alone',
    bounds: [
      {
        of: 'stability',
        kind: 'worst',
        formula: '0',
        value: ({ rounds }) => (rounds ? 1 : 0),
        when: ({ together, largestDelay, settings }) =>
          together && Number(settings?.patience) >= Number(settings?.beat) + largestDelay,
        where: 'without crashes, if patience is at least beat + largest delay',
      },
    ],
  },
})

function trustedId(my: Me, net: World): Uid {
  return my.trusted === null ? my.id : net.peer(my.trusted)
}

/** The node with the largest id, or with the largest one below another; null for this node. */
function largestBelow(my: Me, limit: Uid | null, net: World): Link | null {
  const larger = net.links.filter((link) => net.peer(link) > my.id)
  const left = larger.filter((link) => limit === null || net.peer(link) < limit)
  return left.sort((a, b) => compareIds(net.peer(a), net.peer(b))).at(-1) ?? null
}

function waitFor(my: Readonly<Me>, link: Link): number {
  return my.wait.get(link) ?? my.patience
}

function trust(my: Me, link: Link | null, net: World): void {
  my.trusted = link
  if (link === null) {
    net.lead()
    net.cancel(SILENCE)
    beat(my, net)
  } else {
    net.cancel(BEATING)
    net.follow(net.peer(link))
    net.after(waitFor(my, link), SILENCE)
  }
}

function beat(my: Me, net: World): void {
  for (const link of net.links) if (net.peer(link) < my.id) net.send(link, BEAT, {})
  net.after(my.beat, BEATING)
}
