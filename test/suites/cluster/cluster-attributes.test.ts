import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failover } from '../../../src/cli/cluster/failover.ts'
import { runInMemory, runOnLoopback } from '../../../src/cluster/index.ts'
import { Random } from '../../../src/core/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import { processJson } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'
import { clustered, named, preparation, simulate } from '../../support/random-worlds.ts'
import { shellJson } from '../../support/run-command.ts'

const TIMES = '--heartbeat 50ms --timeout 400ms --delay-bound 80ms'.split(' ')

const comparing = clustered.filter(
  ({ needs, elects }) => needs.ids === 'unique' && elects === 'largest',
)

/** Few different values, so that ids must break ties; and ids of any size. */
const elections = fc.integer({ min: 1, max: 6 }).chain((n) =>
  fc.record({
    ids: fc.uniqueArray(fc.maxSafeNat(), { minLength: n, maxLength: n }),
    values: fc.array(fc.constantFrom(-1.5, 0, 0.25, 1e9), { minLength: n, maxLength: n }),
    'elect-by': fc.constantFrom('value', 'value:min', 'degree'),
  }),
)

describe.each(named(sample(comparing, 2)))('%s by value between members', (_, algorithm) => {
  const placed = (given: { readonly ids: readonly number[] }) =>
    algorithm.needs.topology === 'any'
      ? { ...given, topology: `complete:${given.ids.length}` }
      : given

  it('elects the same node as run', async () => {
    await fc.assert(
      fc.asyncProperty(elections, fc.nat(), async (given, seed) => {
        const { world } = preparation(algorithm, placed(given))
        const { leader } = simulate(algorithm, placed(given))
        const random = Random.from(seed)
        const { leaders, states } = await runInMemory(world, { random, unit: 40 })
        expect(leaders).toEqual([leader!.node])
        expect(new Set(states.map((state) => state.leader)).size).toBe(1)
      }),
      { numRuns: 12 },
    )
  })

  it('elects the same over sockets', async () => {
    const given = placed({ ids: [40, 10, 30, 20] })
    const scenario = { ...given, values: '0.5,7,-2,7' }
    const { world } = preparation(algorithm, scenario)
    const { leaders } = await runOnLoopback(world, { unit: 40 })
    expect(leaders).toEqual([3])
    expect(simulate(algorithm, scenario).leader).toEqual({ node: 3, id: 20 })
  })
})

describe('as real processes', () => {
  function cluster(words: readonly string[]): Promise<Failover> {
    return processJson('cluster', ...words)
  }

  const lines = [
    'bully -n 4 --values 3,9,1,9',
    'ring-list --ids 50,20,40 --values -3,9,-3 --elect-by value:min',
  ]

  it.each(sample(lines, 2))(
    '%s: cluster elects the same node as run, also after a kill',
    async (line) => {
      const words = line.split(' ')
      const run = await shellJson<RunResult>('run', ...words)
      const outcome = await cluster([...words, '--kill-leader-after', '200ms', ...TIMES])
      expect(outcome.killed).toMatchObject(run.leader!)
      const crash = ['--crash', `${run.leader!.node}`]
      const wake = ['--wake', run.leader!.node === 0 ? '1' : '0']
      const after = await shellJson<RunResult>('run', ...words, ...crash, ...wake)
      expect(outcome.successor).toEqual(after.leader)
      const held = (nodes: readonly { id: number | null; value?: number }[]) =>
        nodes.map(({ id, value }) => [id, value])
      expect(held(outcome.nodes)).toEqual(held(run.nodes!))
    },
  )

  it('chang-roberts by the smallest value, with as many messages as run', async () => {
    const words = 'chang-roberts --ids 7,300,5 --values -2,-2,4 --elect-by value:min'.split(' ')
    const { leader, messages } = await shellJson<RunResult>('run', ...words)
    const outcome = await cluster(words)
    expect(leader).toEqual({ node: 1, id: 300 })
    expect(outcome).toMatchObject({ agreed: true, leader, messages: { total: messages.total } })
  })
})
