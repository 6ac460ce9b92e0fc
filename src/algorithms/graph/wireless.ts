import {
  algorithm,
  type Link,
  list,
  type My,
  maybe,
  message,
  type Net,
  nat,
  set,
  stable,
  uid,
} from '../../core/index.ts'

const ELECTION = message({ number: nat, source: uid })
const ACK = message({ number: nat, source: uid, best: maybe(uid) })
const LEADER = message({ number: nat, source: uid, leader: uid })

const needs = { topology: 'any', ids: 'unique', knows: ['liveness'] } as const
const state = {
  /** The wave that the node is in. Its number survives a crash, so that no wave has two lives. */
  number: stable(nat),
  source: uid,
  /** Its place in the tree: nobody is above a source, and who was asked may still come below. */
  parent: maybe(nat),
  asked: set(nat),
  children: list(nat),
  /** The largest key among those who have answered and their trees. */
  best: uid,
}
type Mine = My<typeof needs, typeof state>
type Here = Net<'liveness'>

/** Above 0 for a wave that extinguishes the node's own: a later one, or one of a higher source. */
function rank(number: number, source: number, my: Mine): number {
  return number - my.number || source - my.source
}

function inTree(my: Mine, link: Link): boolean {
  return link === my.parent || my.children.includes(link)
}

/** Begins a wave that extinguishes the one of this number. */
function begin(my: Mine, number: number, net: Here): void {
  join(my, number + 1, my.id, null, net)
}

/** Who takes part follows nobody: by the time a wave is decided, every old leader has resigned. */
function join(my: Mine, number: number, source: number, parent: Link | null, net: Here): void {
  net.withdraw()
  my.number = number
  my.source = source
  my.parent = parent
  my.children = []
  my.best = my.id
  my.asked = new Set(net.links.filter((link) => link !== parent && net.up(link)))
  for (const link of my.asked) net.send(link, ELECTION, { number, source })
  report(my, net)
}

/** Once all have answered, the parent hears of the best; at the source that is the leader. */
function report(my: Mine, net: Here): void {
  const { number, source, parent, best } = my
  if (my.asked.size > 0) return
  if (parent === null) conclude(my, best, net)
  else net.send(parent, ACK, { number, source, best })
}

function conclude(my: Mine, leader: number, net: Here): void {
  const { number, source } = my
  if (leader === my.id) net.lead()
  else net.follow(leader)
  for (const link of my.children) net.send(link, LEADER, { number, source, leader })
}

/**
 * Vasudevan, Kurose and Towsley 2004, in the form of text 004. A source floods ELECTION, the first
 * sender becomes the parent, ACK carries the best key up the tree and LEADER goes down it. A wave
 * with a later number, or a higher source, extinguishes another. Whoever loses a link of the tree
 * or gets a new neighbour begins a new wave. 2(2E-(N-1)) messages and N-1 LEADER with one source.
 */
export const wireless = algorithm({
  name: 'wireless',
  needs,
  messages: { ELECTION, ACK, LEADER },
  announcement: 'LEADER',
  starters: 'first',
  lasting: true,
  state,
  wakes: false,

  start(my, net) {
    begin(my, my.number, net)
  },

  on: {
    ELECTION(my, { number, source }, net) {
      const order = rank(number, source, my)
      if (order === 0 && net.from !== my.parent)
        net.send(net.from, ACK, { number, source, best: null })
      if (order <= 0) return
      // A wave that comes over a link that has gone since finds nobody there to answer to.
      if (net.up(net.from)) join(my, number, source, net.from, net)
      else begin(my, number, net)
    },
    ACK(my, { number, source, best }, net) {
      if (rank(number, source, my) !== 0 || !my.asked.delete(net.from)) return
      if (best !== null) my.children.push(net.from)
      if (best !== null && best > my.best) my.best = best
      report(my, net)
    },
    LEADER(my, { number, source, leader }, net) {
      if (rank(number, source, my) === 0) conclude(my, leader, net)
    },
  },

  // Who was asked and has not answered may have become a child: nobody knows.
  down(my, link, net) {
    if (inTree(my, link) || my.asked.has(link)) begin(my, my.number, net)
  },

  // A node that still waits for answers asks the new neighbour too.
  up(my, link, net) {
    const { status, asked, number, source } = my
    if (status === 'asleep' || asked.has(link)) return
    if (asked.size === 0 || inTree(my, link)) return begin(my, number, net)
    asked.add(link)
    net.send(link, ELECTION, { number, source })
  },

  tree: ({ parent }) => (parent === null ? [] : [parent]),

  theory: {
    authors: 'Vasudevan, Kurose and Towsley 2004',
    texts: ['004'],
    idea: 'A source asks all its neighbours with ELECTION. Whoever hears of it first takes the sender as its parent and asks its own neighbours; others who ask it get an empty ACK. With all answers in, a node tells its parent the best key it knows of, and the source sends the winner down the tree. A higher source, or a later wave, takes over the nodes of another.',
    because:
      'The parents form a tree that spans the component, and a node answers only after all whom it asked: so the source hears of everybody. Of several waves only the highest gets all its answers. Whoever loses a link of the tree or gets a new neighbour begins a later wave, so that the last wave has met no change and reaches all. Who joins a wave gives up office: a new leader finds no old one.',
    breaks:
      'Lost messages: the source waits for ever. A detector that is off: nobody begins a new wave when the leader dies. One that is wrong: a node taken for dead may lead beside the others.',
    example: 'conclave run wireless --topology grid:3x4 --crash 5@4 --cut 1-2@6..30',
    cost: 'ELECTION = ACK = 2E-(N-1), LEADER = N-1 with one source',
    bounds: [
      {
        of: 'messages',
        kind: 'worst',
        formula: '2(2E-(N-1))',
        value: ({ n, links }) => 2 * (2 * links - (n - 1)),
        when: ({ starters }) => starters === 1,
        where: 'with one source',
      },
      {
        of: 'messages',
        kind: 'worst',
        formula: '2k(2E-(N-1))',
        value: ({ n, links, starters }) => 2 * starters * (2 * links - (n - 1)),
        when: ({ starters }) => starters > 1,
        where: 'with k sources',
      },
      {
        of: 'time',
        kind: 'worst',
        formula: '3N-1',
        value: ({ n }) => 3 * n - 1,
        when: ({ starters }) => starters === 1,
        where: 'with one source',
      },
    ],
  },
})
