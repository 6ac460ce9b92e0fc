import {
  algorithm,
  flag,
  link,
  type My,
  maybe,
  message,
  type Net,
  set,
  timer,
} from '../../core/index.ts'

/*
 * What is added to bully-textbook.ts, and why:
 *
 * - `mayBeAlive`: nodes that are reported as crashed are not asked, so that elections cost less.
 * - `fallen`: messages of a crashed node may arrive after the report of its crash. They are
 *   ignored, else their receiver would follow a node of which it hears no more.
 * - `chief`: an announcement of a lower leader may arrive after that of a higher, recovered one.
 * - `unseen`: reports from before a crash are outdated. A recovered node trusts none of them.
 * - `awaited`: the detector may report a recovery before the recovered node announces itself.
 *   Lower leaders withdraw at once, and hold an election if it never does.
 */

const ELECTION = message({})
const OK = message({})
const COORDINATOR = message({})
/** Fires if no higher node has answered in time. */
const SILENCE = timer()
/** Fires if a higher node has answered, but no leader is announced in time. */
const VACANCY = timer()
/** Fires when an outcome is no longer recent. */
const SETTLED = timer()
/** Fires when all messages of crashed nodes have arrived. */
const ECHO = timer()

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers', 'liveness'],
  time: 'bounded delay',
} as const
const state = {
  /** The link to the leader. */
  chief: maybe(link),
  /** Whether this node runs an election. */
  electing: flag,
  /** Whether an outcome is recent. */
  settled: flag,
  /** The link to a recovered node that should become leader. */
  awaited: maybe(link),
  /** Recovered, and perhaps not alone: reports of crashes are not trusted. */
  unseen: flag,
  /** Links to nodes that crashed so recently that messages of theirs may still arrive. */
  fallen: set(link),
}
const params = {
  patience: {
    says: 'the time to wait for an answer: twice the largest delay',
    value: ({ largestDelay }: { largestDelay: number }) => 2 * largestDelay,
  },
}

type Self = My<typeof needs, typeof state, typeof params>
type BullyNet = Net<'peers' | 'liveness'>

/**
 * Garcia-Molina 1982: the algorithm of bully-textbook.ts, and what it needs where nodes recover,
 * detectors are slow or wrong, and delays differ. A node asks all higher ids; without an answer in
 * time it leads. At most n^2 - 1 messages in all, n - 1 if the highest node begins: where nothing
 * fails, the same as in bully-textbook.ts.
 */
export const bully = algorithm({
  name: 'bully',
  needs,
  messages: { ELECTION, OK, COORDINATOR },
  announcement: 'COORDINATOR',
  starters: 'first',
  lasting: true,
  handover: ({ largestDelay }) => largestDelay,
  timers: { SILENCE, VACANCY, SETTLED, ECHO },
  params,
  state,
  wakes: false,

  start: elect,

  /** Earlier reports of the detector may be outdated: ask and notify all nodes. */
  recover(my, net) {
    my.unseen = true
    for (const link of net.links) if (!net.up(link)) noteCrash(my, link, net)
    elect(my, net)
  },

  on: {
    ELECTION(my, _body, net) {
      net.send(net.from, OK, {})
      if (!my.settled) electUnlessRunning(my, net)
    },
    OK(_my, _body, net) {
      net.cancel(SILENCE)
    },
    COORDINATOR(my, _body, net) {
      const { from } = net
      const id = net.peer(from)
      // A node that was reported as crashed may have recovered, too.
      if (my.unseen && my.fallen.has(from)) net.cancel(SILENCE)
      if (id < my.id || my.fallen.has(from)) return electUnlessRunning(my, net)
      // An announcement of a lower leader may arrive after that of a higher, recovered one.
      if (my.settled && my.chief !== null && net.peer(my.chief) > id) return
      const awaited = my.awaited !== null && net.peer(my.awaited) > id ? my.awaited : null
      settle(my, from, net)
      net.follow(id)
      my.awaited = awaited
      // The detector does not report the crash of a node that it suspects already.
      if (awaited !== null || !net.up(from)) net.after(2 * my.patience, VACANCY)
    },
  },

  timeout: {
    SILENCE: becomeLeader,
    VACANCY(my, net) {
      my.awaited = null
      elect(my, net)
    },
    SETTLED(my) {
      my.settled = false
      my.unseen = false
    },
    ECHO: (my) => my.fallen.clear(),
  },

  down(my, link, net) {
    if (net.peer(link) > my.id) noteCrash(my, link, net)
    if (link === my.awaited) my.awaited = null
    if (link !== my.chief) return
    my.chief = null
    net.withdraw()
    electUnlessRunning(my, net)
  },

  /**
   * A recovered node announces itself or holds an election. If it does neither, it was only out of
   * reach, or its messages were ignored: the leader holds an election, or the other nodes do.
   */
  up(my, link, net) {
    my.fallen.delete(link)
    const leads = my.status === 'leader'
    // While this node runs an election, the former leader may have crashed.
    const chief = my.electing ? null : my.chief
    const known = [chief, my.awaited]
      .filter((other) => other !== null)
      .map((other) => net.peer(other))
    const higher = my.status !== 'asleep' && [my.id, ...known].every((id) => net.peer(link) > id)
    if (leads || higher) net.after(leads ? my.patience : 2 * my.patience, VACANCY)
    if (!higher) return
    my.awaited = link
    my.electing = true
    net.cancel(SILENCE)
    if (leads) net.withdraw()
  },

  display: {
    active: (my) => my.status === 'leader' || my.electing,
    badge: {
      name: 'what it waits for',
      of: (my, _, { higher }) =>
        !my.electing ? null : my.awaited !== null || higher !== undefined ? 'leader' : 'answer',
    },
    pointer: {
      name: 'waits for',
      of: (my, _, { higher }) =>
        my.awaited ?? (my.electing && higher !== undefined ? Number(higher) : null),
    },
    countdown: {
      name: 'patience',
      of: (my, _, { higher }) =>
        !my.electing ? null : my.awaited !== null || higher !== undefined ? 'VACANCY' : 'SILENCE',
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
      if (my.settled) return `${answer}: an outcome is recent`
      return my.electing ? answer : `${answer}, and holds an election itself`
    },
    OK: (_, __, ___, { from, node }) => `waits: ${node(from)} is higher and takes over`,
    COORDINATOR(my, _, __, { from, node, peer }) {
      const next = my.electing ? 'goes on with its election' : 'holds an election'
      if (peer(from) < my.id) return `does not accept ${node(from)}, which is lower: ${next}`
      if (my.fallen.has(from)) return `takes ${node(from)} for crashed: ${next}`
      if (my.settled && my.chief !== null && peer(my.chief) > peer(from))
        return `ignores ${node(from)}: it follows ${node(my.chief)}, which is higher`
      return `follows ${node(from)}, which is higher`
    },
    SILENCE: () => 'becomes leader: no higher node has answered in time',
    VACANCY: () => 'holds an election again: no leader was announced in time',
    SETTLED: () => 'counts the election as over',
    ECHO: () => 'expects no more messages of crashed nodes',
  },

  theory: {
    title: 'Bully',
    authors: 'Garcia-Molina 1982',
    also: ['Garcia-Molina'],
    texts: ['001', '004'],
    idea: 'A node that holds an election asks all nodes with higher ids. Each live one answers OK and holds an election itself. A node that receives no OK in time becomes leader and announces it to all lower ids. A node that receives an OK waits for the announcement, and repeats the election if none arrives.',
    because:
      'An answer takes at most UB = 2T + M if a message takes T and a node takes M, here 0. No answer within UB means that all higher nodes have crashed, so only the highest live node becomes leader. It is asked at the latest one delay after an election begins. If it crashes meanwhile, the nodes below it wait in vain and begin again. A recovered node trusts no report of a crash: it asks all higher nodes and waits; meanwhile a lower leader learns of it and withdraws.',
    breaks:
      'A timeout that is too short (patience below UB, as printed in some lecture notes): a node becomes leader before the answer arrives. An id that is used twice: two nodes are the highest. A system without bounded delays: a message that takes longer than the bound looks like a crash. A detector that is slower than a message: a node that recovers before its crash is reported, or whose messages arrive within one delay of such a report, is taken for crashed and leads beside another leader until the next report. A detector that is slower than an answer: a node may become leader before it learns that a higher node has recovered, and then leads beside that node for at most one message delay. Messages out of order do no harm as long as each keeps the bound.',
    example: 'conclave run bully --ids 0,1,2,3,4,5,6,7 --crash 7 --wake 4 --detect off',
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

function electUnlessRunning(my: Self, net: BullyNet): void {
  if (!my.electing) elect(my, net)
}

function elect(my: Self, net: BullyNet): void {
  const asked = net.links.filter((link) => net.peer(link) > my.id && mayBeAlive(my, link, net))
  for (const link of asked) net.send(link, ELECTION, {})
  if (asked.length > 0) {
    my.electing = true
    net.after(my.patience, SILENCE)
    net.after(2 * my.patience, VACANCY)
  } else becomeLeader(my, net)
}

/** Not known to have crashed. A message of the leader is newer than a report about it. */
function mayBeAlive(my: Self, link: number, net: BullyNet): boolean {
  return net.up(link) || link === my.chief || my.unseen
}

/** Messages of a crashed node may arrive for one more delay, and mean nothing. */
function noteCrash(my: Self, link: number, net: BullyNet): void {
  my.fallen.add(link)
  net.after(my.patience / 2, ECHO)
}

function becomeLeader(my: Self, net: BullyNet): void {
  settle(my, null, net)
  net.lead()
  for (const link of net.links)
    if (net.peer(link) < my.id && mayBeAlive(my, link, net)) net.send(link, COORDINATOR, {})
}

/** An outcome ends the election at this node; for some time it starts no other. */
function settle(my: Self, chief: number | null, net: BullyNet): void {
  my.chief = chief
  my.awaited = null
  my.electing = false
  my.settled = true
  net.cancel(SILENCE)
  net.cancel(VACANCY)
  net.after(my.patience, SETTLED)
}
