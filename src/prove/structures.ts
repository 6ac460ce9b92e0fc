import type { ClauseTrees, Shape } from './clause-trees.ts'
import { recordsOf } from './clause-trees.ts'
import type { LocalStep } from './local-steps.ts'
import { type ConfigurationSearch, type Instance, MOST_NODES } from './search.ts'

/** A message in flight before a step: its kind, its receiver, and its age where links are FIFO. */
export interface InFlight {
  readonly kind: number
  readonly to: number
  readonly rank: number
}

/** A ring with messages in flight; the acting node is at position 0. */
export interface Structure {
  readonly nodes: number
  readonly messages: readonly InFlight[]
  /** The owner of an id in a message, where one is assumed: its position. */
  readonly owners: readonly {
    readonly message: number
    readonly field: number
    readonly node: number
  }[]
}

/** One way in which the tuple of a clause may lie around a step. */
export interface Frame {
  readonly structure: Structure
  /** The clause on the configuration after the step. */
  readonly goal: Instance
  /** The messages of the step that the tuple names: their numbers among those that it sends. */
  readonly sent: readonly number[]
  readonly tuple: Tuple
}

/** The nodes of an instance, and its messages: in flight before the step, or sent in it. */
export interface Tuple {
  readonly nodes: readonly number[]
  readonly messages: readonly Named[]
}

export type Named =
  | { readonly before: number; readonly to: number }
  | { readonly sent: number; readonly to: number }

/** All sequences of so many numbers below a limit. */
export function* sequences(length: number, below: number): Iterable<number[]> {
  const digits = new Array<number>(length).fill(0)
  while (true) {
    yield [...digits]
    let i = length - 1
    while (i >= 0 && ++digits[i] === below) digits[i--] = 0
    if (i < 0) return
  }
}

/** How the records of a tuple lie to each other. */
function shapeOf(
  { nodes, messages }: Tuple,
  around: number,
  ranks: readonly number[],
  fifo: boolean,
): Shape {
  const positions = [...messages.map(({ to }) => to), ...nodes]
  const [first = 0] = positions
  const distance = (at: number) => (at - first + around) % around
  const places = [...new Set(positions)].sort((a, b) => distance(a) - distance(b))
  const ages = fifo ? [...new Set(ranks)].sort((a, b) => a - b) : []
  return {
    nodes: nodes.map((at) => places.indexOf(at)),
    messages: messages.map((message, i) => ({
      to: places.indexOf(message.to),
      rank: fifo ? ages.indexOf(ranks[i]) : 0,
      same: messages.findIndex((other) => isSame(other, message)),
    })),
  }
}

function isSame(a: Named, b: Named): boolean {
  return 'before' in a ? 'before' in b && a.before === b.before : 'sent' in b && a.sent === b.sent
}

/** What is assumed about links and ids. */
export interface Assumptions {
  readonly fifo: boolean
  /** Messages may be delivered more than once. */
  readonly duplicates: boolean
}

/** The instances of clauses on structures, and the frames of their violations. */
export class Structures {
  private readonly instances = new Map<ClauseTrees, Map<string, Instance[]>>()
  private readonly structures = new Map<string, Structure>()
  private readonly bound = new Map<ClauseTrees, Map<number, Instance>>()

  constructor(
    private readonly search: ConfigurationSearch,
    private readonly assumptions: Assumptions,
  ) {}

  /** All instances of a clause before a step. */
  instancesOf(trees: ClauseTrees, { nodes, messages }: Structure): readonly Instance[] {
    const key = `${nodes}:${messages.map(({ kind, to, rank }) => `${kind},${to},${rank}`).join(';')}`
    const known = this.instances.get(trees) ?? new Map<string, Instance[]>()
    this.instances.set(trees, known)
    let found = known.get(key)
    if (found === undefined) {
      found = [...this.allInstances(trees, nodes, messages)]
      known.set(key, found)
    }
    return found
  }

  /** Equal structures are one, so that their instances are made once. */
  private interned(structure: Structure): Structure {
    const key = JSON.stringify(structure)
    const known = this.structures.get(key) ?? structure
    this.structures.set(key, known)
    return known
  }

  private *allInstances(
    trees: ClauseTrees,
    nodes: number,
    messages: readonly InFlight[],
  ): Iterable<Instance> {
    const { kinds, clause } = trees
    const known = this.bound.get(trees) ?? new Map<number, Instance>()
    this.bound.set(trees, known)
    for (const chosen of sequences(kinds.length, Math.max(1, messages.length))) {
      if (kinds.some((kind, i) => messages[chosen[i]]?.kind !== kind)) continue
      const named = chosen.map((before) => ({ before, to: messages[before].to }))
      const ranks = chosen.map((i) => messages[i].rank)
      const digits = named.flatMap(({ before, to }, i) => [before, to, ranks[i]])
      for (const positions of sequences(clause.nodes, nodes)) {
        // The same tuple is bound to the same cells on every ring.
        const key = [...digits, ...positions].reduce((sum, digit) => sum * MOST_NODES + digit, 0)
        let instance = known.get(key)
        if (instance === undefined) {
          instance = this.instance(
            trees,
            { nodes: positions, messages: named },
            nodes,
            ranks,
            false,
          )
          known.set(key, instance)
        }
        yield instance
      }
    }
  }

  /** A clause bound to the cells of a tuple, before the step or after it. */
  private instance(
    trees: ClauseTrees,
    tuple: Tuple,
    around: number,
    ranks: readonly number[],
    after: boolean,
  ): Instance {
    const { search } = this
    const shape = shapeOf(tuple, around, ranks, this.assumptions.fifo)
    const records = recordsOf(shape)
    const positions = [...tuple.messages.map(({ to }) => to), ...tuple.nodes]
    const places = [...shape.messages.map(({ to }) => to), ...shape.nodes]
    const sent = tuple.messages.flatMap((message) => ('sent' in message ? [message.sent] : []))
    const order = [...new Set(sent)]
    return {
      tree: trees.tree(shape),
      records: [
        ...records.messages.map((i) => {
          const message = tuple.messages[i]
          return 'sent' in message
            ? search.sentCell(order.indexOf(message.sent))
            : search.messageCell(message.before)
        }),
        ...records.nodes.map((place) => {
          const at = positions[places.indexOf(place)]
          return after && at === 0 ? search.afterCells : search.nodeCell(at)
        }),
      ],
    }
  }

  /**
   * All ways in which a step of this form can touch a tuple of a clause. No other node is needed
   * than the acting one, those of the tuple, the receivers of its messages, and owners of ids.
   */
  *frames(trees: ClauseTrees, step: LocalStep, owned: OwnedFields): Iterable<Frame> {
    const { kinds, clause } = trees
    const { event, sends } = step
    const delivered = event.event === 'receive' ? [event.kind] : []
    const stays = this.assumptions.duplicates || step.defers
    for (const sources of sourcesOf(kinds, delivered, stays, sends)) {
      const older = sources.older
      const ids = owned(delivered)
      const most = clause.nodes + kinds.length + 1 + ids.length
      for (let nodes = 1; nodes <= Math.min(most, MOST_NODES); nodes++)
        for (const at of sequences(clause.nodes + older.length + ids.length, nodes)) {
          const positions = at.slice(0, clause.nodes)
          const receivers = at.slice(clause.nodes, clause.nodes + older.length)
          const tuple: Tuple = {
            nodes: positions,
            messages: sources.of.map((source): Named => {
              if (source.from === 'sent') {
                const to = sends[source.place].link === 0 ? 1 % nodes : nodes - 1
                return { sent: source.place, to }
              }
              const before = source.from === 'delivered' ? 0 : delivered.length + source.place
              return { before, to: source.from === 'delivered' ? 0 : receivers[source.place] }
            }),
          }
          const named = [...positions, ...tuple.messages.map(({ to }) => to)]
          const touches = named.includes(0) || sources.of.some(({ from }) => from === 'sent')
          if (!touches) continue
          if (new Set([0, ...named, ...at.slice(clause.nodes + older.length)]).size < nodes)
            continue
          const owners = ids.map((id, i) => ({
            ...id,
            node: at[clause.nodes + older.length + i],
          }))
          for (const ages of this.assumptions.fifo ? permutations(older.length) : [[]])
            yield this.frame(trees, step, { nodes, receivers, owners, ages, older, tuple })
        }
    }
  }

  private frame(
    trees: ClauseTrees,
    { event }: LocalStep,
    given: {
      nodes: number
      receivers: readonly number[]
      owners: Structure['owners']
      ages: readonly number[]
      older: readonly number[]
      tuple: Tuple
    },
  ): Frame {
    const { nodes, receivers, owners, ages, older, tuple } = given
    const delivered = event.event === 'receive' ? [{ kind: event.kind, to: 0, rank: 0 }] : []
    const messages = [
      ...delivered,
      ...older.map((kind, i) => ({ kind, to: receivers[i], rank: 1 + (ages[i] ?? 0) })),
    ]
    // What is sent in the step is younger than everything before.
    const ranks = tuple.messages.map((message) =>
      'sent' in message ? 1 + older.length + message.sent : messages[message.before].rank,
    )
    const sent = tuple.messages.flatMap((message) => ('sent' in message ? [message.sent] : []))
    return {
      structure: this.interned({ nodes, messages, owners }),
      goal: this.instance(trees, tuple, nodes, ranks, true),
      sent: [...new Set(sent)],
      tuple,
    }
  }
}

/** The id fields of messages of these kinds whose owners are assumed to exist. */
export type OwnedFields = (
  kinds: readonly number[],
) => readonly { readonly message: number; readonly field: number }[]

type Source = { readonly from: 'sent' | 'older' | 'delivered'; readonly place: number }

/** Where the messages of a tuple may come from: the step sends them, or they were there before. */
function* sourcesOf(
  kinds: readonly number[],
  delivered: readonly number[],
  stays: boolean,
  sends: LocalStep['sends'],
  of: readonly Source[] = [],
  older: readonly number[] = [],
): Iterable<{ of: readonly Source[]; older: readonly number[] }> {
  if (of.length === kinds.length) {
    yield { of, older }
    return
  }
  const kind = kinds[of.length]
  const go = (source: Source, more: readonly number[] = older) =>
    sourcesOf(kinds, delivered, stays, sends, [...of, source], more)
  for (const [place, sent] of sends.entries())
    if (sent.kind === kind) yield* go({ from: 'sent', place })
  for (const [place, other] of older.entries())
    if (other === kind) yield* go({ from: 'older', place })
  yield* go({ from: 'older', place: older.length }, [...older, kind])
  if (stays && delivered[0] === kind) yield* go({ from: 'delivered', place: 0 })
}

/** All orders of so many things. */
function* permutations(length: number): Iterable<number[]> {
  if (length === 0) yield []
  else
    for (const order of permutations(length - 1))
      for (let at = 0; at < length; at++)
        yield [...order.slice(0, at), length - 1, ...order.slice(at)]
}
