import { describe, expect, it } from 'vitest'
import type { Failover } from '../../../src/cli/cluster/failover.ts'
import { processJson } from '../../support/built-program.ts'

describe('elections that never fall silent, between processes', () => {
  it('omega: the next smaller id is trusted when the leader is killed', async () => {
    const line = '-n 3 --kill-leader-after 500ms --delay-bound 40ms'
    const { agreed, killed, successor } = await processJson<Failover>(
      ...['cluster', 'omega', ...line.split(' ')],
    )
    expect(agreed).toBe(true)
    expect([killed?.id, successor?.id]).toEqual([3, 2])
  })

  it('stabilizing: all name the largest id', async () => {
    const { agreed, leader } = await processJson<Failover>('cluster', 'stabilizing', '-n', '3')
    expect(agreed).toBe(true)
    expect(leader?.id).toBe(3)
  })
})
