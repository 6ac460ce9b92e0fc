import type { Clause } from '../../core/language/clause.ts'
import type { InductionCounterexample, PartialRecord } from '../induction.ts'

/** A way on a ring, going left from one position to another; from one to itself it is all round. */
export interface Arc {
  readonly from: number
  readonly to: number
  /** The position of the node inside it that the clause speaks of. */
  readonly inside: number
}

/**
 * The ways on the ring on which the failing instance of a clause finds a node inside: its predicate
 * is run once more on what a counterexample has after its step.
 */
export function namedArcs({ holds }: Clause, counterexample: InductionCounterexample): Arc[] {
  const { nodes, messages, step, tuple } = counterexample
  const n = nodes.length
  const views = nodes.map(
    (state, at): PartialRecord => ({
      ...(at === 0 && step !== null ? step.after : state),
    }),
  )
  const arcs: Arc[] = []
  const inside = (...given: [object, object, object]) => {
    const [a, b, c] = given.map((view) => views.indexOf(view as PartialRecord))
    const distance = (b - a + n) % n
    const found = distance > 0 && distance < ((c - a + n) % n || n)
    if (found) arcs.push({ from: a, to: c, inside: b })
    return found
  }
  const named = tuple.messages.map(({ when, number, to }) => {
    const { fields } = (when === 'sent' ? step!.sends : messages)[number]
    return { ...fields, to: views[to] }
  })
  // The order of messages is not in a counterexample: after such a question no way is known.
  const ahead = () => false
  holds(...([...named, ...tuple.nodes.map((at) => views[at]), { inside, ahead }] as never[]))
  return arcs
}
