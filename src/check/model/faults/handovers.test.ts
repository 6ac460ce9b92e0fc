import { describe, expect, it } from 'vitest'
import { bully } from '../../../algorithms/complete/bully.ts'
import { wireless } from '../../../algorithms/graph/wireless.ts'
import { lcr } from '../../../algorithms/ring/lcr.ts'
import { type Algorithm, algorithm, message, Random, timer } from '../../../core/index.ts'
import { complete } from '../../../core/networks/complete.ts'
import { network } from '../../../core/networks/network.ts'
import { leaderElection } from '../../../problems/leader-election.ts'
import { type CheckOptions, checkWorld } from '../../index.ts'

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: [0],
  limits: { states: 1_000_000 },
  properties: leaderElection.properties(true),
}

const NEWS = message({})
const SLOWLY = timer()

/** The largest id leads at once; another leader that hears of it steps down later, or never. */
function usurper(givesUpAfter: number | null, handover?: number): Algorithm {
  return algorithm({
    name: 'usurper',
    needs: { topology: 'complete', ids: 'numbers', knows: ['peers', 'liveness'] },
    messages: { NEWS },
    timers: { SLOWLY },
    lasting: true,
    ...(handover !== undefined && { handover: () => handover }),
    state: {},
    wakes: false,
    start(_, net) {
      net.lead()
      net.sendAll(NEWS, {})
    },
    on: {
      NEWS(my, _, net) {
        if (givesUpAfter === null || net.peer(net.from) < my.id) return
        if (my.status === 'leader') net.after(givesUpAfter, SLOWLY)
        else net.follow(net.peer(net.from))
      },
    },
    timeout: {
      SLOWLY: (my, net) => net.follow(Math.max(my.id, ...net.links.map((link) => net.peer(link)))),
    },
    theory: lcr.theory,
  })
}

function usurp(definition: Algorithm, changes: Partial<CheckOptions> = {}) {
  const ids = Float64Array.of(1, 2)
  const world = { algorithm: definition, topology: complete(2), ids, params: {} }
  const faults = { dead: [1], recoveries: 1 }
  return checkWorld(world, { ...options, faults, ...changes })
}

function holdings({ properties }: ReturnType<typeof checkWorld>) {
  return Object.fromEntries(properties.map(({ name, holds }) => [name, holds]))
}

describe('an old leader after a recovery', () => {
  it.each([
    [1, 0],
    [1, 3],
    [2, 0],
    [2, 1],
    [3, 2],
  ])(
    'is tolerated for the bound of its algorithm: delays up to %i and %i more',
    (clocked, more) => {
      const mode = { clocked }
      const longest = clocked + more
      const inTime = usurp(usurper(more, longest), { mode })
      expect([inTime.exhausted, holdings(inTime)]).toEqual([
        true,
        { 'no two leaders that reach each other': true, 'all live nodes follow the largest': true },
      ])
      const late = usurp(usurper(more, longest - 1), { mode })
      expect(late.violated?.property).toBe('no two leaders that reach each other')
      const { trace } = late.violated!
      const back = trace.find(({ event }) => event === 'recover')!.at
      expect(trace.at(-1)!.at - back).toBe(longest)
    },
  )

  it('is not measured without a clock, and the report says so', () => {
    const result = usurp(usurper(5, 0))
    expect([result.exhausted, result.violated]).toEqual([true, null])
    expect(holdings(result)).toEqual({
      'no two leaders that reach each other': true,
      'all live nodes follow the largest': true,
      'a hand-over is short': null,
    })
    expect(holdings(usurp(usurper(5)))).not.toHaveProperty('a hand-over is short')
  })

  it.each<CheckOptions['mode']>(['untimed', 'patient', { clocked: 1 }])(
    'may not stand when nothing more can tell it (%j)',
    (mode) => {
      const { violated } = usurp(usurper(null), { mode })
      expect(violated?.property).toBe('no two leaders that reach each other')
    },
  )

  it.each<[CheckOptions['mode'], string[]]>([
    ['untimed', ['recover', 'up', 'up']],
    [{ clocked: 1 }, ['recover', 'tick', 'up', 'up']],
  ])('does not excuse two later leaders (%j)', (mode, events) => {
    const eager: Algorithm = {
      ...usurper(0, 100),
      start() {},
      up: (_, __, net) => (net as { lead(): void }).lead(),
    }
    const ids = Float64Array.of(1, 2, 3)
    const world = { algorithm: eager, topology: complete(3), ids, params: {} }
    const faults = { dead: [2], recoveries: 1 }
    const properties = options.properties.filter(({ when }) => when === 'always')
    const { violated } = checkWorld(world, { ...options, wake: 'any', mode, faults, properties })
    expect(violated?.trace.map(({ event }) => event)).toEqual(events)
  })

  it('is not tolerated before a recovery', () => {
    const ids = Float64Array.of(1, 2, 3)
    const world = { algorithm: usurper(0, 9), topology: complete(3), ids, params: {} }
    const faults = { dead: [2], recoveries: 1 }
    const { violated } = checkWorld(world, {
      ...options,
      wake: [0, 1],
      mode: { clocked: 1 },
      faults,
    })
    expect(violated?.trace.map(({ event }) => event)).toEqual(['wake', 'wake'])
  })
})

describe('after a recovery', () => {
  it.each([
    [{ dead: [2], recoveries: 1 }, 1],
    [{ dead: [2], recoveries: 1 }, 2],
    [{ dead: [0], recoveries: 1 }, 2],
    [{ crashes: 1, recoveries: 1 }, 1],
  ])('bully hands over in time: %j, delays up to %i', (faults, clocked) => {
    const ids = Float64Array.of(0, 1, 2)
    const world = {
      algorithm: bully,
      topology: complete(3),
      ids,
      params: { patience: 2 * clocked },
    }
    const result = checkWorld(world, { ...options, wake: 'any', mode: { clocked }, faults })
    expect([result.exhausted, result.violated]).toEqual([true, null])
  })

  it('bully with too little patience has two leaders, which a recovery does not excuse', () => {
    const ids = Float64Array.of(0, 1, 2)
    const world = { algorithm: bully, topology: complete(3), ids, params: { patience: 1 } }
    const faults = { dead: [2], recoveries: 1 }
    const { violated } = checkWorld(world, {
      ...options,
      wake: 'any',
      mode: { clocked: 1 },
      faults,
    })
    expect(violated?.property).toBe('no two leaders that reach each other')
  })

  it('bully under an id that reappears has two leaders to the end', () => {
    const ids = Float64Array.of(0, 1, 2)
    const world = { algorithm: bully, topology: complete(3), ids, params: { patience: 2 } }
    const faults = { dead: [0], recoveries: 1, reappear: true }
    const { violated } = checkWorld(world, {
      ...options,
      wake: 'any',
      mode: { clocked: 1 },
      faults,
    })
    expect(violated?.property).toBe('no two leaders that reach each other')
  })

  it('wireless elections of two halves end with one leader', () => {
    const topology = network('path:3', { random: Random.from(1) })
    const world = { algorithm: wireless, topology, ids: Float64Array.of(3, 1, 2), params: {} }
    for (const faults of [
      { dead: [1], recoveries: 1 },
      { crashes: 1, recoveries: 1 },
    ]) {
      const result = checkWorld(world, { ...options, wake: 'any', faults })
      expect([result.exhausted, result.violated]).toEqual([true, null])
    }
  })
})
