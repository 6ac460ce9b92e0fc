import type { Algorithm, Kind } from './algorithm.ts'
import type { Link } from './net.ts'
import { luggage, type Packing, packingsOf } from './packing.ts'
import { type State, StateForm } from './state.ts'
import { flag, nat, stable } from './value.ts'

/** What a renewed algorithm needs of the net. */
interface Restart {
  withdraw(): void
}

const made = new WeakMap<Algorithm, Algorithm>()

/** A ring can close over its dead unless the algorithm counts on the number of nodes. */
export function mayClose({ needs }: Algorithm): boolean {
  return needs.topology !== 'ring' || !needs.knows?.includes('n')
}

/** Whether the algorithm can start again: one that works in rounds, or lasts, does not need to. */
export function isRenewable(algorithm: Algorithm): boolean {
  return mayClose(algorithm) && !algorithm.lasting && algorithm.needs.time === undefined
}

/** The same for each algorithm each time, since the code of its states is made anew. */
export function renewed(algorithm: Algorithm): Algorithm {
  const known = made.get(algorithm) ?? renew(algorithm)
  made.set(algorithm, known)
  return known
}

/**
 * A ring election that overcomes crashes where these are detected: the ring closes over the dead,
 * and the election starts again. Every message carries the number of its attempt. Who loses a
 * neighbour, or gets one back, begins the next attempt; a message of a later attempt makes a node
 * forget the earlier ones and join, a message of an earlier one is dropped. So nothing that a dead
 * node has said, swallowed or taken with it counts any more.
 */
function renew(algorithm: Algorithm): Algorithm {
  const { form, wakes, start } = algorithm
  const own = { ...form.own, attempt: stable(nat), begun: flag }
  const packings = packingsOf(
    algorithm.kinds.map(({ packing }) => ({ ...packing.fields, attempt: nat })),
  )

  function begin(my: State, net: unknown): void {
    my.begun = true
    start(my, net)
  }

  function forget(my: State, attempt: number, net: unknown): void {
    for (const [name, type] of Object.entries(form.own)) my[name] = type.start()
    my.attempt = attempt
    my.begun = false
    ;(net as Restart).withdraw()
  }

  function hurt(my: State, _link: Link, net: unknown): void {
    const attempt = (my.attempt as number) + 1
    if (my.status === 'asleep') my.attempt = attempt
    else {
      forget(my, attempt, net)
      begin(my, net)
    }
  }

  function renewedKind(kind: Kind, packing: Packing): Kind {
    return {
      ...kind,
      packing,
      handle(my, body, net) {
        const [attempt, mine] = [body.attempt as number, my.attempt as number]
        if (attempt > mine) forget(my, attempt, net)
        const fresh = my.begun === false
        // A sleeper that is woken by what no longer counts has to start by itself.
        if (fresh && (wakes || attempt < mine)) begin(my, net)
        my.begun = true
        if (attempt >= mine) kind.handle(my, body, net)
      },
    }
  }

  return {
    ...algorithm,
    renewable: true,
    wakes: false,
    kinds: algorithm.kinds.map((kind, index) => renewedKind(kind, packings[index])),
    luggage: luggage(packings),
    form: new StateForm(own, form.named, Object.keys(algorithm.params)),
    start: begin,
    down: hurt,
    up: hurt,
    schema: `renewed ${algorithm.schema}`,
  }
}
