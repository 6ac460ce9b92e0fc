import { describe, expect, it } from 'vitest'
import { aggregations } from '../../../src/algorithms/index.ts'
import type { RunReport } from '../../../src/cli/run/execute.ts'
import type { AggregationReport } from '../../../src/cli/run/gossip-report.ts'
import { UsageError } from '../../../src/core/index.ts'
import { prepare } from '../../../src/scenario/index.ts'
import { aggregationCycles, observe, pairingOrders } from '../../../src/sim/index.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const run = (line: string) => shellJson<AggregationReport>('run', ...line.split(' '))

describe('percolation', () => {
  const remains = async (network: string, faults: string) => {
    const { percolation, cycles } = await run(
      `gossip-average -t ${network} ${faults} --until 60 --seed 5`,
    )
    return { ...percolation, within: cycles[60].within }
  }

  it('without a third of the nodes a lattice is in pieces, shortcuts and hubs hold', async () => {
    const lattice = await remains('small-world:3000:4:0', '--crash 0.3@1')
    const small = await remains('small-world:3000:4:0.25', '--crash 0.3@1')
    const free = await remains('scale-free:3000:2', '--crash 0.3@1')
    expect(lattice.largest).toBeLessThan(0.1)
    expect(lattice.components).toBeGreaterThan(100)
    expect(small.largest).toBeGreaterThan(0.9)
    expect(free.largest).toBeGreaterThan(0.9)
    expect(small.within).toBeGreaterThan(2 * lattice.within)
    expect(free.within).toBeGreaterThan(5 * lattice.within)
    expect(Math.abs(lattice.deadContacts - 0.3)).toBeLessThan(0.05)
  })

  it('a grid falls apart when four in ten nodes have crashed (known since 1964)', async () => {
    expect((await remains('grid:60x60', '--crash 0.3@1')).largest).toBeGreaterThan(0.9)
    expect((await remains('grid:60x60', '--crash 0.55@1')).largest).toBeLessThan(0.2)
    expect((await remains('scale-free:3600:2', '--crash 0.55@1')).largest).toBeGreaterThan(0.5)
  })

  it('with half the nodes never picked a lattice is in pieces, hubs hold', async () => {
    const lattice = await remains('small-world:3000:4:0', '--set deaf=0.5')
    const free = await remains('scale-free:3000:2', '--set deaf=0.5')
    expect(lattice.largest).toBeLessThan(0.2)
    expect(free.largest).toBeGreaterThan(0.85)
    expect(free.within).toBeGreaterThan(4 * lattice.within)
  })
})

describe('the leader of a count', () => {
  it('is the given node, or the one that an election finds on the same network', async () => {
    const holder = async (leader: string, network: string) => {
      const line = `gossip-count -t ${network} --until 1 --loss 1 --set leader=${leader} --seed 4`
      const { nodes, elected } = JSON.parse((await shell('run', ...line.split(' '), '--json')).out)
      const found = nodes.filter((node: { estimate: number | null }) => node.estimate === 1)
      expect(found).toHaveLength(1)
      return { node: found[0].node, elected }
    }
    expect(await holder('5', 'grid:3x3')).toEqual({ node: 5, elected: undefined })
    for (const [algorithm, network] of [
      ['lcr', 'ring:9'],
      ['bully', 'complete:12'],
      ['echo-extinction', 'scale-free:30:2'],
    ]) {
      const { leader, messages } = await shellJson<RunReport>(
        'run',
        ...`${algorithm} -t ${network} --seed 4`.split(' '),
      )
      const { node, elected } = await holder(algorithm, network)
      expect(node).toBe(leader!.node)
      expect(elected).toEqual({ algorithm, leader: node, messages: messages.total })
    }
  })

  it('holds the 1 of the next epochs too, and another node after its crash', async () => {
    const line = 'gossip-count -n 60 --set leader=7 --set epoch=40 --until 80 --crash 7@20'
    const { cycles, truth } = await run(line)
    expect(truth).toBe(59)
    expect(cycles[80].within).toBe(1)
  })
})

describe('nodes that come and go', () => {
  it('are reported, and are the same again from the scenario', async () => {
    const line =
      'gossip-count -n 400 --set peers=newscast:15 --set leave=0.01 --set join=0.01 --set epoch=30'
    const full = `${line} --set instances=9 --until 75 --seed 3`
    const { cycles, messages, scenario } = await run(full)
    expect(scenario.set).toMatchObject({ peers: 'newscast:15', leave: 0.01, join: 0.01 })
    expect(cycles[75]).toMatchObject({ alive: 400 })
    expect(cycles[75].waiting).toBeGreaterThan(30)
    expect(messages.refused).toBeGreaterThan(0)
    expect(messages.toDead).toBeGreaterThan(0)
    const { refused, toDead, lost, byType } = messages
    expect(byType.push).toBe(byType.answer + refused + toDead + lost)
    const { out } = await shell('run', ...full.split(' '))
    expect(out).toMatch(/400 of 400 nodes alive, \d+ of them waiting for the next epoch/)
    const again = await run(full)
    expect(again.cycles).toEqual(cycles)
  })
})

describe('wrong input is refused in one line', () => {
  it.each([
    'gossip-average --set peers=newscast',
    'gossip-average --set peers=newscast:0',
    'gossip-average --set peers=newscast:1001',
    'gossip-average --set peers=friends',
    'gossip-average -n 1000000 --set peers=newscast:900',
    'gossip-average --set peers=newscast:3 --set order=matchings',
    'histogram --set order=together',
    'gossip-variance --set order=together',
    'gossip-average --set leave=1.5',
    'gossip-average --set join=x',
    'gossip-average --set leader=0',
    'gossip-count --set leader=8',
    'gossip-count --set leader=-1',
    'gossip-count --set leader=gossip-max',
    'gossip-count --set leader=lcr',
  ])('%s', async (line) => {
    const { code, out, err } = await shell('run', ...line.split(' '))
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^--set: .+\. /)
  })
})

/** What one cycle leaves of the variance, on average; null if theory says nothing of the order. */
function measuredFactor(what: (typeof aggregations)[number], order: string) {
  const values = '0.9,0.05,0.7,0.1,0.2,0.6,0.02,0.3'
  const given = { topology: 'complete:8', timing: 'cycles', values, until: 1, set: { order } }
  let [sum, squares, theory] = [0, 0, 0]
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const { expected, begin, scenario } = prepare({ ...given, seed }, what, (field) => field)
      if (expected === null) return null
      theory = expected
      const run = begin()
      const before = observe(run, 0.01, null)
      for (const _ of aggregationCycles(run, scenario));
      const factor = observe(run, 0.01, before).variance! / before.variance!
      sum += factor
      squares += factor ** 2
    } catch (error) {
      if (error instanceof UsageError) return null
      throw error
    }
  }
  const mean = sum / SEEDS
  return { theory, mean, error: Math.sqrt((squares / SEEDS - mean ** 2) / SEEDS) }
}

const SEEDS = 300

it('every aggregation converges as the theory that is printed says, in every order', () => {
  let judged = 0
  for (const what of aggregations)
    for (const order of pairingOrders) {
      const found = measuredFactor(what, order)
      if (found === null) continue
      judged++
      const { theory, mean, error } = found
      expect([what.name, order, Math.abs(mean - theory) < 5 * error + 1e-12]).toEqual([
        what.name,
        order,
        true,
      ])
    }
  expect(judged).toBeGreaterThan(8)
})
