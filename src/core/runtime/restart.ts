import type { Algorithm, MessageKind } from '../language/algorithm.ts'
import type { Link } from '../language/net.ts'
import { flag, nat, stable } from '../language/value-types.ts'
import { deferredMessages } from './deferred-messages.ts'
import { codecDispatch, codecsOf, type MessageCodec } from './message-codec.ts'
import { type State, StateLayout } from './state.ts'

/** The operations that a restarting algorithm needs of the net. */
interface Restart {
  withdraw(): void
  defer(): void
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
  const codecs = codecsOf(algorithm.kinds.map(({ codec }) => ({ ...codec.fields, attempt: nat })))
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
    ),
    start: begin,
    recover: begin,
    down: restart,
    up: restart,
    schema: `renewed ${algorithm.schema}`,
  }
}
