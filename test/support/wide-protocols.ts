import {
  type Algorithm,
  algorithm,
  type Message,
  message,
  nat,
  Random,
  ring,
  type Timer,
  timer,
  type World,
} from '../../src/core/index.ts'
import type { Untyped } from './own-definitions.ts'

/* Random protocols with many types of messages and timers, of which most never occur. */

const TYPES = ['ASH', 'BIRCH', 'CEDAR', 'ELM', 'FIR', 'LARCH']
const BELLS = ['DAWN', 'NOON', 'DUSK']
const PLACES = 3

/** What a node does at an event: types and timers by index. */
interface Row {
  readonly next: number
  readonly sends: readonly number[]
  readonly sets: number | null
  readonly action: 'none' | 'lead' | 'follow' | 'stop' | 'defer'
}

/** The protocol of a number on a ring of three nodes; a node sends only so often. */
export function wideProtocol(seed: number): World {
  const random = Random.from(seed).split('wide')
  const defers = random.below(3) === 0
  const actions: Row['action'][] = ['none', 'none', 'none', 'lead', 'follow', 'stop']
  if (defers) actions.push('defer')
  const rows = new Map<string, Row>()
  const rowOf = (event: string): Row => {
    const known = rows.get(event)
    if (known !== undefined) return known
    // By its name: nothing depends on which event is asked for first.
    const own = Random.from(seed).split(event)
    const row = {
      next: own.below(PLACES),
      sends: Array.from({ length: own.below(2) }, () => own.below(TYPES.length)),
      sets: own.below(3) === 0 ? own.below(BELLS.length) : null,
      action: actions[own.below(actions.length)],
    }
    rows.set(event, row)
    return row
  }
  return {
    algorithm: protocolOf(rowOf, defers, random.below(2) === 0),
    topology: ring(3),
    ids: Float64Array.of(1, 2, 3),
    params: {},
  }
}

function protocolOf(rowOf: (event: string) => Row, defers: boolean, wakes: boolean): Algorithm {
  const messages: Record<string, Message> = {}
  const timers: Record<string, Timer> = {}
  for (const type of TYPES) messages[type] = message({ of: nat })
  for (const bell of BELLS) timers[bell] = timer()
  const act = (my: Untyped, net: Untyped, event: string) => {
    const row = rowOf(`${my.id % 2} ${my.place} ${event}`)
    if (row.action === 'defer' && TYPES.includes(event)) {
      net.defer()
      return
    }
    my.place = row.next
    if (my.sent < 2)
      for (const type of row.sends) {
        my.sent++
        net.send(net.links[my.sent % 2], messages[TYPES[type]], { of: my.place })
      }
    if (row.sets !== null && my.sent < 2) net.after(1, timers[BELLS[row.sets]])
    if (row.action === 'lead' || row.action === 'stop') net[row.action]()
    if (row.action === 'follow') net.follow(my.id)
  }
  const handlers = (names: readonly string[], of: (name: string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, of(name)]))
  return algorithm({
    name: 'wide-protocol',
    needs: { topology: 'any', ids: 'numbers' },
    messages,
    timers,
    state: { place: nat, sent: nat },
    ...(defers && { defers: true }),
    wakes,
    start: (my: Untyped, net: Untyped) => act(my, net, 'start'),
    on: handlers(TYPES, (type) => (my: Untyped, _: unknown, net: Untyped) => act(my, net, type)),
    timeout: handlers(BELLS, (bell) => (my: Untyped, net: Untyped) => act(my, net, bell)),
  } as Untyped) as Algorithm
}
