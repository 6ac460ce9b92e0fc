import { left } from '../../core/language/net.ts'
import type { ClauseTrees } from '../clause-trees.ts'
import type { LocalStep } from '../steps/local-step.ts'
import { MOST_NODES } from '../vocabulary.ts'
import {
  type Frame,
  type InFlight,
  type Named,
  type OwnedFields,
  type Structure,
  Structures,
  sentOf,
  sequences,
  sourcesOf,
  type Tuple,
} from './structures.ts'

/** Rings around a step, with no other nodes than those that are needed. */
export class RingStructures extends Structures {
  protected placesIn(positions: readonly number[]): readonly number[] {
    const [first = 0] = positions
    const distance = (at: number) => (at - first + MOST_NODES) % MOST_NODES
    return [...new Set(positions)].sort((a, b) => distance(a) - distance(b))
  }

  /** The nodes: the acting one, those of the tuple, receivers of its messages, owners of ids. */
  *frames(trees: ClauseTrees, step: LocalStep, owned: OwnedFields): Iterable<Frame> {
    const { kinds, clause } = trees
    const { event, sends } = step
    const delivered = event.event === 'receive' ? [event.kind] : []
    const most = clause.nodes + kinds.length + 1
    // Owners may be left out: then less is assumed.
    const ids = most + owned(delivered).length > MOST_NODES ? [] : owned(delivered)
    for (const { of, older } of sourcesOf(
      kinds,
      step,
      this.assumptions.duplicates || step.defers,
    )) {
      for (let nodes = 1; nodes <= most + ids.length; nodes++)
        for (const at of sequences(clause.nodes + older.length + ids.length, nodes)) {
          const receivers = at.slice(clause.nodes, clause.nodes + older.length)
          const tuple: Tuple = {
            nodes: at.slice(0, clause.nodes),
            messages: of.map(({ from, number }): Named => {
              const sender = -1
              if (from === 'delivered') return { when: 'before', number: 0, to: 0, sender }
              if (from === 'sent')
                return { when: 'sent', number, to: neighbour(sends[number].link, nodes), sender }
              return {
                when: 'before',
                number: delivered.length + number,
                to: receivers[number],
                sender,
              }
            }),
          }
          const named = [...tuple.nodes, ...tuple.messages.map(({ to }) => to)]
          if (!named.includes(0) && !of.some(({ from }) => from === 'sent')) continue
          const owners = at.slice(clause.nodes + older.length)
          if (new Set([0, ...named, ...owners]).size < nodes) continue
          const structure = {
            nodes,
            owners: ids.map((id, i) => ({ ...id, node: owners[i] })),
          }
          for (const ages of this.assumptions.fifo ? permutations(older.length) : [[]]) {
            const messages = [
              ...delivered.map((kind) => ({ kind, to: 0, sender: -1, rank: 0 })),
              ...older.map((kind, i) => ({
                kind,
                to: receivers[i],
                sender: -1,
                rank: 1 + (ages[i] ?? 0),
              })),
            ]
            yield this.frame(trees, { ...structure, messages }, tuple)
          }
        }
    }
  }

  private frame(trees: ClauseTrees, structure: Structure, tuple: Tuple): Frame {
    // What is sent in the step is younger than everything before.
    const { messages } = structure
    const ranks = tuple.messages.map(({ when, number }) =>
      when === 'sent' ? 1 + messages.length + number : messages[number].rank,
    )
    return {
      structure: this.interned(structure),
      goal: this.instance(trees, tuple, ranks, true),
      sent: sentOf(tuple),
      tuple,
      majorities: null,
    }
  }

  *alone({ event }: LocalStep, owned: OwnedFields): Iterable<Structure> {
    const kinds = event.event === 'receive' ? [event.kind] : []
    const messages = kinds.map((kind): InFlight => ({ kind, to: 0, sender: -1, rank: 0 }))
    const ids = owned(kinds)
    for (let nodes = 1; nodes <= 1 + ids.length; nodes++)
      for (const at of sequences(ids.length, nodes)) {
        if (new Set([0, ...at]).size < nodes) continue
        const owners = ids.map((id, i) => ({ ...id, node: at[i] }))
        yield this.interned({ nodes, messages, owners })
      }
  }
}

/** Where a link of the acting node leads. */
export function neighbour(link: number, nodes: number): number {
  return link === left ? 1 % nodes : nodes - 1
}

/** All orders of so many things. */
function* permutations(length: number): Iterable<number[]> {
  if (length === 0) yield []
  else
    for (const order of permutations(length - 1))
      for (let at = 0; at < length; at++)
        yield [...order.slice(0, at), length - 1, ...order.slice(at)]
}
