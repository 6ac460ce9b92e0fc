import type { Algorithm, MessageKind } from '../language/algorithm.ts'
import type { Link } from '../language/net.ts'
import { flag, nat, stable, type ValueType } from '../language/value-types.ts'
import { codecDispatch, codecsOf, deferredMessages, type MessageCodec } from './message-codec.ts'

import { type State, StateLayout } from './state.ts'

/** The operations that a restarting algorithm needs of the net. */
interface Restart {
  withdraw(): void
  defer(): void
}

/**
 * The number of the attempt in a message. Messages of the first attempt do not mention it and pay
 * no bits for it: a run is the same up to its first crash, whether there is one or not.
 */
const attemptNumber: ValueType<number, number | undefined> = {
  ...nat,
  bits: (value, uidBits) => (value === 0 ? 0 : nat.bits(value, uidBits)),
  json: (value) => (value === 0 ? undefined : value),
}

const made = new WeakMap<Algorithm, Algorithm>()

/**
 * Whether a ring closes over crashed nodes for this algorithm: it must need a ring and must not
 * know the number of nodes. For an algorithm for any network a ring is a graph that falls apart.
 */
export function mayCloseRing({ needs }: Algorithm): boolean {
  return needs.topology === 'ring' && !needs.knows?.includes('n')
}

/** Whether the algorithm can restart after crashes; synchronous and lasting ones do not. */
export function isRestartable(algorithm: Algorithm): boolean {
  return mayCloseRing(algorithm) && !algorithm.lasting && algorithm.needs.time === undefined
}

/** The restarting form of an algorithm; cached, since the code of its states is generated. */
export function restarting(algorithm: Algorithm): Algorithm {
  const known = made.get(algorithm) ?? makeRestarting(algorithm)
  made.set(algorithm, known)
  return known
}

/**
 * A ring election that survives detected crashes: the ring closes over the crashed nodes, and the
 * election restarts. The detector notifies all nodes in the same order, though not at the same
 * moment; the number of an attempt is the number of notices that a node has received. So all nodes
 * of an attempt see the same ring. Every message carries the number of its attempt: messages of a
 * later attempt are deferred until this node has received as many notices, messages of an earlier
 * attempt are dropped. So no message of a crashed node affects the new attempt.
 */
function makeRestarting(algorithm: Algorithm): Algorithm {
  const { layout, wakes, start } = algorithm
  const codecs = codecsOf(
    algorithm.kinds.map(({ codec }) => ({ ...codec.fields, attempt: attemptNumber })),
  )
  const kept = { attempt: stable(nat), begun: flag, waiting: deferredMessages(codecs) }

  function begin(my: State, net: unknown): void {
    my.begun = true
    start(my, net)
  }

  function restart(my: State, _link: Link, net: unknown): void {
    my.attempt = (my.attempt as number) + 1
    if (my.status === 'asleep') return
    for (const [name, type] of Object.entries(layout.own))
      if (!(name in kept)) my[name] = type.start()
    ;(net as Restart).withdraw()
    begin(my, net)
  }

  function restartingKind(kind: MessageKind, codec: MessageCodec): MessageKind {
    return {
      ...kind,
      codec,
      handle(my, body, net) {
        const [attempt, mine] = [body.attempt as number, my.attempt as number]
        if (attempt > mine) return (net as Restart).defer()
        // A node that is woken by an outdated message has to start spontaneously.
        if (my.begun === false && (wakes || attempt < mine)) begin(my, net)
        my.begun = true
        if (attempt === mine) kind.handle(my, body, net)
      },
      reason(my, body, name, around) {
        const [attempt, mine] = [body.attempt as number, my.attempt as number]
        if (attempt > mine) return 'keeps it for later: it is of a later attempt'
        if (attempt < mine) return 'ignores it: it is of an earlier attempt'
        return kind.reason?.(my, body, name, around) ?? null
      },
      seen: (my, body, seen, around) =>
        body.attempt === my.attempt ? (kind.seen?.(my, body, seen, around) ?? null) : null,
    }
  }

  return {
    ...algorithm,
    restarts: true,
    defers: true,
    wakes: false,
    kinds: algorithm.kinds.map((kind, index) => restartingKind(kind, codecs[index])),
    codecs: codecDispatch(codecs),
    layout: new StateLayout(
      { ...layout.own, ...kept },
      layout.hasIds,
      Object.keys(algorithm.params),
      [],
      layout.kept,
    ),
    start: begin,
    recover: begin,
    down: restart,
    up: restart,
    schema: `renewed ${algorithm.schema}`,
  }
}
