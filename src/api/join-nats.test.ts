import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type NatsServer, startNatsServer } from '../../test/support/nats-server.ts'
import type { Member } from '../cluster/index.ts'
import { type NatsTransportOptions, nats } from '../nats/transport.ts'
import { type JoinOptions, join } from './join.ts'

const SECRET = { secret: 'a secret of this test' }
const OFTEN = { interval: 20, timeout: 60_000 }

let server: NatsServer
const members: Member[] = []

beforeAll(async () => {
  server = await startNatsServer({ jetStream: false })
})

afterEach(async () => {
  await Promise.all(members.splice(0).map((member) => member.close()))
})

afterAll(() => server.stop())

/** All members of a cluster in this process. */
async function cluster(
  algorithm: Parameters<typeof join>[0],
  given: NatsTransportOptions,
  options: Partial<JoinOptions> & { readonly n: number },
): Promise<Member[]> {
  const transport = nats(server.url, given)
  const positions = Array.from({ length: options.n }, (_, me) => me)
  const joined = await Promise.all(
    positions.map((me) => join(algorithm, { me, transport, ...options })),
  )
  members.push(...joined)
  return joined
}

const leaders = (of: readonly Member[]) => of.map(({ leader }) => leader)

describe('members that meet on a server of NATS', () => {
  it('elect, and end with the election', async () => {
    const ring = await cluster('lcr', { cluster: 'ring', ...SECRET }, { n: 3, ids: [3, 1, 2] })
    expect(await Promise.all(ring.map(({ ended }) => ended))).toEqual(['quiet', 'quiet', 'quiet'])
    expect(leaders(ring)).toEqual([3, 3, 3])
  })

  it('see only those of their own cluster, and go on when the server was away', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const [one, other] = await Promise.all([
      cluster('bully', { cluster: 'one', ...SECRET }, { n: 3, ids: [1, 2, 3], log }),
      cluster('bully', { cluster: 'one.more', ...SECRET }, { n: 2, ids: [7, 8] }),
    ])
    await expect.poll(() => leaders(one), OFTEN).toEqual([3, 3, 3])
    await expect.poll(() => leaders(other), OFTEN).toEqual([8, 8])
    await server.halt('SIGKILL')
    // Alone, each member leads.
    await expect.poll(() => leaders(one), OFTEN).toEqual([1, 2, 3])
    await server.restart()
    await expect.poll(() => leaders(one), OFTEN).toEqual([3, 3, 3])
    await expect.poll(() => leaders(other), OFTEN).toEqual([8, 8])
    expect(lines.join('\n')).toContain('lost the connection to NATS')
    await one[2].close()
    await expect.poll(() => leaders(one.slice(0, 2)), OFTEN).toEqual([2, 2])
  })

  it('need the same secret', async () => {
    const lines: string[] = []
    const options = { n: 2, ids: [1, 2], patience: 500, log: (line: string) => lines.push(line) }
    const [first, second] = await Promise.all(
      ['a secret of this test', 'another secret of it'].map((secret, me) =>
        join('bully', { me, ...options, transport: nats(server.url, { cluster: 'two', secret }) }),
      ),
    )
    members.push(first, second)
    await expect.poll(() => leaders([first, second]), OFTEN).toEqual([1, 2])
    expect(lines.join('\n')).toMatch(
      /a message of "position-\d" was refused: its secret is another/,
    )
    expect(lines.join('\n')).toMatch(/it refuses: "its secret is not that of this member"/)
  })

  it('are refused without a secret or the name of a cluster', async () => {
    const open = (options: NatsTransportOptions) =>
      join('bully', { me: 0, n: 2, transport: nats(server.url, options) })
    await expect(open({ cluster: 'one' })).rejects.toThrow(/^secret: over NATS, whoever/)
    await expect(open({ ...SECRET })).rejects.toThrow(/^cluster: the name of the cluster is/)
    await expect(open({ cluster: 'a b', ...SECRET })).rejects.toThrow(/^cluster: "a b" is none/)
    await expect(open({ cluster: 'one', secret: 'short' })).rejects.toThrow(
      /^secret: fewer than 16/,
    )
    const transport = nats(server.url, { cluster: 'one', insecure: true })
    const addresses = ['127.0.0.1:7001']
    await expect(join('bully', { me: 0, addresses, transport })).rejects.toThrow(/^addresses: memb/)
    await expect(join('bully', { me: 0, transport })).rejects.toThrow(
      /^n: expected the number of members/,
    )
    members.push(await join('bully', { me: 0, n: 1, transport }))
  })
})
