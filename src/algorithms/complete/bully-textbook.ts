import { algorithm, flag, type My, message, type NetOf, timer } from '../../core/index.ts'

const ELECTION = message({})
const OK = message({})
const COORDINATOR = message({})
/** Fires if no higher node has answered in time. */
const SILENCE = timer()
/** Fires if a higher node has answered, but no leader is announced in time. */
const VACANCY = timer()
/** Fires when an outcome is no longer recent. */
const SETTLED = timer()

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers', 'liveness'],
  time: 'bounded delay',
} as const
/** Whether this node holds an election, and whether an outcome is recent. */
const state = { electing: flag, settled: flag }
const params = {
  patience: {
    says: 'the time to wait for an answer: twice the largest delay',
    value: ({ largestDelay }: { largestDelay: number }) => 2 * largestDelay,
  },
}

type Self = My<typeof needs, typeof state, typeof params>

/** Asks all higher nodes. */
function elect(my: Self, net: NetOf<typeof needs>): void {
  const higher = net.links.filter((link) => net.peer(link) > my.id)
  for (const link of higher) net.send(link, ELECTION, {})
  if (higher.length > 0) {
    my.electing = true
    net.after(my.patience, SILENCE)
    net.after(2 * my.patience, VACANCY)
  } else becomeLeader(my, net)
}

function becomeLeader(my: Self, net: NetOf<typeof needs>): void {
  settle(my, net)
  net.lead()
  for (const link of net.links) if (net.peer(link) < my.id) net.send(link, COORDINATOR, {})
}

/** An outcome ends the election at this node; for some time it starts no other. */
function settle(my: Self, net: NetOf<typeof needs>): void {
  my.electing = false
  my.settled = true
  net.cancel(SILENCE)
  net.cancel(VACANCY)
  net.after(my.patience, SETTLED)
}

/**
 * Garcia-Molina 1982, as lectures show it. A node asks all higher ids whether they are alive. A
 * node that gets no answer in time is the highest and announces itself to the lower ones; an answer
 * means that a higher node takes over. At most n^2 - 1 messages in all, n - 1 if the highest node
 * begins. `bully` is the same with what recoveries and slow detectors need.
 */
export const bullyTextbook = algorithm({
  name: 'bully-textbook',
  needs,
  messages: { ELECTION, OK, COORDINATOR },
  announcement: 'COORDINATOR',
  starters: 'first',
  lasting: true,
  handover: ({ largestDelay }) => largestDelay,
  timers: { SILENCE, VACANCY, SETTLED },
  params,
  state,
  wakes: false,

  start: elect,

  on: {
    ELECTION(my, _body, net) {
      net.send(net.from, OK, {})
      if (!my.electing && !my.settled) elect(my, net)
    },
    OK(_my, _body, net) {
      net.cancel(SILENCE)
    },
    COORDINATOR(my, _body, net) {
      settle(my, net)
      net.follow(net.peer(net.from))
    },
  },

  timeout: {
    SILENCE: becomeLeader,
    VACANCY: elect,
    SETTLED(my) {
      my.settled = false
    },
  },

  down(my, link, net) {
    if (net.peer(link) !== my.leader) return
    net.withdraw()
    elect(my, net)
  },

  display: {
    active: (my) => my.status === 'leader' || my.electing,
    badge: {
      name: 'what it waits for',
      of: (my, _, { higher }) => (!my.electing ? null : higher === undefined ? 'answer' : 'leader'),
    },
    pointer: {
      name: 'waits for',
      of: (my, _, { higher }) => (my.electing && higher !== undefined ? Number(higher) : null),
    },
    countdown: {
      name: 'patience',
      of: (my, _, { higher }) =>
        !my.electing ? null : higher === undefined ? 'SILENCE' : 'VACANCY',
    },
    seen: {
      ELECTION: (my) => (my.electing ? null : { higher: undefined }),
      OK: (_, __, ___, { from }) => ({ higher: from }),
      COORDINATOR: () => ({ higher: undefined }),
      VACANCY: () => ({ higher: undefined }),
    },
  },

  reasons: {
    ELECTION(my, _, __, { from, node }) {
      const answer = `answers ${node(from)}, which has a smaller id`
      if (my.electing) return answer
      return my.settled
        ? `${answer}: an outcome is recent`
        : `${answer}, and holds an election itself`
    },
    OK: (_, __, ___, { from, node }) => `waits: ${node(from)} is higher and takes over`,
    COORDINATOR: (_, __, ___, { from, node }) => `follows ${node(from)}, which is higher`,
    SILENCE: () => 'becomes leader: no higher node has answered in time',
    VACANCY: () => 'holds an election again: no leader was announced in time',
    SETTLED: () => 'counts the election as over',
  },

  theory: {
    title: 'Bully, as in lectures',
    authors: 'Garcia-Molina 1982',
    texts: ['001', '004'],
    idea: 'A node that notices that the leader has crashed, or that recovers, holds an election: it asks all nodes with higher ids. Each live one answers OK and holds an election itself. A node that receives no OK in time becomes leader and announces it to all lower ids.',
    because:
      'An answer takes at most twice the largest delay. No answer in that time means that all higher nodes have crashed, so only the highest live node becomes leader. It is asked at the latest one delay after an election begins. If it crashes before it has announced itself, the nodes that wait for it begin again.',
    breaks:
      'A timeout that is too short (patience below twice the largest delay). A message of a leader that arrives after the report of its crash: its receiver follows a crashed node (detector faster than a message). Messages of different delays around a recovery: the announcement of a lower leader arrives after that of the recovered one. bully handles both.',
    example: 'conclave run bully-textbook --ids 0,1,2,3,4,5,6,7 --crash 7 --wake 4 --detect off',
    cost: 'n^2 - 1 messages in all, n - 1 at best',
    bounds: [
      {
        of: 'messages',
        kind: 'worst',
        formula: 'n(n-1)',
        value: ({ n }) => n * (n - 1),
        where: 'if all nodes are alive: each node asks the higher ones once',
      },
      {
        of: 'time',
        kind: 'worst',
        formula: '1',
        value: () => 1,
        where: 'if all nodes are alive: the highest is asked at once',
      },
    ],
  },
})
