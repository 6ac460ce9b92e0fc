import type { Algorithm } from '../../core/language/algorithm.ts'
import type { Clause } from '../../core/language/clause.ts'
import type { GlobalState, MessageInFlight, Property } from '../../core/language/problem.ts'
import type { Deferred } from '../../core/runtime/message-codec.ts'
import { sequences } from '../structures/structures.ts'
import { provenTopology } from '../vocabulary.ts'

/**
 * A clause about rings as a property that must always hold: an exploration finds out whether it
 * fails in a state that can be reached. It evaluates all instances of the clause, with no decision
 * tree: what a proof says can be compared with it.
 */
function clauseProperty(name: string, clause: Clause, algorithm: Algorithm): Property {
  const kinds = clause.messages.map(({ serial }) => algorithm.kindBySerial[serial])
  return {
    name,
    when: 'always',
    broken(global) {
      const { nodes, messages, relations } = viewsOf(global)
      const names = (tuple: readonly number[]) => tuple.map((node) => global.name(node)).join(', ')
      for (const chosen of sequences(kinds.length, Math.max(1, messages.length))) {
        if (kinds.some((kind, i) => messages[chosen[i]]?.kind !== kind)) continue
        for (const positions of sequences(clause.nodes, nodes.length)) {
          const tuple = [
            ...chosen.map((message) => messages[message].view),
            ...positions.map((node) => nodes[node]),
            relations,
          ]
          if (clause.holds(...(tuple as never[]))) continue
          const words = chosen.map((message) => algorithm.kinds[messages[message].kind].word)
          return `it fails for ${[...words, names(positions)].filter(Boolean).join(', ')}`
        }
      }
      return null
    },
  }
}

/**
 * What an exploration evaluates in place of a clause: the goal of that name, if there is one and it
 * must always hold, or else the clause. Null for clauses about steps or about complete networks, of
 * which explorations do not see what clauses see, and for unknown names.
 */
export function propertyNamed(
  name: string,
  algorithm: Algorithm,
  goals: readonly Property[],
): Property | null {
  const goal = goals.find((property) => property.name === name)
  if (goal?.when === 'always') return goal
  const clause = goal === undefined ? algorithm.invariant()[name] : goal.universal
  const isExplored =
    clause !== undefined && !('step' in clause) && provenTopology(algorithm) === 'ring'
  return isExplored ? clauseProperty(name, clause, algorithm) : null
}

/** A message that is on its way, or that its receiver has deferred. */
interface ViewedMessage {
  readonly kind: number
  readonly view: object
}

/** The state of a ring as clauses see it. */
export function viewsOf(global: GlobalState) {
  const { n, inFlight = [] } = global
  const nodes = Array.from({ length: n }, (_, node): object => Object.create(global.state(node)))
  const deferred = nodes.flatMap((_, to) => {
    const { waiting } = global.state(to) as { waiting?: readonly Deferred[] }
    return (waiting ?? []).map((message) => ({ ...message, to }))
  })
  const messages = [...deferred, ...inFlight].map(
    ({ kind, body, link, to }: Pick<MessageInFlight, 'kind' | 'body' | 'link' | 'to'>) => ({
      kind,
      channel: `${to} ${link}`,
      view: { ...body, from: link, to: nodes[to] },
    }),
  )
  const place = (view: object) => nodes.indexOf(view)
  const relations = {
    inside(a: object, b: object, c: object) {
      const way = (place(c) - place(a) + n) % n || n
      const distance = (place(b) - place(a) + n) % n
      return distance > 0 && distance < way
    },
    // Those of a channel are in order.
    ahead(first: object, second: object) {
      const [i, j] = [first, second].map((view) => messages.findIndex((one) => one.view === view))
      return messages[i].channel === messages[j].channel && i < j
    },
  }
  return { nodes, messages: messages as readonly ViewedMessage[], relations }
}
