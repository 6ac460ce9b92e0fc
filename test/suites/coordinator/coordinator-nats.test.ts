import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { coordinator } from '../../../src/coordinator/coordinator.ts'
import type { CoordinatorNode, Role } from '../../../src/coordinator/node.ts'
import type { CoordinatorOptions } from '../../../src/coordinator/options.ts'
import { nats } from '../../../src/nats/transport.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'

const SECRET = 'a secret of this test'
const OFTEN = { interval: 20, timeout: 90_000 }

let server: NatsServer
const folders: string[] = []
const nodes = new Map<string, CoordinatorNode>()
const roles = new Map<string, Role>()
/** Terms in their order, and the moments at which two led. */
const terms: number[] = []
const twice: string[] = []
let lines: string[] = []

beforeAll(async () => {
  server = await startNatsServer({ jetStream: false })
})

afterEach(async () => {
  await Promise.all([...nodes.values()].map((node) => node.close({ drain: 0 })))
  for (const list of [terms, twice]) list.length = 0
  lines = []
  nodes.clear()
  roles.clear()
})

afterAll(async () => {
  await server.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const newFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'conclave-coordinator-nats-')))
  return folders.at(-1)!
}

async function start(me: string, options: Partial<CoordinatorOptions> = {}): Promise<void> {
  const node = await coordinator({
    ...{ cluster: 'billing', me, members: ['a', 'b', 'c'], lease: 800, secret: SECRET },
    transport: nats(server.url),
    log: ({ message }) => lines.push(`${me}: ${message}`),
    ...options,
  })
  nodes.set(me, node)
  const role = node.role('cron')
  roles.set(me, role)
  role.on('elected', (term) => {
    terms.push(term.token)
    const leading = [...roles].filter(([, one]) => one.leads()).map(([name]) => name)
    if (leading.length > 1) twice.push(leading.join())
  })
}

const bootstrap = (options: Partial<CoordinatorOptions> = {}) =>
  Promise.all(
    ['a', 'b', 'c'].map((me) => start(me, { bootstrap: true, storage: newFolder(), ...options })),
  )

const leaders = () => [...roles].filter(([, role]) => role.leads()).map(([name]) => name)
const agreed = (on: number) =>
  [...roles.values()].every((role) => (role.leader?.term ?? 0) > on) && leaders().length === 1

describe('coordinators that meet on a server of NATS', () => {
  it('lead one at a time, also while the server is away, and when a leader is gone', async () => {
    await bootstrap()
    await expect.poll(() => agreed(0), OFTEN).toBe(true)
    const first = terms.at(-1)!
    await server.halt('SIGKILL')
    await expect.poll(leaders, OFTEN).toEqual([])
    await server.restart()
    await expect.poll(() => agreed(first), OFTEN).toBe(true)
    const second = terms.at(-1)!
    const [leader] = leaders()
    const gone = nodes.get(leader)!
    roles.delete(leader)
    await gone.close({ drain: 0 })
    await expect.poll(() => agreed(second), OFTEN).toBe(true)
    expect(twice).toEqual([])
    expect(terms).toEqual([...new Set(terms)].toSorted((a, b) => a - b))
    expect(lines.join('\n')).toContain('lost the connection to NATS')
  })

  it('let an observer watch, and refuse strangers and other secrets', async () => {
    const members = ['a']
    await start('a', { members, bootstrap: true, storage: newFolder(), lease: 300 })
    await start('w', { members, observe: true, lease: 300 })
    await start('x', { members, observe: true, lease: 300, secret: 'another secret of it' })
    await expect.poll(() => roles.get('w')!.leader?.id, OFTEN).toBe('a')
    const stranger = await connect({ servers: server.url })
    for (const garbage of ['', 'hello', '\u0001\u0008conclave\u0001'])
      stranger.publish('conclave.cluster.billing.a', garbage)
    await stranger.drain()
    const refusals = () =>
      nodes
        .get('a')!
        .metrics()
        .filter(({ name }) => name.includes('refused'))
        .flatMap(({ samples }) => samples)
        .filter(({ labels }) => labels?.reason === 'garbage')
        .reduce((sum, { value }) => sum + value, 0)
    await expect.poll(refusals, OFTEN).toBeGreaterThan(3)
    const said = () => lines.join('\n')
    await expect.poll(said, OFTEN).toMatch(/x: a at a: it refuses: "its secret is not that of/)
    expect(said()).toMatch(/a: connection from nats:\S+ refused: a message of "x" was refused: /)
    expect([leaders(), roles.get('x')!.leader]).toEqual([['a'], null])
  })

  it('are refused with what has no meaning there', async () => {
    const refused = (options: Partial<CoordinatorOptions>) =>
      expect(start('a', { storage: newFolder(), ...options })).rejects
    const { secret: _, ...insecure } = { secret: SECRET }
    await refused({ listen: '127.0.0.1:7001' }).toThrow(/^listen: members that meet by name/)
    for (const fast of [true, 'connection'] as const)
      await refused({ fast }).toThrow(/^fast: whether a process has ended is not seen through NATS/)
    await refused({ members: { a: '127.0.0.1:7001' } }).toThrow(
      /^members.a: a is found by its name/,
    )
    const transport = nats(server.url, { cluster: 'other', ...insecure })
    await refused({ transport }).toThrow(/^transport: it is for the cluster "other"/)
    await expect(
      coordinator({
        ...{ cluster: 'billing', me: 'a', members: ['a'], storage: newFolder() },
        transport: nats(server.url),
      }),
    ).rejects.toThrow(/^secret: over NATS, whoever may use the subjects/)
    await expect(
      coordinator({ cluster: 'billing', me: 'a', members: ['a'], storage: newFolder() }),
    ).rejects.toThrow(/^members: names alone do not say where/)
  })
})
