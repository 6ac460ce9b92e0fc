import type { Algorithm, MessageKind } from '../language/algorithm.ts'
import type { Link } from '../language/net.ts'
import { flag, nat, stable } from '../language/value-types.ts'
import { deferredMessages } from './deferred-messages.ts'
import { codecDispatch, codecsOf, type MessageCodec } from './message-codec.ts'
import { type State, StateLayout } from './state.ts'

/** What a renewed algorithm needs of the net. */
interface Restart {
  withdraw(): void
  defer(): void
}

const made = new WeakMap<Algorithm, Algorithm>()

/**
 * A ring closes over its dead for those who need one, unless they count on the number of nodes. To
 * an algorithm for any network a ring is a network like others, and falls apart.
 */
export function mayCloseRing({ needs }: Algorithm): boolean {
  return needs.topology === 'ring' && !needs.knows?.includes('n')
}

/** Whether the algorithm can start again: one that works in rounds, or lasts, does not need to. */
export function isRestartable(algorithm: Algorithm): boolean {
  return mayCloseRing(algorithm) && !algorithm.lasting && algorithm.needs.time === undefined
}

/** The same for each algorithm each time, since the code of its states is made anew. */
export function restarting(algorithm: Algorithm): Algorithm {
  const known = made.get(algorithm) ?? renew(algorithm)
  made.set(algorithm, known)
  return known
}

/**
 * A ring election that overcomes crashes where these are detected: the ring closes over the dead,
 * and the election starts again. The detector tells all nodes the same, in the same order, though
 * not at the same moment; the number of an attempt is how much a node has been told. So all who are
 * in one attempt see one ring. Every message carries the number of its attempt: one of a later
 * attempt waits until this node has been told as much, one of an earlier attempt is dropped. So
 * nothing that a dead node has said, swallowed or taken with it counts any more.
 */
function renew(algorithm: Algorithm): Algorithm {
  const { layout, wakes, start } = algorithm
  const packings = codecsOf(algorithm.kinds.map(({ codec }) => ({ ...codec.fields, attempt: nat })))
  const kept = { attempt: stable(nat), begun: flag, waiting: deferredMessages(packings) }

  function begin(my: State, net: unknown): void {
    my.begun = true
    start(my, net)
  }

  function hurt(my: State, _link: Link, net: unknown): void {
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
        // A sleeper that is woken by what no longer counts has to start by itself.
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
    kinds: algorithm.kinds.map((kind, index) => restartingKind(kind, packings[index])),
    codecs: codecDispatch(packings),
    layout: new StateLayout(
      { ...layout.own, ...kept },
      layout.hasIds,
      Object.keys(algorithm.params),
    ),
    start: begin,
    recover: begin,
    down: hurt,
    up: hurt,
    schema: `renewed ${algorithm.schema}`,
  }
}
