import { beforeEach, describe, expect, it } from 'vitest'
import { lcr } from '../algorithms/ring/lcr.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { network } from '../core/networks/network.ts'
import { ring } from '../core/networks/ring.ts'
import { Random } from '../core/runtime/random.ts'
import { initialStates } from '../core/runtime/states.ts'
import { ClosingRing } from './faults/closing-ring.ts'
import { PropertyMonitor } from './property-monitor.ts'

function worldOf(text: string): World {
  const topology = network(text, { random: Random.from(1) })
  const ids = Float64Array.from({ length: topology.n }, (_, i) => 10 + i)
  return { algorithm: lcr, topology, ids, params: {} }
}

function refereeOf(world: World, properties: readonly Property[] = [], synchronous = false) {
  const nobody = { nodes: new Uint32Array(), times: new Float64Array() }
  return new PropertyMonitor(world, initialStates(world).reader, properties, {
    synchronous,
    delay: { model: 'constant', delay: 1 },
    fifo: true,
    starts: nobody,
    crashes: nobody,
    random: Random.from(1),
    until: 100,
    maxMessages: 100,
  })
}

const calm: Property = {
  name: 'calm',
  says: 'Never two leaders.',
  when: 'always',
  broken: ({ leaders }) => (leaders.length > 1 ? `${leaders.join(' and ')} lead` : null),
}
const ended: Property = {
  name: 'ended',
  says: 'Somebody leads in the end.',
  when: 'at the end',
  broken: ({ leaders }) => (leaders.length === 0 ? 'nobody does' : null),
}

describe('the referee', () => {
  let referee: PropertyMonitor
  beforeEach(() => {
    referee = refereeOf(worldOf('ring:4'), [calm, ended])
  })

  const enter = (node: number, now: number) => {
    Object.assign(referee.state(node), { status: 'leader' })
    referee.becomesLeader(node, now)
  }

  it('keeps who leads now, who ever did, and since when there was a leader', () => {
    expect(referee.elected).toBe(-1)
    enter(2, 5)
    enter(0, 9)
    expect(referee).toMatchObject({ leaders: [2, 0], leaderHistory: [2, 0], elected: 5 })
    referee.stopsLeading(2, 0)
    expect(referee).toMatchObject({ leaders: [0], leaderHistory: [2, 0], deposed: [2] })
    referee.check(true, 10)
    expect(referee.deposed).toEqual([])
  })

  it('remembers the first moment in which something was broken', () => {
    enter(1, 3)
    referee.check(true, 3)
    enter(3, 4)
    referee.check(true, 4)
    enter(0, 8)
    referee.check(true, 8)
    expect(referee.verdicts(null)).toEqual([
      { name: 'calm', holds: false, detail: 'time 4: 1 and 3 lead' },
      { name: 'ended', holds: true, detail: 'Somebody leads in the end.' },
    ])
  })

  it('speaks of rounds where there are rounds', () => {
    referee = refereeOf(worldOf('ring:4'), [calm], true)
    enter(1, 3)
    enter(2, 3)
    referee.check(true, 4)
    expect(referee.verdicts(null)[0].detail).toBe('round 4: 1 and 2 lead')
  })

  it('leaves open what must hold at the end of a run that was cut off', () => {
    expect(referee.verdicts('a limit').map(({ holds }) => holds)).toEqual([true, null])
    expect(referee.verdicts(null).map(({ holds }) => holds)).toEqual([true, false])
  })

  it('takes the dead out of office, and does not call it giving up', () => {
    enter(1, 3)
    referee.crashes(1, 0)
    expect(referee).toMatchObject({ leaders: [], deposed: [], leaderHistory: [1] })
    expect([referee.alive(1), referee.alive(2)]).toEqual([false, true])
  })

  it('looks at large worlds only when leaders change', () => {
    let looks = 0
    const counting: Property = {
      ...calm,
      broken: () => {
        looks++
        return null
      },
    }
    const large = refereeOf(worldOf('ring:1000'), [counting])
    large.check(false, 1)
    expect(looks).toBe(0)
    large.check(true, 1)
    expect(looks).toBe(1)
    refereeOf(worldOf('ring:999'), [counting]).check(false, 1)
    expect(looks).toBe(2)
  })
})

describe('components', () => {
  it('of rings that close and of complete networks are one, whoever dies', () => {
    const closing = { ...worldOf('ring:4'), topology: new ClosingRing(ring(4)) }
    for (const world of [closing, worldOf('complete:4')]) {
      const referee = refereeOf(world)
      referee.crashes(0, 0)
      referee.crashes(2, 0)
      expect(referee.component(1)).toBe(referee.component(3))
    }
  })

  it('of a ring that does not close are its parts', () => {
    const referee = refereeOf(worldOf('ring:4'))
    referee.crashes(0, 0)
    expect(referee.component(1)).toBe(referee.component(3))
    referee.crashes(2, 0)
    expect(referee.component(1)).not.toBe(referee.component(3))
  })

  it('of other graphs are what the dead leave of them', () => {
    const referee = refereeOf(worldOf('path:5'))
    expect(referee.component(0)).toBe(referee.component(4))
    referee.crashes(2, 0)
    expect(referee.component(0)).toBe(referee.component(1))
    expect(referee.component(3)).toBe(referee.component(4))
    expect(referee.component(0)).not.toBe(referee.component(4))
  })
})
