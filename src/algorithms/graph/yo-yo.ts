import {
  algorithm,
  type EdgeRole,
  flag,
  type Link,
  larger,
  link,
  type My,
  map,
  message,
  type NetOf,
  nat,
  oneOf,
  set,
  type Uid,
  uid,
} from '../../core/index.ts'
import { upperBound, worstMessages } from '../bounds.ts'
import { followReason } from '../reasons.ts'

const ID = message({ id: uid })
const VALUE = message({ id: uid })
const VOTE = message({ yes: flag, prune: oneOf('no', 'redundant', 'leaf') })
const LEADER = message({ id: uid })

const needs = { topology: 'any', ids: 'unique' } as const
const state = {
  /** How many neighbours have told their ids. */
  met: nat,
  /** Links from larger ids and to smaller ones; a pruned link is in neither. */
  ins: set(link),
  outs: set(link),
  values: map(link, uid),
  /** How many of the `ins` have a value. */
  heard: nat,
  votes: map(link, oneOf('no', 'yes', 'redundant', 'leaf')),
  sent: flag,
  children: set(link),
}
type Me = My<typeof needs, typeof state>

/**
 * Yo-yo (Santoro 2006). Links are directed from larger ids to smaller ones. In each iteration the
 * sources send their ids down, every node passes on the largest, and votes return: yes to those
 * from whom the largest came. A no turns the link round, so that a loser is no source any more.
 * Links that only repeat a value, and nodes that only confirm one, are pruned. When nothing is left
 * the last source leads. Two messages per link and iteration, and at most 1.44 log2 s + O(1)
 * iterations with s sources at first: at most 2E (T + 1) messages for T iterations.
 */
export const yoYo = algorithm({
  name: 'yo-yo',
  needs,
  messages: { ID, VALUE, VOTE, LEADER },
  announcement: 'LEADER',
  state,
  wakes: true,

  start(my, net) {
    net.sendAll(ID, { id: my.id })
    if (net.degree === 0) win(my, net)
  },

  on: {
    ID(my, { id }, net) {
      my.met++
      if (my.id > id) my.outs.add(net.from)
      else enter(my, net.from)
      move(my, net)
    },
    VALUE(my, { id }, net) {
      my.values.set(net.from, id)
      if (my.ins.has(net.from)) my.heard++
      move(my, net)
    },
    VOTE(my, { yes, prune }, net) {
      my.votes.set(net.from, !yes ? 'no' : prune === 'no' ? 'yes' : prune)
      move(my, net)
    },
    LEADER(my, { id }, net) {
      net.follow(id)
      announce(my, id, net)
    },
  },

  beyond: ({ n, links }) =>
    n > 1 || links === 0
      ? null
      : { problem: 'a ring of one node is linked to itself.', hint: 'Use path:1.' },

  tree: ({ children }) => [...children],

  display: {
    active: ({ met, ins, outs }) => met === 0 || (ins.size === 0 && outs.size > 0),
    edges: edgeRoles,
    decides: { ID: 'id', VALUE: 'id', VOTE: 'yes' },
  },

  reasons: {
    ID: ({ id: own }, { id }, name) =>
      own > id
        ? `directs the link away from itself, since ${name.order(id, own)}`
        : `directs the link towards itself, since ${name.order(id, own)}`,
    VALUE: ({ ins, heard, sent, outs }, { id }, name, { from }) => {
      const missing = ins.size - heard - 1
      if (!ins.has(from) || sent) return `keeps ${name(id)} for later`
      if (missing > 0) return `has ${name(id)}, and waits for ${missing} more`
      return outs.size > 0 ? 'passes the largest on' : 'votes: nothing lies below it'
    },
    VOTE({ votes, outs, ins }, { yes, prune }, _, { from, node }) {
      const turned = yes ? '' : `turns the link to ${node(from)} round`
      const gone = prune === 'leaf' ? `takes ${node(from)} as a child` : ''
      const what = turned || gone || (prune === 'redundant' ? 'prunes the link' : 'hears yes')
      if (votes.size + 1 < outs.size) return `${what}, and waits for more votes`
      return ins.size > 0 ? `${what}, and votes itself` : `${what}: the iteration is over`
    },
    LEADER: followReason,
  },

  theory: {
    title: 'Yo-yo',
    authors: 'Santoro 2006',
    texts: [],
    idea: 'Every link is directed from the larger id to the smaller one. In an iteration each source sends its id over its links; a node that has values on all incoming links sends the largest over its outgoing ones. From the sinks votes return: yes over the links on which the largest value came, if all votes from below are yes, and no over the others. A no turns the link round. If a node got the largest value over several links, all but the one with the smallest number are pruned; a node below which nothing is left, and which heard only one value, is pruned as a leaf. A source without links leads.',
    because:
      'The largest id never hears no, so it stays a source. Only a yes prunes a link, so a loser keeps the link over which the no came, which now leads to it: it is no source any more. Of sources that meet, directly or over others, at most one gets only yes, so the sources of two successive iterations are at most as many as those of the one before them: their numbers fall at least as fast as Fibonacci numbers. The leaves with their parents are a spanning tree. Which of several links with the same value stays decides what is left below the others, so another numbering of the links may change the count a little: a torus:3x4 may take 141 messages, and 139 with the same links as edges.',
    breaks: 'A crash: its neighbours wait for ever. Equal ids: path 2,1,2 elects both ends.',
    example: 'conclave run yo-yo --topology path:9 --ids 9,1,5,2,7,3,6,4,8',
    cost: 'at most 2E (T + 1) messages in T iterations, T about 1.44 log2 of the local maxima',
    bounds: [
      upperBound(
        worstMessages(
          '2E (T + 1), T the largest with F(T+1) <= n - 1 (Fibonacci)',
          ({ n, links }) => 2 * links * (mostIterations(n - 1) + 1),
        ),
      ),
      {
        of: 'messages',
        kind: 'best',
        formula: '4E',
        value: ({ links }) => 4 * links,
      },
    ],
  },
})

/** Outgoing links and pruned ones, and the leaves that were pruned below this node. */
function edgeRoles({ met, ins, outs, children }: Me, links: readonly Link[]) {
  return links.flatMap((one): (readonly [Link, EdgeRole])[] => {
    if (children.has(one)) return [[one, 'tree']]
    if (outs.has(one)) return [[one, 'out']]
    return met < links.length || ins.has(one) ? [] : [[one, 'rejected']]
  })
}

/** A link leads to this node; its value may have come before. */
function enter(my: Me, from: number): void {
  my.ins.add(from)
  if (my.values.has(from)) my.heard++
}

/** The largest value from above; a source has its own id. */
function topOf(my: Me): Uid {
  let top: Uid | null = null
  for (const from of my.ins) {
    const value = my.values.get(from)!
    top = top === null ? value : larger(top, value)
  }
  return top ?? my.id
}

/**
 * Does all that can be done: sends the largest value down, and answers when all votes are there.
 */
function move(my: Me, net: NetOf<typeof needs>): void {
  while (my.met === net.degree && my.ins.size + my.outs.size > 0) {
    if (my.heard < my.ins.size) return
    if (!my.sent) {
      my.sent = true
      const id = topOf(my)
      for (const down of my.outs) net.send(down, VALUE, { id })
    }
    if (my.votes.size < my.outs.size) return
    vote(my, net)
  }
}

/** Ends the iteration at this node: takes the votes from below, and votes itself. */
function vote(my: Me, net: NetOf<typeof needs>): void {
  const { ins, outs, values, children } = my
  const source = ins.size === 0
  const top = topOf(my)
  const above = [...ins].sort((a, b) => a - b)
  const best = above.filter((from) => values.get(from) === top)
  const below = [...my.votes]
  const yes = below.every(([, answer]) => answer !== 'no')
  const leaf = !source && yes && best.length === ins.size && below.every(isPruned)
  for (const from of above) {
    const confirmed = yes && values.get(from) === top
    const prune = !confirmed ? 'no' : from !== best[0] ? 'redundant' : leaf ? 'leaf' : 'no'
    net.send(from, VOTE, { yes: confirmed, prune })
    values.delete(from)
    if (!confirmed || prune !== 'no') ins.delete(from)
    if (!confirmed) outs.add(from)
  }
  my.sent = false
  my.heard = 0
  my.votes.clear()
  for (const [down, answer] of below) {
    if (answer === 'leaf') children.add(down)
    if (answer !== 'yes') outs.delete(down)
    if (answer === 'no') enter(my, down)
  }
  if (source && outs.size + ins.size === 0) win(my, net)
}

function isPruned([, answer]: readonly [number, string]): boolean {
  return answer === 'redundant' || answer === 'leaf'
}

function win(my: Me, net: NetOf<typeof needs>): void {
  net.lead()
  announce(my, my.id, net)
}

function announce({ children }: Me, id: Uid, net: NetOf<typeof needs>): void {
  for (const child of children) net.send(child, LEADER, { id })
  net.stop()
}

/** The largest T with F(T+1) <= sources: so many iterations at most. */
function mostIterations(sources: number): number {
  let [iterations, number, next] = [1, 1, 2]
  while (next <= sources) {
    ;[number, next] = [next, number + next]
    iterations++
  }
  return iterations
}
