import type { LocalStep } from './steps/local-step.ts'
import type { OwnedFields } from './structures/structures.ts'
import { ID, type Vocabulary } from './vocabulary.ts'

/**
 * The id fields of messages that always hold the id of some node. Every id comes from `my.id`, from
 * a message or from the state; only a plain `uid` of the state starts as nobody's. A value that a
 * step writes or sends is somebody's if any of the fields that held it before are.
 */
export function ownedFields(
  { node, messages }: Vocabulary,
  steps: readonly LocalStep[],
): OwnedFields {
  const unowned = {
    node: node.map(({ sort }, i) => i !== ID && sort.kind === 'id' && !sort.nullable),
    messages: messages.map((fields) => fields.map(() => false)),
  }
  let changed = true
  const mark = (marks: boolean[], field: number) => {
    if (marks[field]) return
    marks[field] = true
    changed = true
  }
  while (changed) {
    changed = false
    for (const step of steps) {
      const known = knownIds(step)
      for (const [field, code] of step.writes)
        if (node[field].sort.kind === 'id' && code > 0 && !known.has(code))
          mark(unowned.node, field)
      for (const { kind, fields } of step.sends)
        for (const [field, code] of fields.entries())
          if (messages[kind][field].sort.kind === 'id' && code > 0 && !known.has(code))
            mark(unowned.messages[kind], field)
    }
  }
  return (kinds) =>
    kinds.flatMap((kind, message) =>
      messages[kind].flatMap(({ sort }, field) =>
        sort.kind === 'id' && !sort.nullable && !unowned.messages[kind][field]
          ? [{ message, field }]
          : [],
      ),
    )

  /** The ids that a step has read from fields that hold ids of nodes. */
  function knownIds({ event, node: reads, message }: LocalStep): Set<number> {
    const kind = event.event === 'receive' ? event.kind : -1
    const own = reads.filter(([field]) => node[field].sort.kind === 'id' && !unowned.node[field])
    const received = message.filter(
      ([field]) => messages[kind][field].sort.kind === 'id' && !unowned.messages[kind][field],
    )
    return new Set([...own, ...received].map(([, code]) => code))
  }
}
