import type { ClauseTrees } from '../clause-trees.ts'
import { UnmetCondition } from '../refusal.ts'
import type { ConfigurationSearch } from '../search.ts'
import { ALL, type LocalStep, SELF } from '../steps/local-step.ts'
import { MOST_NODES } from '../vocabulary.ts'
import {
  type Assumptions,
  type Frame,
  type InFlight,
  type Named,
  type OwnedFields,
  type Structure,
  Structures,
  sentOf,
  sourcesOf,
  type Tuple,
  type TupleSources,
} from './structures.ts'

/** Complete networks around a step. The order of nodes means nothing. */
export class CompleteStructures extends Structures {
  constructor(
    search: ConfigurationSearch,
    assumptions: Assumptions,
    /** The kind that tells who has led: such a message has no sender. */
    private readonly led: number,
  ) {
    super(search, assumptions)
  }

  protected placesIn(positions: readonly number[]): readonly number[] {
    return [...new Set(positions)]
  }

  /**
   * The nodes: the acting one, the sender of its message, those of the tuple, receivers and senders
   * of its messages, and somebody who is in both majorities where the tuple has two.
   */
  *frames(trees: ClauseTrees, step: LocalStep, _owned: OwnedFields): Iterable<Frame> {
    const again = this.assumptions.duplicates || step.defers
    for (const sources of sourcesOf(trees.kinds, step, again))
      yield* this.framesWith(sources, trees, step)
  }

  private *framesWith(
    { of, older }: TupleSources,
    trees: ClauseTrees,
    { event, sends }: LocalStep,
  ): Iterable<Frame> {
    const { kinds, clause } = trees
    const delivered = event.event === 'receive' ? [event.kind] : []
    const broadcasts = of.filter(
      ({ from, number }) => from === 'sent' && sends[number].link === ALL,
    )
    const votes = [...kinds.keys()].filter((i) => kinds[i] === this.led)
    const witnesses = votes.length > 1 ? 1 : 0
    const places = [
      ...delivered,
      ...older.flatMap((kind) => (kind === this.led ? ['to'] : ['to', 'sender'])),
      ...broadcasts,
      ...Array.from({ length: clause.nodes + witnesses }),
    ]
    requireNodes(1 + places.length, trees)
    for (const at of patterns(places.length)) {
      let next = 0
      const sender = delivered.length > 0 ? at[next++] : -1
      const before: InFlight[] = [
        ...delivered.map((kind) => ({ kind, to: 0, sender, rank: 0 })),
        ...older.map((kind) => ({
          kind,
          to: at[next++],
          sender: kind === this.led ? -1 : at[next++],
          rank: 0,
        })),
      ]
      // Nobody sends to itself.
      if (before.some(({ to, sender: from }) => to === from)) continue
      const targets = broadcasts.map(() => at[next++])
      if (targets.includes(0)) continue
      const tuple: Tuple = {
        messages: of.map((source): Named => {
          const { from, number } = source
          if (from !== 'sent') {
            const place = from === 'delivered' ? 0 : delivered.length + number
            const { to, sender: origin } = before[place]
            return { when: 'before', number: place, to, sender: origin }
          }
          const { link } = sends[number]
          if (link === SELF) return { when: 'sent', number, to: 0, sender: -1 }
          const to = link === ALL ? targets[broadcasts.indexOf(source)] : sender
          return { when: 'sent', number, to, sender: 0 }
        }),
        nodes: Array.from({ length: clause.nodes }, () => at[next++]),
      }
      const named = [...tuple.nodes, ...tuple.messages.flatMap(({ to, sender: s }) => [to, s])]
      if (!named.includes(0) && !of.some(({ from }) => from === 'sent')) continue
      const nodes = 1 + Math.max(0, ...at)
      const ranks = of.map(() => 0)
      const frame = {
        structure: this.interned({ nodes, messages: before, owners: [] }),
        goal: this.instance(trees, tuple, ranks, true),
        sent: sentOf(tuple),
        tuple,
      }
      if (witnesses === 0) yield { ...frame, majorities: null }
      else {
        yield { ...frame, majorities: { of: votes, witness: at[next] } }
        for (const none of votes) yield { ...frame, majorities: { none } }
      }
    }
  }

  *alone({ event }: LocalStep): Iterable<Structure> {
    const messages =
      event.event === 'receive' ? [{ kind: event.kind, to: 0, sender: 1, rank: 0 }] : []
    yield this.interned({ nodes: 1 + messages.length, messages, owners: [] })
  }
}

function requireNodes(nodes: number, { name }: ClauseTrees): void {
  if (nodes <= MOST_NODES) return
  throw new UnmetCondition(
    `the clause "${name}" needs networks of ${nodes} nodes.`,
    `Proofs look at ${MOST_NODES}: name fewer nodes or messages.`,
  )
}

/** All ways to place so many things, up to renaming: at 0, at a place before, or at a new one. */
function* patterns(length: number, at: readonly number[] = []): Iterable<readonly number[]> {
  if (at.length === length) {
    yield at
    return
  }
  const last = Math.max(0, ...at)
  for (let place = 0; place <= last + 1; place++) yield* patterns(length, [...at, place])
}
