import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Failover } from '../../../src/cli/cluster/failover.ts'
import { isRunning, processJson } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'

const raft = fileURLToPath(new URL('../../../examples/raft.ts', import.meta.url))

describe.each(sample(['raft', raft], 2))('Raft between processes: %s', (name) => {
  it('counts as elected when all agree, and fails over to a leader of a later term', async () => {
    const types = name === raft ? ' --no-types' : ''
    const line = `-n 3 --kill-leader-after 500ms --delay-bound 30ms${types}`
    const outcome = await processJson<Failover>('cluster', name, ...line.split(' '))
    const { agreed, killed, successor, leader, nodes } = outcome
    expect(agreed).toBe(true)
    expect(killed?.term).toBeGreaterThanOrEqual(1)
    expect(successor?.term).toBeGreaterThan(killed!.term!)
    expect(successor?.node).not.toBe(killed?.node)
    expect(leader?.id).toBe(successor?.id)
    const dead = nodes.find(({ status }) => status === 'dead')
    expect(dead).toMatchObject({ node: killed?.node, leader: null })
    expect(dead).not.toHaveProperty('term')
    expect(nodes.map(({ pid }) => pid).filter(isRunning)).toEqual([])
  })
})
