import { describe, expect, it } from 'vitest'
import { freeAddresses } from '../../test/support/free-ports.ts'
import {
  type Algorithm,
  algorithm,
  HandlerError,
  left,
  message,
  UsageError,
  uid,
} from '../core/index.ts'
import { check } from './check.ts'
import { experiment } from './experiment.ts'
import { join } from './join.ts'
import { simulate } from './simulate.ts'

const ELECTION = message({ id: uid })

/** It counts in a field that it has not declared. */
const careless: Algorithm = algorithm({
  name: 'careless',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      const counting = my as unknown as { laps?: number }
      counting.laps = (counting.laps ?? 0) + 1
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) net.lead()
    },
  },
})

const said = 'my.laps is not available: the definition does not declare it.'

describe('handlers of an own algorithm', () => {
  it('are checked in a simulation, unless the caller does without', () => {
    expect(() => simulate(careless, { n: 4 })).toThrow(said)
    expect(simulate(careless, { n: 4, unchecked: true }).leader?.id).toBe(4)
  })

  it('are checked in an exploration', () => {
    expect(() => check(careless, { n: 3 })).toThrow(HandlerError)
    expect(check(careless, { n: 3, unchecked: true }).states).toBeGreaterThan(3)
  })

  it('are checked in an experiment', async () => {
    const options = { sweep: { n: [3, 4] } }
    await expect(experiment(careless, options)).rejects.toThrow(said)
    const { rows } = await experiment(careless, { ...options, unchecked: true, mayFail: true })
    expect(rows).toHaveLength(2)
  })

  it('are checked in a member', async () => {
    const member = await join(careless, { me: 0, addresses: await freeAddresses(1) })
    await expect(member.ended).rejects.toThrow(said)
  })

  it('are a matter of a switch that is on or off', () => {
    expect(() => simulate('lcr', { unchecked: 'yes' as never })).toThrow(UsageError)
  })
})
