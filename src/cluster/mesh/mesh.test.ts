import { describe, expect, it } from 'vitest'
import { at, LEASE, VirtualMeshes } from '../../../test/support/mesh-fixture.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']

const ups = (events: readonly string[]) => events.filter((event) => event.startsWith('up'))

describe('a mesh', () => {
  it('connects each pair once and delivers frames in order, in few writes', async () => {
    const meshes = new VirtualMeshes()
    const { net } = meshes
    const all = await Promise.all(NAMES.map((name) => meshes.start(name)))
    for (const { mesh } of all) mesh.dial(at(...NAMES))
    await net.pass(LEASE)
    for (const [i, { mesh, events }] of all.entries()) {
      expect(mesh.connected.toSorted()).toEqual(NAMES.filter((name) => name !== NAMES[i]))
      expect(ups(events)).toHaveLength(4)
    }
    for (let i = 1; i < 50; i++) all[0].mesh.send('e', Uint8Array.of(7, i))
    const before = net.writes
    await net.pass(2)
    expect(net.writes - before).toBe(1)
    const said = all[4].events.filter((event) => event.startsWith('a says'))
    expect(said).toEqual(Array.from({ length: 49 }, (_, i) => `a says 7,${i + 1}`))
    expect(all.flatMap(({ refused }) => refused)).toEqual([])
    await meshes.close()
  })

  it('keeps one connection when both dial at the same time, whatever comes first', async () => {
    for (let offset = 0; offset < 300; offset += 3) {
      const meshes = new VirtualMeshes()
      const b = await meshes.start('b')
      b.mesh.dial(at('a'))
      await meshes.net.pass(offset)
      const a = await meshes.start('a')
      a.mesh.dial(at('b'))
      await meshes.net.pass(LEASE)
      expect(a.mesh.connected).toEqual(['b'])
      expect(b.mesh.connected).toEqual(['a'])
      expect([ups(a.events), ups(b.events)]).toEqual([['up b'], ['up a']])
      expect(a.lines).toEqual([])
      a.mesh.send('b', Uint8Array.of(1))
      b.mesh.send('a', Uint8Array.of(2))
      await meshes.net.pass(3)
      expect([a.events.at(-1), b.events.at(-1)]).toEqual(['b says 2', 'a says 1'])
      await meshes.close()
    }
  })

  it('tells a dropped connection on both sides with its reason, and dials again soon', async () => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair()
    a.mesh.drop('b', 'it was silent')
    expect(a.events.at(-1)).toBe('down b: it was silent')
    expect(a.mesh.peer('b')).toBeNull()
    await meshes.net.pass(LEASE / 4)
    expect(b.events).toEqual(['up a', 'down a: it closed the connection: it was silent', 'up a'])
    expect(a.mesh.connected).toEqual(['b'])
    await meshes.close()
  })

  it('replaces the connection of a process that dials again', async () => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair()
    meshes.net.block('a', 'b')
    a.mesh.drop('b', 'silent')
    await meshes.net.pass(10)
    expect(b.mesh.connected).toEqual(['a'])
    meshes.net.block('a', 'b', false)
    await meshes.net.pass(LEASE)
    expect(b.events).toEqual(['up a', 'down a: replaced by a new connection', 'up a'])
    expect(a.mesh.connected).toEqual(['b'])
    await meshes.close()
  })

  it('takes a restarted process in place of one that lost its power', async () => {
    for (const host of ['b', 'elsewhere']) {
      const meshes = new VirtualMeshes()
      const [a] = await meshes.pair()
      meshes.net.powerOff('b')
      const again = await meshes.start('b', { incarnation: 'b-2', host })
      again.mesh.dial(at('a'))
      const from = meshes.net.clock.now()
      for (let i = 0; i < 5 * LEASE && again.events.length === 0; i++) await meshes.net.pass(1)
      const taken = meshes.net.clock.now() - from
      // It waits an eighth for a to dial, and half a lease until the older one has not answered.
      expect(taken).toBeGreaterThan(LEASE / 2)
      expect(taken).toBeLessThan(LEASE / 2 + LEASE / 8 + 10)
      expect(a.events.slice(1)).toEqual([
        'down b: it does not answer, and a newer process has its name',
        'up b',
      ])
      expect(a.mesh.peer('b')?.incarnation).toBe('b-2')
      await meshes.close()
    }
  })

  it('refuses a second process under one name while the first answers', async () => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair()
    const second = await meshes.start('b', { incarnation: 'b-2', host: 'elsewhere' })
    second.mesh.dial(at('a'))
    await meshes.net.pass(LEASE / 4)
    const told = /a second process uses the name "b", from elsewhere: the one at .* stays$/
    expect(second.refused).toMatchObject([{ reason: 'duplicate', member: 'a', dialled: true }])
    expect(second.lines).toEqual([expect.stringMatching(told)])
    expect(b.refused).toMatchObject([{ reason: 'duplicate', member: 'b', dialled: false }])
    expect(b.lines).toEqual([expect.stringMatching(told)])
    expect(a.refused).toMatchObject([{ reason: 'duplicate', member: 'b', dialled: false }])
    await meshes.net.pass(3 * LEASE)
    expect([a.events, b.events, second.events]).toEqual([['up b'], ['up a'], []])
    expect(a.lines.length).toBeLessThan(3)
    await meshes.close()
  })

  it('without proofs, asks the first process whatever the second one says', async () => {
    const meshes = new VirtualMeshes()
    const security = { tls: false, insecure: true }
    const [a, b] = await meshes.pair({ security }, { security })
    const forged = await meshes.start('b', { incarnation: 'b-1', host: 'elsewhere', security })
    forged.mesh.dial(at('a'))
    await meshes.net.pass(3 * LEASE)
    expect([a.events, b.events, forged.events]).toEqual([['up b'], ['up a'], []])
    expect(forged.refused[0]).toMatchObject({ reason: 'duplicate' })
    // A process that dials again after a fault is taken when its old connection does not answer.
    meshes.net.block('b', 'a')
    b.mesh.drop('a', 'silent')
    await meshes.net.pass(10)
    await forged.mesh.close()
    meshes.net.block('b', 'a', false)
    await meshes.net.pass(LEASE)
    expect([a.events.at(-1), b.events.at(-1)]).toEqual(['up b', 'up a'])
    await meshes.close()
  })

  it('takes the connection of the other side where the own dial comes to nothing', async () => {
    const meshes = new VirtualMeshes()
    const { net } = meshes
    const a = await meshes.start('a')
    const b = await meshes.start('b')
    // Whoever listens at the address that a has for b accepts, and says nothing.
    await net.at('mute').listen({ host: 'mute', port: 7001 }, () => {})
    a.mesh.dial(new Map([['b', 'mute:7001']]))
    await net.pass(LEASE / 4)
    b.mesh.dial(at('a'))
    await net.pass(LEASE / 2)
    expect([a.events, b.events]).toEqual([[], []])
    // The own handshake ends after a lease, and the other one has waited for that.
    await net.pass(LEASE / 4 + 10)
    expect([a.events, b.events]).toEqual([['up b'], ['up a']])
    await meshes.close()
  })

  it('drops a peer whose connection cannot be handled', async () => {
    const meshes = new VirtualMeshes()
    const { net } = meshes
    const a = await meshes.start('a', {
      upped: (name) => {
        if (name === 'b') throw new Error('a defect')
      },
    })
    for (const name of ['b', 'c']) (await meshes.start(name)).mesh.dial(at('a'))
    await net.pass(LEASE)
    expect(a.mesh.connected).toEqual(['c'])
    expect(a.lines[0]).toMatch(/^b at b:\d+: Error: a defect$/)
    await meshes.close()
  })

  it('takes the second process as soon as the first has closed', async () => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair()
    meshes.net.block('a', 'b')
    const second = await meshes.start('b', { incarnation: 'b-2', host: 'elsewhere' })
    second.mesh.dial(at('a'))
    await meshes.net.pass(LEASE / 4)
    expect(second.events).toEqual([])
    await b.mesh.close()
    await meshes.net.pass(10)
    expect(second.events).toEqual(['up a'])
    expect(a.events.at(-1)).toBe('up b')
    await meshes.close()
  })

  it('looks names up at each dial, and pauses a quarter lease at most', async () => {
    const meshes = new VirtualMeshes()
    const { net } = meshes
    const a = await meshes.start('a')
    net.names.set('b.example:7001', [{ host: 'old', port: 7001 }])
    a.mesh.dial(new Map([['b', 'b.example:7001']]))
    await net.pass(10 * LEASE)
    expect(net.lookups.length).toBeGreaterThan(40)
    expect(net.lookups.length).toBeLessThan(65)
    expect(a.lines).toEqual(['b at b.example:7001: connection refused'])
    await meshes.start('b', { host: 'new' })
    net.names.set('b.example:7001', [{ host: 'new', port: 7001 }])
    await net.pass(LEASE / 4 + 10)
    expect(a.events).toEqual(['up b'])
    a.mesh.dial(new Map())
    a.mesh.drop('b', 'not wanted any more')
    await net.pass(LEASE)
    expect(a.mesh.connected).toEqual([])
    await meshes.close()
  })

  it('finds a member among the hosts of a service', async () => {
    const meshes = new VirtualMeshes()
    const { net } = meshes
    const hosts = ['b.pods', 'x', 'c'].map((host) => ({ host, port: 7001 }))
    net.names.set('_conclave._tcp.pods', hosts)
    const a = await meshes.start('a')
    for (const [member, host] of [
      ['b', 'b.pods'],
      ['c', 'x'],
      ['d', 'c'],
    ] as const)
      await meshes.start(member, { host })
    a.mesh.dial(new Map([['b', '_conclave._tcp.pods']]))
    await net.pass(10)
    expect(a.events).toEqual(['up b'])
    expect(a.refused).toEqual([])
    a.mesh.dial(new Map([['e', '_conclave._tcp.pods']]))
    await net.pass(LEASE)
    const found = new Set(a.refused.map(({ reason, detail }) => `${reason}: ${detail}`))
    expect(found).toEqual(
      new Set(['b', 'c', 'd'].map((n) => `name: "${n}" answers where "e" was expected`)),
    )
    await meshes.close()
  })

  it('bounds what waits for a peer that does not read', async () => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair()
    meshes.net.block('a', 'b')
    const frame = new Uint8Array(1 << 16).fill(1)
    for (let i = 0; i < 15; i++) a.mesh.send('b', frame)
    await meshes.net.pass(1)
    expect(a.mesh.connected).toEqual(['b'])
    expect(a.mesh.traffic('b')!.buffered).toBeGreaterThan(15 << 16)
    for (let i = 0; i < 1000; i++) a.mesh.send('b', frame)
    await meshes.net.pass(1)
    expect(a.events).toEqual(['up b', 'down b: it does not read what is sent to it'])
    meshes.net.block('a', 'b', false)
    await meshes.net.pass(LEASE)
    expect(a.mesh.connected).toEqual(['b'])
    expect(b.mesh.connected).toEqual(['a'])
    await meshes.close()
  })

  it('drops the connection on which something cannot be handled, and nothing else', async () => {
    for (const error of [new MalformedBytes('no such role'), new RangeError('too deep')]) {
      const meshes = new VirtualMeshes()
      const names = ['a', 'b', 'c']
      const all = await Promise.all(
        names.map((name) =>
          meshes.start(name, {
            received: (_from, [first]) => {
              if (first === 66) throw error
            },
          }),
        ),
      )
      for (const { mesh } of all) mesh.dial(at(...names))
      await meshes.net.pass(LEASE)
      all[1].mesh.send('a', Uint8Array.of(66))
      await meshes.net.pass(LEASE)
      expect(all[0].events.filter((event) => event.startsWith('down'))).toEqual([
        expect.stringMatching(`^down b: .*${error.message}$`),
      ])
      expect(all[2].events).toHaveLength(2)
      expect(all[0].mesh.connected.toSorted()).toEqual(['b', 'c'])
      await meshes.close()
    }
  })

  it('says nothing and connects to nobody after it was closed', async () => {
    const meshes = new VirtualMeshes()
    const [a, b] = await meshes.pair()
    await a.mesh.close()
    a.mesh.dial(at('b'))
    a.mesh.send('b', Uint8Array.of(1))
    await meshes.net.pass(2 * LEASE)
    expect(b.events).toEqual(['up a', 'down a: it closed the connection: it is closing'])
    expect(b.lines).toEqual(['a at a:7001: connection refused'])
    expect(a.events).toEqual(['up b'])
    await meshes.close()
  })
})
