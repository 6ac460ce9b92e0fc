import { describe, expect, it } from 'vitest'
import { freeAddresses } from '../../test/support/free-ports.ts'
import { bully, lcr } from '../algorithms/index.ts'
import type { Member } from '../cluster/index.ts'
import { type JoinOptions, join } from './join.ts'

/** All members of a cluster in this process. */
async function cluster(
  algorithm: Parameters<typeof join>[0],
  n: number,
  options: Partial<JoinOptions>,
): Promise<Member[]> {
  const addresses = await freeAddresses(n)
  return Promise.all(addresses.map((_, me) => join(algorithm, { me, addresses, ...options })))
}

const QUICK = { heartbeat: 20, timeout: 200, delayBound: 20 }

describe('a member that joins', () => {
  it('elects with the others, and ends with the election', async () => {
    const members = await cluster(lcr, 3, { ids: [3, 1, 2] })
    expect(await Promise.all(members.map(({ ended }) => ended))).toEqual([
      'quiet',
      'quiet',
      'quiet',
    ])
    expect(members.map(({ leader, isLeader }) => [leader, isLeader])).toEqual([
      [3, true],
      [3, false],
      [3, false],
    ])
  })

  it('follows another leader when the first has left', async () => {
    const members = await cluster('bully', 3, { ids: [1, 2, 3], ...QUICK })
    try {
      const seen: (number | null)[] = []
      for await (const { leader } of members[0]) {
        if (leader !== null && leader !== seen.at(-1)) seen.push(leader)
        if (leader === 3) void members[2].close()
        if (leader === 2) break
      }
      // On a busy machine a smaller one may lead before the largest is heard.
      expect(seen.slice(seen.indexOf(3))).toEqual([3, 2])
      expect(members[1].isLeader).toBe(true)
    } finally {
      await Promise.all(members.map((member) => member.close()))
    }
  })

  it('iterates until it is closed', async () => {
    const [member] = await cluster(bully, 1, QUICK)
    const outcomes: string[] = []
    for await (const { status } of member) {
      outcomes.push(status)
      if (status === 'leader') void member.close()
    }
    // Closed, it leads no more, and says so.
    expect(outcomes.slice(-2)).toEqual(['leader', 'unknown'])
    expect([member.isLeader, member.leads(), member.leader]).toEqual([false, false, null])
  })

  it('listens where it is told to, if others reach it by another address', async () => {
    const [listen] = await freeAddresses(1)
    const addresses = ['192.0.2.1:7001']
    const member = await join(bully, { me: 0, addresses, listen, ...QUICK })
    await expect(join(bully, { me: 0, addresses, listen, ...QUICK })).rejects.toThrow(
      `Cannot listen on ${listen}: another process listens there.`,
    )
    await member.close()
  })

  it('may be elected by a priority of its own, and computes aggregates', async () => {
    const addresses = await freeAddresses(2)
    const members = await Promise.all(
      addresses.map((_, me) =>
        join('bully', { me, addresses, ids: [1, 2], priority: () => 9 - me, ...QUICK }),
      ),
    )
    try {
      const estimates = members.map((member, me) =>
        member.aggregate('average', { value: () => 4 * me, period: 10 }),
      )
      for await (const { leader } of members[1]) if (leader === 1) break
      await new Promise<void>((resolve) => {
        estimates[0].on('change', (estimate) => {
          if (estimate === 2) resolve()
        })
      })
      expect(members[0].isLeader).toBe(true)
    } finally {
      await Promise.all(members.map((member) => member.close()))
    }
  })

  it('goes on without missing neighbours, if the algorithm reacts to crashes', async () => {
    const addresses = await freeAddresses(2)
    const options = { me: 0, addresses, patience: 200 }
    const member = await join('bully', options)
    for await (const { leader } of member) if (leader !== null) break
    expect(member.isLeader).toBe(true)
    await member.close()
    await expect(join('lcr', options)).rejects.toThrow(
      /^position 0: gave up after 0.2 s: position 1/,
    )
  })

  it('refuses what cannot be, and names the option', async () => {
    const addresses = ['127.0.0.1:20001', '127.0.0.1:20002']
    const refused = (
      options: object,
      algorithm: 'bully' | 'lcr' | 'time-slice' | 'tree' | 'hyper-elect' = 'bully',
    ) => expect(join(algorithm, { me: 0, addresses, ...options })).rejects
    await refused({ me: 2 }).toThrow('me: ')
    await refused({ me: '0' as never, addresses: [] }).toThrow('addresses: ')
    await refused({ addresses: ['here'] }).toThrow('addresses: "here"')
    await refused({ addresses: [addresses[0], addresses[0]] }).toThrow(
      'addresses: 127.0.0.1:20001 is',
    )
    await refused({ topology: 'ring' }).toThrow('topology: bully needs a complete network.')
    await refused({ timeout: 100 }).toThrow('timeout: 100 ms are less than two heartbeats')
    await refused({ heartbeat: 0 }).toThrow('heartbeat: ')
    await refused({ heartbeat: 50 }, 'lcr').toThrow('heartbeat: lcr does not react to crashes')
    await refused({ ids: [1] }).toThrow('ids: ')
    await refused({ position: 1 }).toThrow('position: there is no option of this name.')
    await refused({}, 'time-slice').toThrow('time-slice')
    await refused({}, 'tree').toThrow(
      'algorithm: tree needs a tree; processes form a ring or a complete network. Simulate it.',
    )
    await refused({ topology: 'complete' }, 'hyper-elect').toThrow('needs a hypercube; processes')
    await expect(join('bully', undefined as never)).rejects.toThrow('addresses: ')
  })
})
