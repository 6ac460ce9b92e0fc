import { beforeEach, describe, expect, it } from 'vitest'
import { lcr } from '../algorithms/ring/lcr.ts'
import type { GlobalState, Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { network } from '../core/networks/network.ts'
import { ring } from '../core/networks/ring.ts'
import { Random } from '../core/runtime/random.ts'
import { initialStates } from '../core/runtime/states.ts'
import type { JudgingLimits } from './conditions.ts'
import { ClosingRing } from './faults/closing-ring.ts'
import { PropertyMonitor } from './property-monitor.ts'

function worldOf(text: string): World {
  const topology = network(text, { random: Random.from(1) })
  const ids = Float64Array.from({ length: topology.n }, (_, i) => 10 + i)
  return { algorithm: lcr, topology, ids, params: {} }
}

function monitorOf(
  world: World,
  properties: readonly Property[] = [],
  synchronous = false,
  judging?: JudgingLimits,
) {
  const none = { nodes: new Uint32Array(), times: new Float64Array() }
  return new PropertyMonitor(world, initialStates(world).reader, properties, {
    synchronous,
    delay: { model: 'constant', delay: 1 },
    fifo: true,
    starts: none,
    crashes: none,
    random: Random.from(1),
    until: 100,
    maxMessages: 100,
    ...(judging && { judging }),
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
  says: 'A node leads in the end.',
  when: 'at the end',
  broken: ({ leaders }) => (leaders.length === 0 ? 'no node does' : null),
}

describe('the monitor', () => {
  let monitor: PropertyMonitor
  beforeEach(() => {
    monitor = monitorOf(worldOf('ring:4'), [calm, ended])
  })

  const enter = (node: number, now: number) => {
    Object.assign(monitor.state(node), { status: 'leader' })
    monitor.becomesLeader(node, now)
  }

  it('keeps the leaders, all former leaders, and the time of the first election', () => {
    expect(monitor.elected).toBe(-1)
    enter(2, 5)
    enter(0, 9)
    expect(monitor).toMatchObject({ leaders: [2, 0], leaderHistory: [2, 0], elected: 5 })
    monitor.stopsLeading(2, 0)
    expect(monitor).toMatchObject({ leaders: [0], leaderHistory: [2, 0], deposed: [2] })
    monitor.check(true, 10)
    expect(monitor.deposed).toEqual([])
  })

  it('remembers the first moment in which something was broken', () => {
    enter(1, 3)
    monitor.check(true, 3)
    enter(3, 4)
    monitor.check(true, 4)
    enter(0, 8)
    monitor.check(true, 8)
    expect(monitor.verdicts(null)).toEqual([
      { name: 'calm', holds: false, detail: 'time 4: 1 and 3 lead' },
      { name: 'ended', holds: true, detail: 'A node leads in the end.' },
    ])
  })

  it('speaks of rounds where there are rounds', () => {
    monitor = monitorOf(worldOf('ring:4'), [calm], true)
    enter(1, 3)
    enter(2, 3)
    monitor.check(true, 4)
    expect(monitor.verdicts(null)[0].detail).toBe('round 4: 1 and 2 lead')
  })

  it('leaves open what must hold at the end of a run that was cut off', () => {
    expect(monitor.verdicts('a limit').map(({ holds }) => holds)).toEqual([true, null])
    expect(monitor.verdicts(null).map(({ holds }) => holds)).toEqual([true, false])
  })

  it('does not count crashed leaders, and does not report them as deposed', () => {
    enter(1, 3)
    monitor.crashes(1, 0)
    expect(monitor).toMatchObject({ leaders: [], deposed: [], leaderHistory: [1] })
    expect([monitor.alive(1), monitor.alive(2)]).toEqual([false, true])
  })

  it('judges what reads leaders alone only when they change, in large worlds', () => {
    let looks = 0
    const counting: Property = {
      ...calm,
      sees: 'leaders',
      broken: () => {
        looks++
        return null
      },
    }
    const large = monitorOf(worldOf('ring:1000'), [counting])
    large.check(false, 1)
    expect(looks).toBe(0)
    large.check(true, 1)
    expect(looks).toBe(1)
    const { sees: _, ...states } = counting
    monitorOf(worldOf('ring:1000'), [states]).check(false, 1)
    expect(looks).toBe(2)
  })

  it('leaves a property that reads too many states undecided, unless the end decides it', () => {
    const limits = { nodes: 4, reads: 10 }
    const someLeads = ({ n, state }: GlobalState) =>
      Array.from({ length: n }, (_, node) => state(node).status).includes('leader')
    const reading = (when: Property['when'], wanted: boolean): Property => ({
      name: `${when} ${wanted}`,
      when,
      broken: (global) =>
        someLeads({ ...global, n: 4, state: (node) => global.state(node) }) === wanted
          ? null
          : 'no',
    })
    const all = (['always', 'eventually', 'from some time on'] as const).flatMap((when) => [
      reading(when, true),
      reading(when, false),
    ])
    monitor = monitorOf(worldOf('ring:4'), all, false, limits)
    Object.assign(monitor.state(2), { status: 'leader' })
    for (const at of [1, 2, 3, 4]) monitor.check(false, at)
    expect(monitor.stepwise).toBe(false)
    const known = 'judged only until time 3, since it reads too many states'
    expect(monitor.verdicts(null)).toEqual([
      { name: 'always true', holds: null, detail: `not decided: ${known}` },
      { name: 'always false', holds: false, detail: 'time 1: no' },
      { name: 'eventually true', holds: true, detail: 'eventually true' },
      { name: 'eventually false', holds: null, detail: `not decided: ${known}` },
      { name: 'from some time on true', holds: true, detail: `stable at the end (${known})` },
      { name: 'from some time on false', holds: false, detail: `no at the end (${known})` },
    ])
    // Nobody leads any more: what the last state decides.
    Object.assign(monitor.state(2), { status: 'lost' })
    expect(monitor.verdicts(null).map(({ holds }) => holds)).toEqual([
      ...[false, false, true, true],
      ...[false, true],
    ])
    expect(monitor.verdicts(null)[0].detail).toBe(`at the end, or before: no (${known})`)
    // Of a run that was cut off the last state says less.
    const cut = monitor.verdicts('a limit', { at: 9, longestTimer: 1 })
    expect(cut.slice(4).map(({ holds }) => holds)).toEqual([null, null])
  })
})

describe('components', () => {
  it('of closing rings and of complete networks are one, whichever nodes crash', () => {
    const closing = { ...worldOf('ring:4'), topology: new ClosingRing(ring(4)) }
    for (const world of [closing, worldOf('complete:4')]) {
      const monitor = monitorOf(world)
      monitor.crashes(0, 0)
      monitor.crashes(2, 0)
      expect(monitor.component(1)).toBe(monitor.component(3))
    }
  })

  it('of a ring that does not close are its parts', () => {
    const monitor = monitorOf(worldOf('ring:4'))
    monitor.crashes(0, 0)
    expect(monitor.component(1)).toBe(monitor.component(3))
    monitor.crashes(2, 0)
    expect(monitor.component(1)).not.toBe(monitor.component(3))
  })

  it('of other graphs are those of the live nodes', () => {
    const monitor = monitorOf(worldOf('path:5'))
    expect(monitor.component(0)).toBe(monitor.component(4))
    monitor.crashes(2, 0)
    expect(monitor.component(0)).toBe(monitor.component(1))
    expect(monitor.component(3)).toBe(monitor.component(4))
    expect(monitor.component(0)).not.toBe(monitor.component(4))
  })
})
