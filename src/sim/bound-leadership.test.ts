import { describe, expect, it } from 'vitest'
import { play, type Staging } from '../../test/support/simulation-fixture.ts'
import {
  algorithm,
  flag,
  incarnation,
  message,
  nat,
  type Problem,
  stable,
  timer,
} from '../core/index.ts'
import { sealed } from '../core/runtime/sealed/sealed.ts'

const PING = message({ from: incarnation })
const LEASE = timer()
const LATER = timer()

const bare: Problem = { name: 'bare', terms: true, properties: [] }

/** One node leads while LEASE, for 10 units; LATER calls `act` after `delay`. */
function leasing(act: (net: LeaseNet, my: { term: number }) => void, delay = 4) {
  return sealed(
    algorithm({
      name: 'leasing',
      needs: {
        topology: 'any',
        ids: 'unique',
        time: 'clocks',
        knows: ['voters', 'incarnation'],
      },
      messages: { PING },
      timers: { LEASE, LATER },
      problem: bare,
      state: { term: stable(nat), seen: flag, heard: stable(incarnation) },
      wakes: false,
      starters: 'first',
      start(my, net) {
        my.term++
        net.after(10, LEASE)
        net.lead({ term: my.term, while: LEASE })
        net.after(delay, LATER)
      },
      on: {
        PING(my, { from }) {
          my.heard = from
        },
      },
      timeout: {
        LEASE(my) {
          // Leadership has ended before any handler sees this moment.
          my.seen = my.status !== 'leader'
        },
        LATER(my, net) {
          act(net as unknown as LeaseNet, my)
        },
      },
    }),
  )
}

interface LeaseNet {
  lead(office: object): void
  after(delay: number, timer: object): void
  cancel(timer: object): void
  withdraw(): void
  sendAll(message: object, body: object): void
  majority(links: Iterable<number>, own: boolean): boolean
  readonly incarnation: string
  readonly links: readonly number[]
}

function run(definition: ReturnType<typeof leasing>, staging: Staging = {}) {
  const { simulation, events } = play(definition, {
    ...{ n: 3, starts: [[0, 0]], until: 100 },
    ...staging,
  })
  const outcomes = events
    .filter(({ event }) => event === 'lead' || event === 'withdraw')
    .map((event) => [event.at, event.event, 'term' in event ? event.term : null])
  return { simulation, outcomes, state: simulation.states.of(0) }
}

describe('leadership that is bound to a timer', () => {
  it('ends when the timer is due, before its handler and any other of that moment', () => {
    const { outcomes, state } = run(leasing(() => {}))
    expect(outcomes).toEqual([
      [0, 'lead', 1],
      [10, 'withdraw', null],
    ])
    expect(state.seen).toBe(true)
    expect(state.status).toBe('unknown')
    expect(state.leader).toBeNull()
  })

  it('ends then also if the timer was set again or cancelled meanwhile', () => {
    const again = run(leasing((net) => net.after(50, LEASE)))
    expect(again.outcomes.at(-1)).toEqual([10, 'withdraw', null])
    const cancelled = run(leasing((net) => net.cancel(LEASE)))
    expect(cancelled.outcomes.at(-1)).toEqual([10, 'withdraw', null])
  })

  it('ends before a message of that moment is handled', () => {
    const ask = leasing((net) => net.sendAll(PING, { from: net.incarnation }), 9)
    const { simulation, outcomes } = run(ask)
    expect(simulation.lastReceipt).toBe(10)
    expect(outcomes).toContainEqual([10, 'withdraw', null])
  })

  it('is prolonged only by another net.lead', () => {
    const { outcomes } = run(
      leasing((net) => {
        net.after(50, LEASE)
        net.lead({ term: 1, while: LEASE })
      }),
    )
    expect(outcomes).toEqual([
      [0, 'lead', 1],
      [54, 'withdraw', null],
    ])
  })

  it('does not begin without a setting that is still to come', () => {
    const { outcomes } = run(
      leasing((net) => {
        net.cancel(LEASE)
        net.lead({ term: 7, while: LEASE })
        net.after(0, LEASE)
        net.lead({ term: 8, while: LEASE })
      }),
    )
    expect(outcomes.filter(([, what]) => what === 'lead')).toEqual([[0, 'lead', 1]])
  })

  it.each<[string, number, (net: LeaseNet) => void]>([
    ['by the clock', 12, () => {}],
    ['by a release', 4, (net) => net.withdraw()],
  ])('never comes back in a term that has ended %s', (_, delay, end) => {
    const { outcomes } = run(
      leasing((net) => {
        end(net)
        net.after(5, LEASE)
        net.lead({ term: 1, while: LEASE })
        net.lead({ term: 1 })
        net.lead({ term: 2, while: LEASE })
      }, delay),
    )
    expect(outcomes.filter(([, what]) => what === 'lead')).toEqual([
      [0, 'lead', 1],
      [delay, 'lead', 2],
    ])
    expect(outcomes.at(-1)).toEqual([delay + 5, 'withdraw', null])
  })
})

describe('majorities and incarnations', () => {
  it('all nodes of a simulation vote', () => {
    const votes: boolean[] = []
    run(
      leasing((net) => {
        const [one, other] = net.links
        votes.splice(0, votes.length)
        votes.push(net.majority([], true), net.majority([one, one], false))
        votes.push(net.majority([one], true), net.majority(new Set([one, other]), false))
      }),
    )
    expect(votes).toEqual([false, false, true, true])
  })

  it('every start of a node is another incarnation', () => {
    const ask = leasing((net) => net.sendAll(PING, { from: net.incarnation }))
    const events = [{ at: 30, what: 'recover' as const, node: 0, id: null }]
    const before = run(ask).simulation.states.of(1)
    expect(before.heard).toBe('1')
    const after = run(ask, { crashes: [[0, 20]], faults: { events } })
    expect(after.simulation.states.of(1).heard).toBe('2')
    expect(after.state.term).toBe(2)
  })
})
