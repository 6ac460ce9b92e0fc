import { describe, expect, it } from 'vitest'
import { play } from '../../../test/support/simulation-fixture.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { peterson } from '../../algorithms/ring/peterson.ts'
import { type Algorithm, algorithm } from '../language/algorithm.ts'
import { message, timer } from '../language/message.ts'
import { left } from '../language/net.ts'
import { flag, nat } from '../language/value-types.ts'
import { UsageError } from '../usage-error.ts'
import { compose } from './composition.ts'
import { sealed } from './sealed/sealed.ts'

const LEADER = message({ times: nat })
const CHECK = timer()

/** Leads once another part proposes it, and after a look at the state of its own. */
const guard = algorithm({
  name: 'guard',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { LEADER },
  timers: { CHECK },
  state: { nominated: flag, rounds: nat },
  wakes: true,
  start() {},
  on: {
    LEADER(my, { times }, net) {
      my.rounds = times
      if (my.status === 'leader') return net.stop()
      net.follow(null)
      net.send(left, LEADER, { times: times + 1 })
    },
  },
  timeout: {
    CHECK(my, net) {
      if (!my.nominated) return
      net.lead()
      net.send(left, LEADER, { times: 1 })
    },
  },
})

function guarded(nominator: Algorithm) {
  return compose({
    name: `guarded:${nominator.name}`,
    parts: { nominator, guard },
    leads: 'guard',
    proposed({ part, what }, my, net) {
      if (part !== 'nominator' || what !== 'lead') return
      my.nominated = true
      net.after(2, CHECK)
    },
  })
}

const ids = [3, 2, 7, 8, 5, 4, 1, 6]

describe.each([
  ['as it is', (it: Algorithm) => it],
  ['sealed as a whole', sealed],
])('a composition, %s', (_, as) => {
  it.each([lcr, peterson])('runs each part as if it were alone: $name', (nominator) => {
    const alone = play(nominator, { ids })
    const whole = play(as(guarded(nominator)), { ids })
    const kinds = nominator.kinds.length
    const { sent } = whole.simulation.counters
    expect([...sent].slice(0, kinds)).toEqual([...alone.simulation.counters.sent])
    expect([...sent].slice(kinds)).toEqual([ids.length])
    const leader = whole.simulation.states.all().filter(({ status }) => status === 'leader')
    expect(leader.map(({ id }) => id)).toEqual([8])
    expect(leader[0].rounds).toBe(ids.length)
  })

  it('keeps the outcome of a part to itself', () => {
    const { simulation, events } = play(as(guarded(lcr)), { ids })
    const elected = play(lcr, { ids }).events.find(({ event }) => event === 'lead')!
    expect(events.filter(({ event }) => event === 'lead')).toEqual([
      { at: elected.at + 2, node: elected.node, event: 'lead' },
    ])
    for (const state of simulation.states.all()) {
      expect(state['nominator.status']).toBe(state.id === 8 ? 'leader' : 'lost')
      expect(state['nominator.leader']).toBe(8)
      expect(state['nominator.stopped']).toBe(true)
    }
  })
})

it('names what two parts have in common by part, and leaves the leading part its names', () => {
  const { kinds, params, layout, needs } = guarded(lcr)
  expect(kinds.map(({ name }) => name)).toEqual(['election', 'nominator.leader', 'leader'])
  expect(Object.keys(layout.own)).toContain('nominated')
  expect(params).toEqual({})
  expect(needs).toEqual({ topology: 'ring', ids: 'unique' })
})

it('a part that is sealed sees no more than its definition declares', () => {
  const nosy = algorithm({
    name: 'nosy',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { NOTE: message({}) },
    state: {},
    wakes: true,
    start(my) {
      ;(my as unknown as { nominated: boolean }).nominated = true
    },
    on: { NOTE() {} },
  })
  expect(() => play(guarded(sealed(nosy)), { ids })).toThrow('nominated')
  expect(() => play(guarded(sealed(lcr)), { ids })).not.toThrow()
})

describe('a composition is refused', () => {
  it('of parts that share a message', () => {
    expect(() => compose({ name: 'twice', parts: { one: lcr, other: lcr }, leads: 'one' })).toThrow(
      new UsageError(
        'twice',
        'two parts use the same message.',
        'Give each part its own messages and timers.',
      ),
    )
  })

  it('without the part that is to lead', () => {
    const parts: Record<string, Algorithm> = { one: lcr }
    expect(() => compose({ name: 'none', parts, leads: 'other' })).toThrow('none of the parts')
  })
})
