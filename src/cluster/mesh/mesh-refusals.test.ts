import { describe, expect, it } from 'vitest'
import { at, type GivenMesh, LEASE, VirtualMeshes } from '../../../test/support/mesh-fixture.ts'
import { UsageError } from '../../core/usage-error.ts'
import { Mesh } from './mesh.ts'
import type { MeshOptions } from './mesh-options.ts'
import type { RefusalReason } from './peer.ts'
import type { ProcessIdentity, ProcessTable } from './process-identity.ts'

const TLS = { tls: true }
const secret = (text: string) => ({ tls: false, secret: text })

const DIFFERENCES: [name: string, GivenMesh, GivenMesh, RefusalReason, told: string][] = [
  [
    'another cluster',
    {},
    { cluster: 'shipping' },
    'cluster',
    'the cluster is "billing" at "a" and "shipping" at "b"',
  ],
  [
    'versions without a common one',
    { protocol: { lowest: 1, highest: 2 } },
    { protocol: { lowest: 3, highest: 4 } },
    'protocol',
    'the range of protocol versions is "1 to 2" at "a" and "3 to 4" at "b": stop all members, ' +
      'and start all with the same release',
  ],
  [
    'another bound on clock rates',
    {},
    { drift: 0.1 },
    'drift',
    'the bound on clock rates is 0.05 at "a" and 0.1 at "b"',
  ],
]

describe('two members refuse each other, and both say why', () => {
  it.each(DIFFERENCES)('%s', async (_name, one, other, reason, told) => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair(one, other)
    for (const { events, refused, lines } of [a, b]) {
      expect(events).toEqual([])
      expect(new Set(refused.map((refusal) => refusal.reason))).toEqual(new Set([reason]))
      expect(lines.filter((line) => line.endsWith(told)).length).toBeGreaterThan(0)
      // It neither changes nor is it told more often than needed.
      expect(refused.length).toBeLessThan(12)
      expect(lines.length).toBeLessThan(5)
    }
    await meshes.close()
  })

  it('certificates that are missing, expired, foreign, or of another name', async () => {
    const wrong = [
      [{ reason: 'expired', detail: 'has a certificate that has expired' }, 'expired'],
      [{ reason: 'foreign', detail: 'has a certificate of a foreign authority' }, 'foreign'],
      [{ reason: 'no-certificate', detail: 'has no certificate' }, 'no-certificate'],
      [['c', 'd'], 'name'],
      [[], 'name'],
    ] as const
    for (const [certificate, reason] of wrong) {
      const meshes = new VirtualMeshes()
      meshes.net.certificates.set('a', ['a'])
      meshes.net.certificates.set('b', certificate)
      const [a, b] = await meshes.pair({ security: TLS }, { security: TLS })
      expect([a.events, b.events]).toEqual([[], []])
      for (const { refused, lines } of [a, b]) {
        expect(new Set(refused.map((refusal) => refusal.reason))).toEqual(new Set([reason]))
        expect(lines.join('\n')).toMatch(/certificate/)
      }
      await meshes.close()
    }
  })

  it('streams that have not proven the shared secret, whatever is said over them', async () => {
    const meshes = new VirtualMeshes()
    meshes.net.ignorant.add('b')
    const [a, b] = await meshes.pair()
    expect([a.events, b.events]).toEqual([[], []])
    for (const { refused } of [a, b])
      expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['secret']))
    expect(a.lines.join()).toContain('has not proven the shared secret')
    await meshes.close()
  })

  it('a member that dials itself', async () => {
    const meshes = new VirtualMeshes()
    const a = await meshes.start('a')
    a.mesh.dial(new Map([['b', 'a:7001']]))
    await meshes.net.pass(LEASE / 4)
    expect(a.refused[0]).toMatchObject({ reason: 'name', detail: '"a" has dialled itself' })
    await meshes.close()
  })
})

describe('members work together', () => {
  it('with versions that overlap: the highest common one is spoken', async () => {
    for (const [one, other, spoken] of [
      [{ lowest: 1, highest: 2 }, { lowest: 2, highest: 3 }, 2],
      [{ lowest: 1, highest: 1 }, { lowest: 1, highest: 2 }, 1],
      [{ lowest: 2, highest: 3 }, { lowest: 2, highest: 3 }, 3],
    ] as const) {
      const meshes = new VirtualMeshes()
      const [a, b] = await meshes.pair({ protocol: one }, { protocol: other })
      expect(a.peers.get('b')?.protocol).toBe(spoken)
      expect(b.peers.get('a')?.protocol).toBe(spoken)
      await meshes.close()
    }
  })

  it('with certificates of their names, and with what the handshake tells', async () => {
    const meshes = new VirtualMeshes()
    for (const name of ['a', 'b']) meshes.net.certificates.set(name, ['host', name])
    let number = 3
    const [a] = await meshes.pair(
      { security: TLS },
      {
        security: TLS,
        version: () => ({ term: 2, number: number++ }),
        limit: 5000,
        advertised: 'b.example:7001',
      },
    )
    expect(a.peers.get('b')).toMatchObject({
      name: 'b',
      incarnation: 'b-1',
      kind: 'member',
      limit: 5000,
      drift: 0.05,
      advertised: 'b.example:7001',
      process: null,
    })
    const { version } = a.mesh.peer('b')!
    a.mesh.drop('b', 'again')
    await meshes.net.pass(LEASE)
    expect(a.mesh.peer('b')!.version.number).toBeGreaterThan(version.number)
    await meshes.close()
  })

  it('observers connect whatever their clocks, and do not listen', async () => {
    const meshes = new VirtualMeshes()
    const a = await meshes.start('a', { knows: (name) => name === 'a' })
    const watcher = await meshes.start('w', { kind: 'observer', listen: null, drift: 0.5 })
    watcher.mesh.dial(at('a'))
    await meshes.net.pass(LEASE)
    expect(a.peers.get('w')).toMatchObject({ kind: 'observer', advertised: null })
    expect(watcher.mesh.address).toBeNull()
    await meshes.close()
  })

  it('a few processes that are in no configuration, and not more', async () => {
    const meshes = new VirtualMeshes()
    const a = await meshes.start('a', { knows: (name) => name === 'known' })
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, i) => meshes.start(`x${i}`, { listen: null })),
    )
    for (const { mesh } of others) mesh.dial(at('a'))
    await meshes.net.pass(LEASE)
    expect(a.mesh.connected).toHaveLength(16)
    const known = await meshes.start('known')
    known.mesh.dial(at('a'))
    await meshes.net.pass(LEASE)
    expect(known.events).toEqual(['up a'])
    await meshes.close()
  })

  it('a process is known only if it is seen on this machine and over loopback', async () => {
    const identity: ProcessIdentity = { pid: 7, start: '100', boot: 'x', namespace: 'pid:[1]' }
    const table = (sees: boolean): ProcessTable => ({
      own: () => identity,
      sees: () => sees,
      gone: () => false,
    })
    for (const [host, sees, known] of [
      ['127.0.0.1', true, true],
      ['127.0.0.1', false, false],
      ['10.0.0.1', true, false],
    ] as const) {
      const meshes = new VirtualMeshes()
      const a = await meshes.start('a', { host, processes: table(sees) })
      const b = await meshes.start('b', { host, processes: table(true), listen: null })
      b.mesh.dial(new Map([['a', `${host}:7001`]]))
      await meshes.net.pass(LEASE)
      expect(a.peers.get('b')?.process).toEqual(known ? identity : null)
      await meshes.close()
    }
  })
})

describe('without TLS and without a secret', () => {
  it('nobody beyond loopback is dialled', async () => {
    const meshes = new VirtualMeshes()
    const security = { tls: false }
    const a = await meshes.start('a', { security, host: '127.0.0.1' })
    a.mesh.dial(new Map([['b', '10.0.0.2:7001']]))
    await meshes.net.pass(LEASE)
    expect(meshes.net.dials).toBe(0)
    expect(a.refused[0]).toMatchObject({ reason: 'unprotected', member: 'b' })
    expect(a.lines).toEqual([
      'b at 10.0.0.2:7001: 10.0.0.2:7001 is beyond loopback, and there is neither TLS nor a secret',
    ])
    await meshes.close()
  })

  const options = (changes: Partial<MeshOptions>) =>
    ({ cluster: 'billing', member: 'a', security: { tls: false }, ...changes }) as MeshOptions
  const refusal = (changes: Partial<MeshOptions>) =>
    Mesh.open(options(changes), {} as never, {} as never).catch((error) => error)

  it('only loopback is listened on, and names and secrets are checked', async () => {
    for (const [changes, told] of [
      [
        { listen: { host: '0.0.0.0', port: 7001 } },
        /^Cannot listen on 0\.0\.0\.0:7001: without TLS/,
      ],
      [{ listen: { host: '::', port: 7001 } }, /^Cannot listen on \[::\]:7001: without TLS/],
      [{ listen: null, security: secret('short') }, /^secret: it has 5 bytes/],
      [{ member: 'a b' }, /^me: "a b" is not a name/],
      [{ cluster: '' }, /^cluster: "" is not a name/],
    ] as const) {
      const error = await refusal(changes)
      expect(error).toBeInstanceOf(UsageError)
      expect(error.message).toMatch(told)
    }
  })
})
