import { describe, expect, it } from 'vitest'
import type { GossipClusterResult } from '../../../src/cli/cluster/gossip-watch.ts'
import { isRunning, processJson } from '../../support/built-program.ts'

/** Long, since a false suspicion on a busy machine may lose an answer. */
const TIMES = '--delay-bound 2ms --timeout 8s'

function cluster(line: string): Promise<GossipClusterResult> {
  return processJson('cluster', ...`${line} ${TIMES}`.split(' '))
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

describe('gossip between real processes', () => {
  it('converge to the average and keep the sum, with two messages per exchange', async () => {
    const values = [4, -1, 10.5]
    const outcome = await cluster(`gossip-average --values ${values} --until 25`)
    const estimates = outcome.nodes.map(({ estimate }) => estimate!)
    expect(sum(estimates)).toBeCloseTo(sum(values), 9)
    for (const estimate of estimates) expect(estimate).toBeCloseTo(4.5, 3)
    expect(outcome.nodes.map(({ value }) => value)).toEqual(values)
    expect(outcome).toMatchObject({
      n: 3,
      truth: 4.5,
      within: 1,
      periodMs: 20,
      killed: [],
      lost: null,
      messages: { total: 2 * 3 * 25, byType: { push: 75, answer: 75 }, toDead: 0 },
      verdict: { ok: true },
    })
    expect(outcome.nodes.map(({ pid }) => pid).filter(isRunning)).toEqual([])
  })

  it('keep the value of a killed process until the next epoch', async () => {
    const line = 'gossip-average --values 0,0,9 --kill 2@300ms'
    const [without, with_] = await Promise.all([
      cluster(`${line} --until 25`),
      cluster(`${line} --until 50 --set epoch=25`),
    ])
    // It had given away its share by then; the others have the value 0.
    for (const outcome of [without, with_]) {
      expect(outcome.killed).toMatchObject([{ node: 2, pid: outcome.nodes[2].pid }])
      expect(outcome.killed[0].afterMs).toBeGreaterThanOrEqual(300)
      expect(outcome).toMatchObject({ truth: 0, n: 3, lost: { truth: 0 } })
      expect(outcome.lost!.mean).toBeGreaterThan(2)
      expect(outcome.nodes[2]).toMatchObject({ status: 'dead', estimate: null, error: null })
    }
    expect(without).toMatchObject({ repaired: false, within: 0 })
    expect(without.mean).toBeGreaterThan(2)
    expect(with_).toMatchObject({ repaired: true, within: 1, mean: 0 })
  })

  it('count live processes and read changed values from the next epoch on', async () => {
    const epochs = '--set epoch=20 --until 40'
    const [count, max] = await Promise.all([
      cluster(`gossip-count -n 4 --kill 0@100ms ${epochs}`),
      cluster(`gossip-max --values 1,2,3;0@10=8 ${epochs}`),
    ])
    // Position 0 held the 1.
    expect(count).toMatchObject({ truth: 3, within: 1, repaired: true })
    expect(count.lost!.within).toBeLessThan(1)
    const estimates = max.nodes.map(({ estimate }) => estimate)
    expect({ truth: max.truth, estimates }).toEqual({ truth: 8, estimates: [8, 8, 8] })
  })

  it('find quantiles, the largest and different values of inputs that change', async () => {
    const epochs = '--set epoch=20 --until 40'
    const [median, top, different] = await Promise.all([
      cluster('quantile --values 1,2,3;0@10=5 --set precision=0.5 --until 90'),
      cluster(`top-k --values 1,2,3;0@10=8 --set k=2 ${epochs}`),
      cluster(`distinct --values 4,4;1@10=7 ${epochs}`),
    ])
    // The answer is at most the precision above the median of 5, 2 and 3.
    for (const { estimate } of median.nodes) {
      expect(estimate).toBeGreaterThanOrEqual(3)
      expect(estimate).toBeLessThanOrEqual(3.5)
    }
    for (const { found } of top.nodes) expect(found).toEqual({ values: [8, 3], owners: [0, 2] })
    // Two of 256 registers are in use, so that the empty ones are counted.
    const counted = 256 * Math.log(256 / 254)
    for (const { estimate } of different.nodes) expect(estimate).toBeCloseTo(counted, 9)
  })
})
