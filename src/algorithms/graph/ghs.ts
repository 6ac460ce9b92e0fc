import { algorithm, larger } from '../../core/index.ts'
import { timeTogether, upperBound, worstMessages } from '../bounds.ts'
import { largestInTree } from './by-attribute.ts'
import {
  ACCEPT,
  accepted,
  branches,
  CHANGEROOT,
  CONNECT,
  changeRoot,
  completes,
  connect,
  edgeRoles,
  INITIATE,
  LEADER,
  needs,
  REJECT,
  REPORT,
  reject,
  searchOutgoing,
  state,
  survey,
  TEST,
  test,
} from './fragment.ts'

/**
 * Gallager, Humblet and Spira 1983: a minimum spanning tree, and a leader at its core. Fragments of
 * the tree find their lightest outgoing edge and connect over it: two fragments of equal level
 * merge into one of the next level, a lower one is absorbed by a higher one; tests of lower
 * fragments are deferred. A fragment of level L has at least 2^L nodes, so that 2E + 5N log2 N
 * messages suffice. The end of the last core with the larger id becomes leader.
 */
export const ghs = algorithm({
  name: 'ghs',
  needs,
  messages: { CONNECT, INITIATE, TEST, ACCEPT, REJECT, REPORT, CHANGEROOT, LEADER },
  announcement: 'LEADER',
  state,
  wakes: true,
  defers: true,
  elects: 'another',
  byAttribute: largestInTree,

  start(my, net) {
    survey(my, net)
    if (my.open.length > 0) return connect(my, my.open.at(-1)!, net)
    net.lead()
    net.stop()
  },

  on: {
    CONNECT(my, { level }, net) {
      if (level < my.level) {
        const { fragment, finding } = my
        my.edges.set(net.from, 'branch')
        if (finding) my.awaited++
        return net.send(net.from, INITIATE, { level: my.level, fragment, finding })
      }
      if (my.edges.get(net.from) === 'basic') return net.defer()
      const fragment = larger(my.id, net.peer(net.from))
      net.send(net.from, INITIATE, { level: level + 1, fragment, finding: true })
    },
    INITIATE(my, { level, fragment, finding }, net) {
      // A level that does not rise comes over a cycle, closed by a node that lost its state.
      if (level <= my.level) return
      my.level = level
      my.fragment = fragment
      my.finding = finding
      my.inward = net.from
      const onward = branches(my, net).filter((link) => link !== net.from)
      for (const link of onward) net.send(link, INITIATE, { level, fragment, finding })
      if (finding) searchOutgoing(my, onward.length, net)
    },
    TEST(my, { level, fragment }, net) {
      if (level > my.level) return net.defer()
      if (fragment !== my.fragment) return net.send(net.from, ACCEPT, {})
      reject(my, net)
      // If both ends test the edge, each test answers the other.
      if (my.testing === net.from) test(my, net)
      else net.send(net.from, REJECT, {})
    },
    ACCEPT: (my, _, net) => accepted(my, net),
    REJECT(my, _, net) {
      reject(my, net)
      test(my, net)
    },
    REPORT(my, found, net) {
      if (!completes(my, found, net)) return
      net.lead()
      for (const link of branches(my, net)) net.send(link, LEADER, { id: my.id })
      net.stop()
    },
    CHANGEROOT(my, _, net) {
      // After a node has lost its state, the message may be outdated.
      if (net.from === my.inward && my.best !== my.inward) changeRoot(my, net)
    },
    LEADER(my, { id }, net) {
      net.follow(id)
      for (const link of branches(my, net)) if (link !== net.from) net.send(link, LEADER, { id })
      net.stop()
    },
  },

  tree: (my) => [...my.edges.keys()].filter((link) => my.edges.get(link) === 'branch'),

  display: {
    group: {
      name: 'fragment',
      of: (my, name) =>
        my.status === 'asleep' ? null : name(my.level === 0 ? my.id : my.fragment),
    },
    badge: { name: 'level', of: (my) => (my.status === 'asleep' ? null : my.level) },
    edges: edgeRoles,
    decides: { CONNECT: 'level', INITIATE: 'fragment', TEST: 'fragment', REPORT: 'weight' },
  },

  reasons: {
    CONNECT(my, { level }, _, { from, node }) {
      const other = node(from)
      if (level < my.level)
        return `absorbs the fragment of ${other}, since its level ${level} < ${my.level}`
      if (my.edges.get(from) === 'basic')
        return `lets ${other} wait, since it has not chosen this edge itself`
      return `merges with the fragment of ${other} to level ${level + 1}: both chose this edge`
    },
    INITIATE(my, { level, fragment, finding }, name) {
      if (level <= my.level) return `ignores it, since level ${level} is not above ${my.level}`
      const search = finding ? ' and searches for its lightest outgoing edge' : ''
      return `joins fragment ${name(fragment)} at level ${level}${search}`
    },
    TEST(my, { level, fragment }, name, { from, node }) {
      if (level > my.level) return `lets the test wait, since level ${level} > ${my.level}`
      return fragment === my.fragment
        ? `rejects the edge: ${node(from)} is in the same fragment ${name(fragment)}`
        : `accepts: fragment ${name(fragment)} is another than ${name(my.fragment)}`
    },
    ACCEPT: (_, __, ___, { from, node }) =>
      `has found its lightest outgoing edge: it leads to ${node(from)}`,
    REJECT: (_, __, ___, { from, node }) =>
      `crosses out its edge to ${node(from)}: it stays inside the fragment`,
    REPORT(my, { weight }, _, { from, node }) {
      const found = weight === Number.POSITIVE_INFINITY ? 'no outgoing edge' : `weight ${weight}`
      if (from !== my.inward) return `learns from the subtree of ${node(from)}: ${found}`
      if (my.finding) return `lets the other end of the core wait: it still searches itself`
      if (my.weight === weight && weight === Number.POSITIVE_INFINITY)
        return 'finds that no edge leads out of the fragment: the tree is complete'
      return my.weight < weight
        ? `orders its own side to connect: weight ${my.weight} < ${weight}`
        : `leaves it to the other end of the core, which has found ${found}`
    },
    CHANGEROOT: (my, _, __, { node }) =>
      my.edges.get(my.best) === 'branch'
        ? `passes the order to connect on towards ${node(my.best)}`
        : `connects over the lightest outgoing edge, to ${node(my.best)}`,
    LEADER: (_, { id }, name) => `follows ${name(id)} and announces it along the tree`,
  },

  theory: {
    title: 'Gallager-Humblet-Spira (GHS)',
    authors: 'Gallager, Humblet and Spira 1983',
    also: ['Mega-Merger', 'Gallager-Humblet-Spira'],
    texts: [],
    idea: 'Initially every node is a fragment of level 0. A fragment finds its lightest outgoing edge: the core asks all its nodes, each tests its own links from the lightest on, and the best is reported to the core. The fragment connects over that edge. Two fragments of equal level that chose the same edge merge into one of the next level, and the edge becomes its core; a fragment of a lower level is absorbed. A test from a higher level is deferred until the node has reached that level. When no edge leads out, the end of the core with the larger id becomes leader and announces it along the tree.',
    because:
      'The lightest outgoing edge of a set of nodes belongs to the minimum spanning tree, so no choice is ever revised. Edges are totally ordered, so fragments cannot wait for each other in a cycle. A merge at least doubles the size, so there are at most log2 N levels; in each a node sends or receives at most 5 messages, and an edge is rejected at most once, with two messages.',
    breaks:
      'Equal weights without a tie-breaking rule: fragments wait for each other in a cycle. Links that are not FIFO: an INITIATE overtakes the CONNECT before it, which then looks like that of a lower fragment. A crash: the fragment waits forever, even if the node recovers, since it has lost its edges.',
    example: 'conclave run ghs --topology edges:0-1,0-2,1-2,1-3,2-3 --weights 4,1,3,2,5',
    cost: '2E + 5N log2 N messages',
    bounds: [
      upperBound(
        worstMessages('2E + 5n log2 n', ({ n, links }) => 2 * links + 5 * n * Math.log2(n)),
      ),
      upperBound(timeTogether('5n log2 n', ({ n }) => 5 * n * Math.log2(n))),
      {
        of: 'messages',
        kind: 'lower',
        formula: 'E + n log2 n',
        value: ({ n, links }) => links + n * Math.log2(n),
        where: 'up to a constant, if the network is not known beforehand',
      },
    ],
  },
})
