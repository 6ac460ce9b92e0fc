import {
  type Bound,
  type Link,
  list,
  maybe,
  message,
  type Net,
  nat,
  type Outcome,
  set,
  stable,
  uid,
  type ValueType,
} from '../../core/index.ts'

/** A node that waves go over: `found` is what its part of the network holds, as far as it knows. */
export interface InWave<T> extends Outcome {
  readonly id: number
  number: number
  source: number
  parent: Link | null
  asked: Set<Link>
  children: Link[]
  found: T
}

type Here = Net<'liveness'>

/** What a wave is for. */
interface Purpose<T, M> {
  /** What a node brings by itself. */
  own(my: M): T
  /** What two parts of the tree hold together. */
  both(one: T, other: T): T
  /** The wave is over, and `my.found` is what the whole tree holds. */
  conclude(my: M, net: Here): void
}

/** What is proven with one source, and with k; the messages that tell of the end are left out. */
export const waveBounds: readonly Bound[] = [
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
]

/**
 * Waves over any network. A source asks its neighbours, and so does whoever hears of it first, with
 * the asker as its parent; ACK carries up what was found, and TELL down what that is in all. A wave
 * with a later number, or a higher source, extinguishes another. Whoever loses a link of the tree
 * or gets a new neighbour begins a new one.
 */
export function wave<T, M extends InWave<T>>(found: ValueType<T>, purpose: Purpose<T, M>) {
  const ASK = message({ number: nat, source: uid })
  const ACK = message({ number: nat, source: uid, found: maybe(found) })
  const TELL = message({ number: nat, source: uid, found })

  /** Above 0 for a wave that extinguishes the node's own: a later one, or of a higher source. */
  function rank(number: number, source: number, my: M): number {
    return number - my.number || source - my.source
  }

  function inTree(my: M, link: Link): boolean {
    return link === my.parent || my.children.includes(link)
  }

  /** Begins a wave that extinguishes the one of this number. */
  function begin(my: M, number: number, net: Here): void {
    join(my, number + 1, my.id, null, net)
  }

  /** Who takes part follows nobody: by the time a wave is over, every old leader has resigned. */
  function join(my: M, number: number, source: number, parent: Link | null, net: Here): void {
    net.withdraw()
    my.number = number
    my.source = source
    my.parent = parent
    my.children = []
    my.found = purpose.own(my)
    my.asked = new Set(net.links.filter((link) => link !== parent && net.up(link)))
    for (const link of my.asked) net.send(link, ASK, { number, source })
    report(my, net)
  }

  /** Once all have answered, the parent hears what was found; at the source that is all. */
  function report(my: M, net: Here): void {
    const { number, source, parent, found } = my
    if (my.asked.size > 0) return
    if (parent === null) conclude(my, found, net)
    else net.send(parent, ACK, { number, source, found })
  }

  function conclude(my: M, found: T, net: Here): void {
    const { number, source } = my
    my.found = found
    purpose.conclude(my, net)
    for (const link of my.children) net.send(link, TELL, { number, source, found })
  }

  return {
    messages: { ASK, ACK, TELL },

    state: {
      /** The wave that the node is in. Its number survives a crash: no wave has two lives. */
      number: stable(nat),
      source: uid,
      /** Its place in the tree: nobody is above a source, and who was asked may yet come below. */
      parent: maybe(nat),
      asked: set(nat),
      children: list(nat),
      found,
    },

    start(my: M, net: Here): void {
      begin(my, my.number, net)
    },

    asked(my: M, { number, source }: { number: number; source: number }, net: Here): void {
      const order = rank(number, source, my)
      if (order === 0 && net.from !== my.parent)
        net.send(net.from, ACK, { number, source, found: null })
      if (order <= 0) return
      // A wave that comes over a link that has gone since finds nobody there to answer to.
      if (net.up(net.from)) join(my, number, source, net.from, net)
      else begin(my, number, net)
    },

    answered(
      my: M,
      { number, source, found }: { number: number; source: number; found: T | null },
      net: Here,
    ): void {
      if (rank(number, source, my) !== 0 || !my.asked.delete(net.from)) return
      if (found !== null) {
        my.children.push(net.from)
        my.found = purpose.both(my.found, found)
      }
      report(my, net)
    },

    told(
      my: M,
      { number, source, found }: { number: number; source: number; found: T },
      net: Here,
    ): void {
      // Who knows the end has told it on: copies of a copy would double from node to node.
      if (rank(number, source, my) === 0 && my.leader === null) conclude(my, found, net)
    },

    // Who was asked and has not answered may have become a child: nobody knows.
    down(my: M, link: Link, net: Here): void {
      if (inTree(my, link) || my.asked.has(link)) begin(my, my.number, net)
    },

    // A node that still waits for answers asks the new neighbour too.
    up(my: M, link: Link, net: Here): void {
      const { status, asked, number, source } = my
      if (status === 'asleep' || asked.has(link)) return
      if (asked.size === 0 || inTree(my, link)) begin(my, number, net)
      else {
        asked.add(link)
        net.send(link, ASK, { number, source })
      }
    },

    tree: ({ parent }: M): readonly Link[] => (parent === null ? [] : [parent]),
  }
}
