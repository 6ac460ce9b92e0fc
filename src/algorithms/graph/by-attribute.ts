import {
  type Algorithm,
  algorithm,
  type Link,
  link,
  type My,
  maybe,
  message,
  type Uid,
  uid,
} from '../../core/index.ts'
import { upperBound, worstMessages } from '../bounds.ts'
import {
  ACCEPT,
  branches,
  CHANGEROOT,
  CONNECT,
  completes,
  type Graph,
  INITIATE,
  LEADER,
  needs,
  REJECT,
  REPORT,
  state,
  TEST,
} from './fragment.ts'

/* What runs in place of ghs where an attribute decides who leads. */

const ASK = message({})
const BEST = message({ id: uid })
const waveState = { ...state, parent: maybe(link), largest: uid }
type Kept = 'CONNECT' | 'INITIATE' | 'TEST' | 'ACCEPT' | 'REJECT' | 'CHANGEROOT'
type InTree = My<typeof needs, typeof waveState>

/** Asks the subtrees of a node for their largest key; a leaf answers at once. */
function ask(my: InTree, parent: Link | null, net: Graph): void {
  const onward = branches(my, net).filter((link) => link !== parent)
  my.parent = parent
  my.largest = my.id
  my.awaited = onward.length
  for (const link of onward) net.send(link, ASK, {})
  answer(my, net)
}

/** When all subtrees have answered, so does the node; at the root the wave is over. */
function answer(my: InTree, net: Graph): void {
  if (my.awaited > 0) return
  if (my.parent === null) announce(my, my.largest, null, net)
  else net.send(my.parent, BEST, { id: my.largest })
}

function announce(my: InTree, id: Uid, from: Link | null, net: Graph): void {
  if (id === my.id) net.lead()
  else net.follow(id)
  for (const link of branches(my, net)) if (link !== from) net.send(link, LEADER, { id })
  net.stop()
}

/**
 * The ends of the last core of ghs depend on the weights. So the end that would lead asks the whole
 * tree for the largest key, and announces that node.
 */
export function largestInTree({ name, kinds, start, tree, theory, display }: Algorithm): Algorithm {
  const reasons = Object.fromEntries(kinds.map(({ word, reason }) => [word, reason ?? undefined]))
  const inherited = Object.fromEntries(kinds.map((kind) => [kind.name.toUpperCase(), kind.handle]))
  return algorithm({
    name,
    needs,
    messages: {
      CONNECT,
      INITIATE,
      TEST,
      ACCEPT,
      REJECT,
      REPORT,
      CHANGEROOT,
      LEADER,
      ASK,
      BEST,
    },
    announcement: 'LEADER',
    state: waveState,
    wakes: true,
    defers: true,
    start: start as never,

    on: {
      ...(inherited as Record<Kept, never>),
      REPORT(my, found, net) {
        if (completes(my, found, net)) ask(my, null, net)
      },
      ASK: (my, _, net) => ask(my, net.from, net),
      BEST(my, { id }, net) {
        my.awaited--
        if (id > my.largest) my.largest = id
        answer(my, net)
      },
      LEADER: (my, { id }, net) => announce(my, id, net.from, net),
    },

    tree: tree as never,
    display: display as never,
    reasons: {
      ...(reasons as Record<Kept | 'REPORT' | 'LEADER', never>),
      ASK: () => 'asks its subtrees for the largest key',
      BEST: (my, { id }, name) =>
        id > my.largest
          ? `takes ${name(id)} as the best so far, since ${name.order(id, my.largest)}`
          : `keeps ${name(my.largest)}, since ${name.order(my.largest, id)}`,
    },
    theory: {
      ...theory,
      idea: 'The tree is built in the same way. The end of the core that would become leader then asks the whole tree for the node with the largest key, and announces that node along the tree.',
      cost: '2E + 5N log2 N + 2(N-1) messages',
      bounds: [
        upperBound(
          worstMessages(
            '2E + 5n log2 n + 2(n-1)',
            ({ n, links }) => 2 * links + 5 * n * Math.log2(n) + 2 * (n - 1),
          ),
        ),
      ],
    },
  })
}
