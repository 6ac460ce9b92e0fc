import { describe, expect, it } from 'vitest'
import {
  type Algorithm,
  algorithm,
  flag,
  left,
  message,
  nat,
  type Property,
  timer,
} from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { type CheckOptions, checkWorld, replay } from '../index.ts'

const BEAT = message({})
const TICK = timer()

const agreed: Property = {
  name: 'one leads',
  when: 'from some time on',
  broken: ({ leaders }) => (leaders.length === 1 ? null : `${leaders.length} lead`),
}

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: [0],
  limits: { states: 10_000 },
  properties: [agreed],
  fairRuns: true,
}

function on(definition: Algorithm, n = 2): World {
  const ids = Float64Array.from({ length: n }, (_, i) => i + 1)
  return { algorithm: definition, topology: ring(n), ids, params: {} }
}

/** A token goes round for ever; `hold` says what a node does when it has it. */
function circling(hold: 'lead' | 'pass', coin = false) {
  return algorithm({
    name: 'circling',
    needs: { topology: 'ring', ids: 'unique', coins: true },
    messages: { BEAT },
    state: { first: flag, laps: nat },
    wakes: false,
    quiet: 'never',
    start(my, net) {
      my.first = true
      net.lead()
      net.send(left, BEAT, {})
    },
    on: {
      BEAT(my, _, net) {
        if (hold === 'pass' || (coin && net.choose(2) === 0)) return net.send(left, BEAT, {})
        if (my.status === 'leader') net.withdraw()
        else net.lead()
        net.send(left, BEAT, {})
      },
    },
  })
}

describe('a property that must hold from some time on', () => {
  it('holds where a fair run repeats only states in which it does', () => {
    // Nobody leads before the first start, which does not matter.
    const { properties, violated } = checkWorld(on(circling('pass')), options)
    expect(properties).toEqual([
      { name: 'one leads', holds: true, detail: 'in every state that a fair run repeats' },
    ])
    expect(violated).toBeNull()
  })

  it('is violated by a lasso through a state in which it does not', () => {
    const world = on(circling('lead'))
    const { properties, violated } = checkWorld(world, options)
    expect(properties[0]).toMatchObject({ name: 'one leads', holds: false })
    expect(properties[0].detail).toMatch(/^[02] lead, again and again: the last \d+ steps repeat/)
    expect(violated?.loop).toBeGreaterThan(0)
    const replayed = replay(world, options, [agreed], violated!.transitions)
    expect(replayed.loop).toBe(violated!.loop)
    expect(replayed.properties).toEqual([{ ...properties[0] }])
  })

  it('is violated where no choice leads out of the cycle, whatever the coins say', () => {
    const { properties, violated } = checkWorld(on(circling('lead', true)), options)
    expect(properties[0].holds).toBe(false)
    expect(violated?.loop).toBeGreaterThan(0)
  })

  it('must hold where a run ends all the same', () => {
    const silent = algorithm({
      name: 'silent',
      needs: { topology: 'ring' },
      messages: { BEAT },
      state: {},
      wakes: false,
      quiet: 'never',
      start() {},
      on: { BEAT() {} },
    })
    const { properties } = checkWorld(on(silent), options)
    expect(properties[0]).toMatchObject({ holds: false, detail: '0 lead when a run ends' })
  })

  it('does not ask that runs end, which others must', () => {
    const names = checkWorld(on(circling('pass')), { ...options, properties: [] }).properties
    expect(names).toEqual([])
    const ending = { ...circling('pass'), quiet: null }
    const [termination] = checkWorld(on(ending), { ...options, properties: [] }).properties
    expect(termination).toMatchObject({ name: 'every fair run ends', holds: false })
  })
})

describe('heartbeats with a clock', () => {
  /** The largest id beats; the other stands up when it hears nothing for `patience`. */
  const beating = (patience: number) =>
    algorithm({
      name: 'beating',
      needs: { topology: 'ring', ids: 'unique', knows: ['peers'], time: 'bounded delay' },
      messages: { BEAT },
      timers: { TICK },
      state: { chief: flag },
      wakes: true,
      quiet: 'never',
      start(my, net) {
        if (my.id > net.peer(left)) {
          my.chief = true
          net.lead()
          net.send(left, BEAT, {})
          net.after(1, TICK)
        } else net.after(patience, TICK)
      },
      on: {
        BEAT(my, _, net) {
          if (my.chief) return
          net.follow(net.peer(left))
          net.after(patience, TICK)
        },
      },
      timeout: {
        TICK(my, net) {
          if (my.chief) {
            net.send(left, BEAT, {})
            net.after(1, TICK)
          } else {
            net.withdraw()
            net.after(patience, TICK)
          }
        },
      },
    })
  const properties = leaderElection.properties(false, beating(3))
  const clocked = { ...options, mode: { clocked: 2 }, wake: [0, 1], properties } as const

  it('are stable where patience exceeds a beat and the longest delay', () => {
    const { properties: verdicts, exhausted } = checkWorld(on(beating(3)), clocked)
    expect(exhausted).toBe(true)
    expect(verdicts.map(({ name, holds }) => [name, holds])).toEqual([
      ['at most one leader', true],
      ['a leader stays leader', true],
      ['the largest is the stable leader', true],
    ])
  })

  it('are not where it does not: the follower loses its leader again and again', () => {
    const { properties: verdicts, violated } = checkWorld(on(beating(1)), clocked)
    expect(verdicts.at(-1)).toMatchObject({
      name: 'the largest is the stable leader',
      holds: false,
    })
    expect(violated?.property).toBe('the largest is the stable leader')
    expect(violated?.loop).toBeGreaterThan(0)
  })
})
