import { type ClauseTrees, messageEnds, recordsOf, type Shape } from '../clause-trees.ts'
import type { ConfigurationSearch, Instance } from '../search.ts'
import type { LocalStep } from '../steps/local-step.ts'
import { MOST_NODES } from '../vocabulary.ts'

/** A message in flight before a step: its kind and receiver. */
export interface InFlight {
  readonly kind: number
  readonly to: number
  /** On a complete network: its sender; -1 where there is none. */
  readonly sender: number
  /** Its age where links are FIFO. */
  readonly rank: number
}

/** A network with messages in flight; the acting node is at position 0. */
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
  /** The clause on the configuration after the step; null where any configuration will do. */
  readonly goal: Instance | null
  /** The messages of the step that the tuple names: their numbers among those that it sends. */
  readonly sent: readonly number[]
  readonly tuple: Tuple
  /**
   * Where the tuple has two sets of votes, by their numbers in the tuple: somebody who is in both,
   * since both are majorities; or one of them that is none. Null where it has not two.
   */
  readonly majorities:
    | { readonly of: readonly number[]; readonly witness: number }
    | { readonly none: number }
    | null
}

/** The nodes of an instance, and its messages: in flight before the step, or sent in it. */
export interface Tuple {
  readonly nodes: readonly number[]
  readonly messages: readonly Named[]
}

/** A message of a tuple: its number among those before the step, or among those sent in it. */
export interface Named {
  readonly when: 'before' | 'sent'
  readonly number: number
  readonly to: number
  readonly sender: number
}

/** The messages of a tuple that a step sends, without repetition. */
export function sentOf({ messages }: Tuple): number[] {
  return [...new Set(messages.flatMap(({ when, number }) => (when === 'sent' ? [number] : [])))]
}

/** What is assumed about links. */
export interface Assumptions {
  readonly fifo: boolean
  /** Messages may be delivered more than once. */
  readonly duplicates: boolean
}

/** The id fields of messages of these kinds whose owners are assumed to exist. */
export type OwnedFields = (
  kinds: readonly number[],
) => readonly { readonly message: number; readonly field: number }[]

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

/** The instances of clauses on structures, and the frames of their violations. */
export abstract class Structures {
  private readonly instances = new Map<ClauseTrees, Map<string, Instance[]>>()
  private readonly structures = new Map<string, Structure>()
  private readonly bound = new Map<ClauseTrees, Map<number, Instance>>()

  constructor(
    private readonly search: ConfigurationSearch,
    protected readonly assumptions: Assumptions,
  ) {}

  /** All ways in which a step of this form can touch a tuple of a clause. */
  abstract frames(trees: ClauseTrees, step: LocalStep, owned: OwnedFields): Iterable<Frame>

  /** All ways in which a node can take a step alone, but for the owners of ids in the message. */
  abstract alone(step: LocalStep, owned: OwnedFields): Iterable<Structure>

  /** How places are numbered in a shape: going left from the first, or by their occurrence. */
  protected abstract placesIn(positions: readonly number[]): readonly number[]

  /** All instances of a clause before a step. */
  instancesOf(trees: ClauseTrees, { nodes, messages }: Structure): readonly Instance[] {
    const flight = messages.map(({ kind, to, sender, rank }) => [kind, to, sender, rank])
    const key = `${nodes}:${flight.join(';')}`
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
  protected interned(structure: Structure): Structure {
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
      const named = chosen.map((number): Named => {
        const { to, sender } = messages[number]
        return { when: 'before', number, to, sender }
      })
      const ranks = chosen.map((i) => messages[i].rank)
      const digits = named.flatMap(({ number, to, sender }, i) => [
        number,
        to,
        sender + 1,
        ranks[i],
      ])
      for (const positions of sequences(clause.nodes, nodes)) {
        // The same tuple is bound to the same cells on every network.
        const key = [...digits, ...positions].reduce(
          (sum, digit) => sum * (MOST_NODES + 1) + digit,
          0,
        )
        let instance = known.get(key)
        if (instance === undefined) {
          instance = this.instance(trees, { nodes: positions, messages: named }, ranks, false)
          known.set(key, instance)
        }
        yield instance
      }
    }
  }

  /** A clause bound to the cells of a tuple, before the step or after it. */
  protected instance(
    trees: ClauseTrees,
    tuple: Tuple,
    ranks: readonly number[],
    after: boolean,
  ): Instance {
    const { search } = this
    const shape = this.shapeOf(tuple, ranks)
    const records = recordsOf(shape)
    const positions = [...tuple.messages.flatMap(messageEnds), ...tuple.nodes]
    const places = [...shape.messages.flatMap(messageEnds), ...shape.nodes]
    const sent = sentOf(tuple)
    const nodes = records.nodes.map((place) => positions[places.indexOf(place)])
    return {
      tree: trees.tree(shape),
      name: trees.name,
      records: [
        ...records.messages.map((i) => {
          const { when, number } = tuple.messages[i]
          return when === 'sent'
            ? search.sentCell(sent.indexOf(number))
            : search.messageCell(number)
        }),
        ...nodes.map((at) => (after && at === 0 ? search.afterCells : search.nodeCell(at))),
      ],
      positions: [...records.messages.map(() => -1), ...nodes],
    }
  }

  /** How the records of a tuple lie to each other. */
  private shapeOf({ nodes, messages }: Tuple, ranks: readonly number[]): Shape {
    const places = this.placesIn([...messages.flatMap(messageEnds), ...nodes])
    const { fifo } = this.assumptions
    const ages = fifo ? [...new Set(ranks)].sort((a, b) => a - b) : []
    return {
      nodes: nodes.map((at) => places.indexOf(at)),
      messages: messages.map(({ when, number, to, sender }, i) => ({
        to: places.indexOf(to),
        sender: sender < 0 ? -1 : places.indexOf(sender),
        rank: fifo ? ages.indexOf(ranks[i]) : 0,
        // What is sent to all is another message for each of them.
        same: messages.findIndex(
          (other) => other.when === when && other.number === number && other.to === to,
        ),
      })),
    }
  }
}

/** Where a message of a tuple may come from. */
export interface Source {
  readonly from: 'sent' | 'older' | 'delivered'
  readonly number: number
}

/** Where each message of a tuple comes from, and the kinds of those that were there before. */
export interface TupleSources {
  readonly of: readonly Source[]
  readonly older: readonly number[]
}

/** Where the messages of a tuple may come from: the step sends them, or they were there before. */
export function* sourcesOf(
  kinds: readonly number[],
  { event, sends }: LocalStep,
  stays: boolean,
  of: readonly Source[] = [],
  older: readonly number[] = [],
): Iterable<TupleSources> {
  if (of.length === kinds.length) {
    yield { of, older }
    return
  }
  const kind = kinds[of.length]
  const step = { event, sends } as LocalStep
  const go = (source: Source, more: readonly number[] = older) =>
    sourcesOf(kinds, step, stays, [...of, source], more)
  for (const [number, sent] of sends.entries())
    if (sent.kind === kind) yield* go({ from: 'sent', number })
  for (const [number, other] of older.entries())
    if (other === kind) yield* go({ from: 'older', number })
  yield* go({ from: 'older', number: older.length }, [...older, kind])
  if (stays && event.event === 'receive' && event.kind === kind)
    yield* go({ from: 'delivered', number: 0 })
}
