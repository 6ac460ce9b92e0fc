import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { observe, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { bully } from './bully.ts'
import { bullyTextbook } from './bully-textbook.ts'
import { ringList } from './ring-list.ts'
import { ringListTextbook } from './ring-list-textbook.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]

/** Worlds in which nothing fails; the messages of bully keep the bound on delays. */
const calm = fc.integer({ min: 1, max: 9 }).chain((n) =>
  fc.record({
    ids: fc.uniqueArray(fc.nat(99), { minLength: n, maxLength: n }),
    wake: fc
      .subarray([...Array(n).keys()], { minLength: 1 })
      .chain((nodes) =>
        fc
          .tuple(...nodes.map((node) => fc.nat(12).map((at) => `${node}@${at}`)))
          .map((starts) => starts.join()),
      ),
    delay: fc.constantFrom('unit', 'constant:3', 'uniform:1:6'),
    order: fc.constantFrom('fifo', 'any'),
    seed: fc.nat(99),
  }),
)

describe.each([
  ['bully', bullyTextbook, bully],
  ['ring-list', ringListTextbook, ringList],
])('%s as lectures show it', (name, textbook, whole) => {
  it('sends what the whole algorithm sends, at the same times, where nothing fails', () => {
    fc.assert(
      fc.property(calm, (given) => {
        const [seen, expected] = [textbook, whole].map((algorithm) => observe(algorithm, given))
        expect(seen.sends.map(({ at, type, node }) => [at, type, node])).toEqual(
          expected.sends.map(({ at, type, node }) => [at, type, node]),
        )
        expect(seen.result.leader).toEqual(expected.result.leader)
        expect(seen.result.verdict.ok).toBe(true)
      }),
      { numRuns: campaign(1_000) },
    )
  })

  it('comes before everything else in its file, in at most 80 lines', () => {
    const source = readFileSync(new URL(`./${name}-textbook.ts`, import.meta.url), 'utf8')
    const [shown] = source.split('\n  display: {')
    const code = shown.replace(/\/\*\*[\s\S]*?\*\//g, '').split('\n')
    expect(code.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(80)
    for (const part of ['start: ', 'on: {', 'down(']) expect(shown).toContain(`\n  ${part}`)
  })
})

describe('bully-textbook', () => {
  it.each([
    [{ wake: '0' }, [28, 28, 7]],
    [{ wake: '7' }, [0, 0, 7]],
    [{ wake: 'all' }, [28, 28, 7]],
    [{ wake: '0', crash: '7', detect: 'off' }, [28, 21, 6]],
    [{ wake: '2,4', crash: '6,7', detect: 'off' }, [14, 6, 5]],
  ])('with ids 0 to 7, %o: %j', (given, [election, ok, coordinator]) => {
    const { messages, verdict } = simulate(bullyTextbook, { ids: EIGHT, ...given })
    expect(messages.byType).toEqual({ election, ok, coordinator })
    expect(verdict.ok).toBe(true)
  })

  it('sends n(n-1) messages and n - 1 announcements if the lowest begins', () => {
    for (let n = 1; n <= 20; n++) {
      const { messages } = simulate(bullyTextbook, { n, ids: 'increasing', wake: '0' })
      expect(messages.total).toBe(n * n - 1)
    }
  })

  it('elects again when the leader crashes, and when it recovers', () => {
    const given = { ids: EIGHT, wake: '0', crash: '7@20' }
    expect(simulate(bullyTextbook, given).leader?.id).toBe(6)
    const { leader, verdict } = simulate(bullyTextbook, { ...given, recover: '7@40' })
    expect([leader?.id, verdict.ok]).toEqual([7, true])
    expect(simulate(bullyTextbook, { ...given, crash: '3@20', recover: '3@40' }).leader?.id).toBe(7)
  })

  it('is right in every interleaving of four nodes, and with delays of three', () => {
    expect(explored(bullyTextbook, '1,2,3,4', { clocked: 1 }, 0)).toEqual([true, null])
    expect(explored(bullyTextbook, '1,2,3', { clocked: 2 }, 0)).toEqual([true, null])
  })

  it('follows a leader whose crash was reported before its message arrived; bully does not', () => {
    const broken = 'all live nodes follow the largest'
    expect(explored(bullyTextbook, '3,2,1', { clocked: 1 }, 1)).toEqual([false, broken])
    expect(explored(bully, '3,2,1', { clocked: 1 }, 1)).toEqual([true, null])
  })

  it('takes a node for dead if it is impatient', () => {
    const { verdict } = simulate(bullyTextbook, { ids: EIGHT, wake: '0', set: { patience: 1 } })
    expect(verdict.ok).toBe(false)
  })
})

describe('ring-list-textbook', () => {
  it('sends 2n messages for each initiator, past crashed nodes', () => {
    for (let n = 2; n <= 12; n++) {
      expect(simulate(ringListTextbook, { n }).messages.total).toBe(2 * n)
      expect(simulate(ringListTextbook, { n, wake: 'all' }).messages.total).toBe(2 * n * n)
      const crash = String(n - 1)
      const { messages } = simulate(ringListTextbook, { n, crash, wake: '0' })
      expect(messages.total).toBe(n === 2 ? 0 : 2 * (n - 1))
    }
    expect(simulate(ringListTextbook, { n: 1 }).messages.total).toBe(0)
  })

  it('elects again when the leader crashes, and when it recovers', () => {
    const given = { ids: EIGHT, wake: '0', crash: '7@40' }
    expect(simulate(ringListTextbook, given).leader?.id).toBe(6)
    expect(simulate(ringListTextbook, { ...given, recover: '7@80' }).leader?.id).toBe(7)
  })

  it('is right in every interleaving of five nodes', () => {
    expect(explored(ringListTextbook, '2,5,1,4,3', 'untimed', 0)).toEqual([true, null])
  })

  it('loses the list that a crashed node held; ring-list sends it again', () => {
    const broken = 'all live nodes follow the largest'
    expect(explored(ringListTextbook, '3,2,1', 'untimed', 1)).toEqual([false, broken])
    expect(explored(ringList, '3,2,1', 'untimed', 1)).toEqual([true, null])
  })
})

/** Whether all states were seen, and the property that is violated. */
function explored(
  algorithm: Algorithm,
  ids: string,
  mode: 'untimed' | { clocked: number },
  crashes: number,
): [boolean, string | null] {
  const delay = typeof mode === 'string' ? {} : { delay: `uniform:1:${mode.clocked}` }
  const { world } = preparation(algorithm, { ids, ...delay })
  const { exhausted, violated } = checkWorld(world, {
    ...{ mode, order: 'fifo', wake: 'any', limits: { states: 1_000_000 } },
    properties: leaderElection.properties(crashes > 0, { lasting: true }),
    ...(crashes > 0 && { faults: { crashes } }),
  })
  return [exhausted, violated?.property ?? null]
}
