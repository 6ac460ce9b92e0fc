import {
  type Bound,
  compareIds,
  type EventContext,
  type Link,
  link,
  list,
  maybe,
  message,
  type Net,
  nat,
  type Outcome,
  type ShownId,
  set,
  stable,
  type Uid,
  uid,
  type ValueType,
} from '../../core/index.ts'

/** The state of a node in a wave; `found` is the partial result of its subtree. */
export interface InWave<T> extends Outcome<Uid> {
  readonly id: Uid
  number: number
  source: Uid
  parent: Link | null
  asked: Set<Link>
  children: Link[]
  found: T
}

type Here = Net<'liveness'>

/** The computation of a wave. */
interface WaveComputation<T, M> {
  /** The node's own contribution. */
  own(my: M): T
  /** Merges two partial results. */
  both(one: T, other: T): T
  /** The wave is over, and `my.found` is the result of the whole tree. */
  conclude(my: M, net: Here): void
}

export interface WaveKey {
  readonly number: number
  readonly source: Uid
}

/** The bounds for one source and for k; the announcement is not counted. */
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
    kind: 'upper',
    formula: '2k(2E-(N-1))',
    value: ({ n, links, starters }) => 2 * starters * (2 * links - (n - 1)),
    when: ({ starters }) => starters > 1,
    where: 'with k sources',
  },
  {
    of: 'time',
    kind: 'upper',
    formula: '3N-1',
    value: ({ n }) => 3 * n - 1,
    when: ({ starters }) => starters === 1,
    where: 'with one source',
  },
]

/** Above 0 for a wave that extinguishes the node's own wave. */
export function rank(number: number, source: Uid, my: WaveKey): number {
  return number - my.number || compareIds(source, my.source)
}

/**
 * Waves over any network. A source asks its neighbours, and so does every node that is asked for
 * the first time, with the sender as its parent; ACK carries partial results up, and TELL the
 * result down. A wave with a later number, or a higher source, extinguishes another. A node that
 * loses a link of the tree or gets a new neighbour begins a new wave. One long function, since the
 * type of the result is known in all handlers and messages of a wave.
 */
export function wave<T, M extends InWave<T>>(found: ValueType<T>, purpose: WaveComputation<T, M>) {
  const ASK = message({ number: nat, source: uid })
  const ACK = message({ number: nat, source: uid, found: maybe(found) })
  const TELL = message({ number: nat, source: uid, found })

  function inTree(my: M, link: Link): boolean {
    return link === my.parent || my.children.includes(link)
  }

  /** Begins a wave that extinguishes the one of this number. */
  function begin(my: M, number: number, net: Here): void {
    join(my, number + 1, my.id, null, net)
  }

  /** A node in a wave follows no leader: when a wave ends, all old leaders have withdrawn. */
  function join(my: M, number: number, source: Uid, parent: Link | null, net: Here): void {
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

  /** When all answers are in, reports to the parent; at the source the wave is over. */
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
      /** The current wave. Its number is stable: no wave starts twice. */
      number: stable(nat),
      source: uid,
      /** The tree: a source has no parent, and nodes in `asked` may still become children. */
      parent: maybe(link),
      asked: set(link),
      children: list(link),
      found,
    },

    start(my: M, net: Here): void {
      begin(my, my.number, net)
    },

    asked(my: M, { number, source }: { number: number; source: Uid }, net: Here): void {
      const order = rank(number, source, my)
      if (order === 0 && net.from !== my.parent)
        net.send(net.from, ACK, { number, source, found: null })
      if (order <= 0) return
      // The link of the sender may be down by now: there is no parent to answer.
      if (net.up(net.from)) join(my, number, source, net.from, net)
      else begin(my, number, net)
    },

    answered(
      my: M,
      { number, source, found }: { number: number; source: Uid; found: T | null },
      net: Here,
    ): void {
      if (rank(number, source, my) !== 0 || !my.asked.delete(net.from)) return
      if (found !== null) {
        my.children.push(net.from)
        my.found = purpose.both(my.found, found)
      }
      report(my, net)
    },

    informed(
      my: M,
      { number, source, found }: { number: number; source: Uid; found: T },
      net: Here,
    ): void {
      // A node forwards the result once: duplicates would multiply from node to node.
      if (rank(number, source, my) === 0 && my.leader === null) conclude(my, found, net)
    },

    // A node that was asked and has not answered may have become a child.
    down(my: M, link: Link, net: Here): void {
      if (inTree(my, link) || my.asked.has(link)) begin(my, my.number, net)
    },

    // A node that still waits for answers asks the new neighbour, too.
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

/** A partial result of a wave as a short text. */
type ShownResult<T> = (found: T, name: ShownId) => string

/** What pictures show of a wave; `shows` is what its partial results are. */
export function waveDisplay<T>(shows: string, shown: ShownResult<T>) {
  return {
    group: { name: 'wave', of: inWave<T>((my, name) => name(my.source)) },
    badge: { name: shows, of: inWave<T>((my, name) => shown(my.found, name)) },
    edges: ({ parent }: InWave<T>) => (parent === null ? [] : [[parent, 'tree'] as const]),
    pointer: { name: 'parent', of: ({ parent }: InWave<T>) => parent },
  }
}

/** A value of a node that has been in a wave. */
function inWave<T>(of: (my: InWave<T>, name: ShownId) => string) {
  return (my: InWave<T>, name: ShownId) =>
    my.status === 'asleep' || my.number === 0 ? null : of(my, name)
}

/** Why a node does what it does when it is asked, answered or told the result. */
export function waveReasons<T>(shown: ShownResult<T>) {
  return {
    asked(my: InWave<T>, { number, source }: WaveKey, name: ShownId, around: EventContext): string {
      const { from, node, up } = around
      const order = rank(number, source, my)
      const later =
        number === my.number
          ? name.order(source, my.source)
          : `it is ${order < 0 ? 'earlier' : 'later'}`
      if (order < 0) return `ignores the wave of ${name(source)}: ${later}`
      if (order === 0)
        return from === my.parent
          ? 'is asked by its parent once more'
          : `answers ${node(from)} with nothing: it is in this wave already`
      if (!up(from)) return `begins a wave itself: ${node(from)} is down by now`
      return my.status === 'asleep' || my.number === 0
        ? `joins the wave of ${name(source)}: ${node(from)} is its parent`
        : `leaves its wave for that of ${name(source)}: ${later}`
    },
    answered(
      my: InWave<T>,
      { number, source, found }: WaveKey & { found: T | null },
      name: ShownId,
      { from, node }: EventContext,
    ): string {
      if (rank(number, source, my) !== 0 || !my.asked.has(from)) return 'ignores it: it is outdated'
      const child =
        found === null
          ? `learns that ${node(from)} has another parent`
          : `has ${node(from)} as a child, which reports ${shown(found, name)}`
      const left = my.asked.size - 1
      if (left > 0) return `${child}; waits for ${left} more`
      return my.parent === null
        ? `${child}; has all answers: the wave is over`
        : `${child}; has all answers and reports to its parent ${node(my.parent)}`
    },
    informed: (
      my: InWave<T>,
      { number, source, found }: WaveKey & { found: T },
      name: ShownId,
    ): string =>
      rank(number, source, my) === 0 && my.leader === null
        ? `learns the result ${shown(found, name)} and tells its children`
        : 'knows the result, or is in another wave',
  }
}
