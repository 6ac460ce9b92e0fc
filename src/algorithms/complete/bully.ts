import {
  algorithm,
  flag,
  type My,
  maybe,
  message,
  type Net,
  nat,
  set,
  timer,
} from '../../core/index.ts'

const ELECTION = message({})
const OK = message({})
const COORDINATOR = message({})
/** Nobody higher has answered in time. */
const SILENCE = timer()
/** Somebody higher has answered, but nobody has taken office in time. */
const VACANCY = timer()
/** An outcome has become old. */
const SETTLED = timer()
/** Whatever the dead had sent has arrived. */
const ECHO = timer()

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers', 'liveness'],
  time: 'bounded delay',
} as const
const state = {
  /** The link to the leader. */
  chief: maybe(nat),
  /** Whether an election runs here. */
  electing: flag,
  /** Whether an outcome is young. */
  settled: flag,
  /** The link to one who is back and should take office. */
  awaited: maybe(nat),
  /** Back, and perhaps not the only one: nobody's death is believed. */
  unseen: flag,
  /** Links to nodes that may have died so lately that something of theirs still arrives. */
  fallen: set(nat),
}
const params = {
  patience: {
    says: 'how long to wait for an answer: twice the largest delay',
    value: ({ largestDelay }: { largestDelay: number }) => 2 * largestDelay,
  },
}

type Self = My<typeof needs, typeof state, typeof params>
type World = Net<'peers' | 'liveness'>

/**
 * Garcia-Molina 1982. A node asks all higher ids whether they live. Whoever hears nothing for as
 * long as an answer may take is the highest and tells the lower ones; an answer means that somebody
 * higher takes over. At most n^2 - 1 messages in all, n - 1 if the highest begins. It is the one
 * algorithm here whose safety hangs on time.
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

  /** What the detector said before need not be true any more: ask and tell everybody. */
  recover(my, net) {
    my.unseen = true
    for (const link of net.links) if (!net.up(link)) mourn(my, link, net)
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
      // Who was dead may be back as well.
      if (my.unseen && my.fallen.has(from)) net.cancel(SILENCE)
      if (id < my.id || my.fallen.has(from)) return electUnlessRunning(my, net)
      // Who took office when a higher one had just recovered may be heard after that one.
      if (my.settled && my.chief !== null && net.peer(my.chief) > id) return
      const awaited = my.awaited !== null && net.peer(my.awaited) > id ? my.awaited : null
      settle(my, from, net)
      net.follow(id)
      my.awaited = awaited
      // Of a node that it calls dead anyway the detector will not tell that it has died.
      if (awaited !== null || !net.up(from)) net.after(2 * my.patience, VACANCY)
    },
  },

  timeout: {
    SILENCE: takeOffice,
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
    if (net.peer(link) > my.id) mourn(my, link, net)
    if (link === my.awaited) my.awaited = null
    if (link !== my.chief) return
    my.chief = null
    net.withdraw()
    electUnlessRunning(my, net)
  },

  /**
   * A recovered node makes itself heard. If it does not, it was only out of reach, or nobody would
   * believe that it was back: the leader finds out, or if need be the others.
   */
  up(my, link, net) {
    my.fallen.delete(link)
    const leads = my.status === 'leader'
    // While an election runs here, whoever led before may be dead.
    const chief = my.electing ? null : my.chief
    const known = [chief, my.awaited].map((other) => (other === null ? 0 : net.peer(other)))
    const higher = my.status !== 'asleep' && net.peer(link) > Math.max(my.id, ...known)
    if (leads || higher) net.after(leads ? my.patience : 2 * my.patience, VACANCY)
    if (!higher) return
    my.awaited = link
    my.electing = true
    net.cancel(SILENCE)
    if (leads) net.withdraw()
  },

  theory: {
    authors: 'Garcia-Molina 1982',
    texts: ['001', '004'],
    idea: 'Who holds an election asks every higher id. Each that lives answers OK and holds one itself. Who hears no OK in time takes office and tells all lower ids; who hears an OK waits for that, and holds the election again if it does not come.',
    because:
      'UB = 2T + M is as long as an answer can take if a message takes T and a node M, here 0. Silence for so long means that everybody higher is dead, so only the highest live node takes office. It is asked at the latest one delay after somebody has begun, and one that dies on the way leaves those below it waiting, who begin again. Who is back believes no death, asks all and so waits: meanwhile a lower leader hears of it and gives way.',
    breaks:
      'A deadline that is too tight (patience below UB, as some lecture notes print it): a node takes office before the answer is there. An id that reappears: two nodes are the highest. A system that is not synchronous: a message that takes longer than the bound is taken for a death. A detector that is slower than a message: who is back before its death was reported, or is heard within one delay of such a report, as something from its earlier life may be, is taken for dead and leads beside another until the detector has spoken. One that is slower than an answer: somebody may take office who does not know yet that a higher node is back (it waits for answers, or its COORDINATOR is on the way), and then leads beside that one for as long as a message takes. Messages out of order do no harm as long as each keeps the bound.',
    example: 'conclave run bully --ids 0,1,2,3,4,5,6,7 --crash 7 --wake 4 --detect off',
    cost: 'n^2 - 1 messages in all, n - 1 at best',
    bounds: [
      {
        of: 'messages',
        kind: 'worst',
        formula: 'n(n-1)',
        value: ({ n }) => n * (n - 1),
        where: 'where everybody lives: each node asks the higher ones once',
      },
      {
        of: 'time',
        kind: 'worst',
        formula: '1',
        value: () => 1,
        where: 'where everybody lives: the highest is asked at once',
      },
    ],
  },
})

function electUnlessRunning(my: Self, net: World): void {
  if (!my.electing) elect(my, net)
}

function elect(my: Self, net: World): void {
  const asked = net.links.filter((link) => net.peer(link) > my.id && mayLive(my, link, net))
  for (const link of asked) net.send(link, ELECTION, {})
  if (asked.length > 0) {
    my.electing = true
    net.after(my.patience, SILENCE)
    net.after(2 * my.patience, VACANCY)
  } else takeOffice(my, net)
}

/** Not known to be dead. What the leader has sent is newer than what the detector says of it. */
function mayLive(my: Self, link: number, net: World): boolean {
  return net.up(link) || link === my.chief || my.unseen
}

/** What a dead node has sent may arrive for as long as a message takes, and tells nothing. */
function mourn(my: Self, link: number, net: World): void {
  my.fallen.add(link)
  net.after(my.patience / 2, ECHO)
}

function takeOffice(my: Self, net: World): void {
  settle(my, null, net)
  net.lead()
  for (const link of net.links)
    if (net.peer(link) < my.id && mayLive(my, link, net)) net.send(link, COORDINATOR, {})
}

/** An outcome ends the election here, and for some time it is not asked for again. */
function settle(my: Self, chief: number | null, net: World): void {
  my.chief = chief
  my.awaited = null
  my.electing = false
  my.settled = true
  net.cancel(SILENCE)
  net.cancel(VACANCY)
  net.after(my.patience, SETTLED)
}
