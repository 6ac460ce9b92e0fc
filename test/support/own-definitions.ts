/* An own definition with room for mistakes, and how they come out. */

import { checkWorld } from '../../src/check/index.ts'
import {
  type Algorithm,
  algorithm,
  flag,
  HandlerError,
  list,
  map,
  maybe,
  message,
  nat,
  record,
  set,
  timer,
  uid,
} from '../../src/core/index.ts'
import { sealed } from '../../src/core/runtime/sealed/sealed.ts'
import type { ScenarioInput } from '../../src/scenario/index.ts'
import { simulationOf } from '../../src/sim/index.ts'
import { preparation } from './random-worlds.ts'

export const ELECTION = message({ id: uid })
export const LIST = message({ ids: list(uid) })
export const BELL = timer()

/** A handler as plain JavaScript has it. */
// biome-ignore lint/suspicious/noExplicitAny: mistakes that the compiler would refuse.
export type Untyped = any

export interface Parts {
  readonly start?: (my: Untyped, net: Untyped) => unknown
  readonly election?: (my: Untyped, body: Untyped, net: Untyped) => unknown
  readonly needs?: object
  readonly more?: object
}

/** An election on a ring with the given handlers in place of its own. */
export function mine({ start, election, needs, more }: Parts): Algorithm {
  const make = algorithm as unknown as (definition: object) => Algorithm
  return make({
    name: 'mine',
    needs: { topology: 'ring', ids: 'unique', ...needs },
    messages: { ELECTION, LIST },
    timers: { BELL },
    params: { patience: { says: 'how long to wait', value: () => 3 } },
    state: {
      ...{ seen: set(uid), count: nat, once: flag, best: maybe(uid), order: list(nat) },
      ...{ byLink: map(nat, nat), edge: record({ weight: nat, far: flag }) },
    },
    wakes: true,
    start:
      start ?? ((my: Untyped, net: Untyped) => net.send(net.links[0], ELECTION, { id: my.id })),
    on: { ELECTION: election ?? (() => {}), LIST() {} },
    timeout: { BELL() {} },
    ...more,
  })
}

export function simulated(definition: Algorithm, given: ScenarioInput = { ids: '3,1,2' }): void {
  const { world, conditions, properties } = preparation(sealed(definition), given)
  simulationOf(world, conditions, properties).finish()
}

export function explored(definition: Algorithm): void {
  const { world } = preparation(sealed(definition), { ids: '3,1,2' })
  checkWorld(world, {
    mode: 'untimed',
    order: 'fifo',
    wake: 'any',
    properties: [],
    limits: { states: 9 },
  })
}

export function mistake(run: () => void): HandlerError {
  try {
    run()
  } catch (error) {
    if (error instanceof HandlerError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
