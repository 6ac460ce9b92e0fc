import { describe, expect, it } from 'vitest'
import { expectedMeetings } from '../../../test/support/meeting-chain.ts'
import { preparation } from '../../../test/support/random-worlds.ts'
import { checkWorld, defaultOptions } from '../../check/index.ts'
import { type Algorithm, algorithm, Random } from '../../core/index.ts'
import { electionRun } from '../../scenario/election/election-run.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { simulationOf } from '../../sim/index.ts'
import { pairwise } from './pairwise.ts'

const limits = { states: 100_000 }

function run(given: ScenarioInput, of: Algorithm = pairwise) {
  const { simulation, result } = electionRun(preparation(of, given))
  return result(simulation.finish())
}

function explored(topology: string, given: ScenarioInput = {}, of: Algorithm = pairwise) {
  const { world, conditions, properties } = preparation(of, { topology, ...given })
  const model = defaultOptions(of, conditions.starts.nodes)
  return checkWorld(world, { ...model, properties, limits })
}

/** The mean of interactions until stable over so many seeds, and its standard error. */
function meanOf(topology: string, seeds: number): { mean: number; error: number } {
  const { world, conditions, properties } = preparation(pairwise, { topology })
  const all = Array.from({ length: seeds }, (_, seed) => {
    const simulation = simulationOf(world, { ...conditions, random: Random.from(seed) }, properties)
    simulation.finish()
    return simulation.monitor.stableSince!
  })
  const mean = all.reduce((sum, one) => sum + one, 0) / seeds
  const variance = all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (seeds - 1)
  return { mean, error: Math.sqrt(variance / seeds) }
}

describe('the exact expectation', () => {
  it.each([
    ['path:3', '9/2'],
    ['path:4', '227/20'],
    ['star:4', '41/4'],
    ['star:5', '109/6'],
    ['ring:4', '19/2'],
    ['ring:5', '863/48'],
    ['ring:6', '5207/174'],
  ])('on %s with walk is %s, by a Markov chain', (topology, fraction) => {
    expect(`${expectedMeetings(topology)}`).toBe(fraction)
  })

  it.each([2, 3, 4, 5, 6])('on complete:%i is (n-1)^2, with walk and without', (n) => {
    for (const walk of [true, false])
      expect(`${expectedMeetings(`complete:${n}`, walk)}`).toBe(`${(n - 1) ** 2}`)
  })

  it('does not exist without walk on other networks', () => {
    expect(() => expectedMeetings('path:3', false)).toThrow('never left')
  })
})

describe('seeded runs', () => {
  // A mean is within five standard errors with probability 1 - 6e-7; the seeds are fixed.
  it.each(['path:3', 'path:4', 'star:4', 'star:5', 'ring:4', 'ring:5', 'ring:6', 'complete:3'])(
    'on %s take as many meetings as expected, within five standard errors',
    (topology) => {
      const { mean, error } = meanOf(topology, 1000)
      expect(Math.abs(mean - expectedMeetings(topology).value)).toBeLessThan(5 * error)
    },
  )

  it.each([10, 30])('on complete:%i have the mean and the deviation of the theory', (n) => {
    const seeds = 1000
    const { expected } = run({ topology: `complete:${n}` }).time
    const { value, deviation = 0 } = expected!
    expect(value).toBe((n - 1) ** 2)
    const { mean, error } = meanOf(`complete:${n}`, seeds)
    expect(Math.abs(mean - value)).toBeLessThan((5 * deviation) / Math.sqrt(seeds))
    expect(Math.abs((error * Math.sqrt(seeds)) / deviation - 1)).toBeLessThan(0.15)
  })

  it('have the deviation 47.6 for 10 nodes and 537,855 for 1,000', () => {
    const deviation = (n: number) => run({ topology: `complete:${n}`, until: 1 }).time.expected!
    expect(deviation(10).deviation).toBeCloseTo(47.584, 3)
    expect(deviation(1000).deviation).toBeCloseTo(537_854.71, 1)
    expect(deviation(1000).value).toBe(998_001)
  })

  it('stop at once with one node, and after one meeting with two', () => {
    expect(run({ topology: 'path:1' }).time).toMatchObject({ stable: 0, parallel: 0 })
    for (let seed = 1; seed < 20; seed++)
      expect(run({ topology: 'path:2', seed }).time).toMatchObject({ stable: 1, parallel: 0.5 })
  })
})

describe('in random worlds', () => {
  it('there is always a leader, never one more, and in the end exactly one', () => {
    const random = Random.from(19)
    const kinds = ['path', 'ring', 'star', 'complete', 'random']
    const worlds = process.env.LONG_TESTS ? 1000 : 200
    for (let world = 0; world < worlds; world++) {
      const n = 1 + random.below(10)
      const kind = kinds[random.below(kinds.length)]
      const shape = kind === 'random' ? `random:${n}:0.6` : `${kind}:${n}`
      const walk = kind === 'complete' && random.below(2) === 0 ? 'off' : 'on'
      const result = run({ topology: shape, seed: world, set: { walk } })
      const wrong = result.verdict.properties.filter(({ holds }) => holds !== true)
      expect(wrong, `${shape}, seed ${world}`).toEqual([])
      expect(result.leading).toHaveLength(1)
      expect(result.messages.total).toBe(0)
    }
  })
})

describe('the checker', () => {
  it.each(['path:1', 'path:2', 'path:6', 'ring:6', 'star:6', 'complete:6'])(
    'reaches one leader from every state on %s: all sets of leaders',
    (topology) => {
      const n = Number(topology.split(':')[1])
      const result = explored(topology)
      expect(result).toMatchObject({ exhausted: true, violated: null })
      expect(result.properties.every(({ holds }) => holds === true)).toBe(true)
      // The sets of leaders but the empty one, and the states while nodes start.
      expect(result.states).toBe(2 ** n - 1 + n)
    },
  )

  it('takes every directed link', () => {
    // 7 sets of leaders, 4 directed links; and 3 starts.
    expect(explored('path:3').transitions).toBe(7 * 4 + 3)
  })

  it('needs no walk on complete networks', () => {
    expect(explored('complete:5', { set: 'walk=off' })).toMatchObject({ violated: null })
  })

  it('finds that without walk both ends of a path lead for ever', () => {
    const { violated } = explored('path:3', { set: 'walk=off' })
    expect(violated?.property).toBe('exactly one leader from some time on')
    expect(violated?.trace.at(-1)?.text).toBe(
      'Position 2 meets position 1; position 1 does not lead any more.',
    )
  })
})

/** The same with another handler, or another start. */
function mutant(changes: Partial<Pick<Algorithm, 'meet' | 'start'>>): Algorithm {
  return { ...pairwise, ...changes }
}

describe('a mistake is found', () => {
  it('a start with no leader', () => {
    const { violated } = explored('path:3', {}, mutant({ start() {} }))
    expect(violated?.property).toBe('at least one leader')
  })

  it('both stop leading', () => {
    const both = mutant({
      meet(my, other, net) {
        const { follow } = net as { follow(leader: null): void }
        if (my.status === 'leader' && other.status === 'leader') follow.call(net, null)
      },
    })
    expect(explored('path:2', {}, both).violated?.property).toBe('at least one leader')
    const { verdict } = run({ topology: 'path:2' }, both)
    expect(verdict.properties[0]).toMatchObject({ holds: false })
  })

  it('the other node takes over, and the leader stays', () => {
    const grows = mutant({
      meet(my, other, net) {
        const { initiator, lead, follow } = net as {
          initiator: boolean
          lead(): void
          follow(leader: null): void
        }
        if (my.status === 'leader' && other.status === 'leader' && !initiator)
          follow.call(net, null)
        else if (other.status === 'leader') lead.call(net)
      },
    })
    expect(explored('path:3', {}, grows).violated?.property).toBe(
      'the number of leaders never grows',
    )
    const { verdict } = run({ topology: 'path:3', until: 100 }, grows)
    expect(verdict.properties[1]).toMatchObject({ holds: false })
  })

  it('leaders that never give up', () => {
    const stubborn = mutant({ meet() {} })
    const { violated } = explored('complete:3', {}, stubborn)
    expect(violated?.property).toBe('exactly one leader from some time on')
    const { verdict, time } = run({ topology: 'complete:3' }, stubborn)
    expect(verdict.properties[2]).toMatchObject({ holds: false })
    expect(time).toMatchObject({ unit: 'interaction', stable: null, parallel: null })
  })
})

describe('a definition without the walk', () => {
  it('of a file of its own is sealed and does the same', () => {
    const plain = algorithm({
      name: 'plain',
      needs: { topology: 'any' },
      messages: {},
      state: {},
      wakes: false,
      start: (_, net) => net.lead(),
      on: {},
      meet(my, other, net) {
        if (my.status === 'leader' && other.status === 'leader' && !net.initiator) net.follow(null)
      },
    })
    const given = { topology: 'complete:7', seed: 5 }
    const { leading, time } = run(given, plain)
    expect(run({ ...given, set: 'walk=off' })).toMatchObject({
      leading,
      time: { stable: time.stable },
    })
  })
})
