import { X509Certificate } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { createAuthority } from '../../test/support/certificates.ts'
import { LEASE, VirtualCoordinators } from '../../test/support/coordinator-fixture.ts'
import { openMetrics } from './operations/metrics.ts'
import type { RunningNode } from './running-node.ts'

let cluster: VirtualCoordinators
afterEach(() => cluster.close())

it('a status says that a member does not hear a majority, as long as that lasts', async () => {
  cluster = await VirtualCoordinators.started('abc')
  const roles = cluster.roles('cron')
  await cluster.until(() => [...roles.values()].some((role) => role.leads()))
  const problems = (name: string) => cluster.nodes.get(name)!.status().problems
  await cluster.until(() => problems('a').length === 0)
  cluster.isolate('a')
  await cluster.until(() => problems('a').length > 0)
  expect(problems('a')).toEqual(['this member hears no majority of the voters: it waits for b, c'])
  expect(problems('b')).toEqual([])
  cluster.isolate('a', false)
  await cluster.until(() => problems('a').length === 0)
})

it('a status says at once that another member does not vote any more', async () => {
  cluster = await VirtualCoordinators.started('abc')
  const roles = cluster.roles('cron')
  await cluster.until(() => roles.get('c')!.leads())
  const votes = () =>
    cluster.nodes
      .get('a')!
      .status()
      .members.map((member) => member.votes)
  expect(votes()).toEqual([true, true, true])
  const follower = cluster.nodes.get('b') as RunningNode
  follower.failed(new Error('the disk is full'))
  await cluster.pass(20)
  expect(votes()).toEqual([true, false, true])
})

it('a status tells what is left of a lease, at the leader and at its voters', async () => {
  cluster = await VirtualCoordinators.started('abc')
  const roles = cluster.roles('cron')
  await cluster.until(() => roles.get('c')!.leads())
  for (const beats of [1, 2, 3, 4]) {
    await cluster.pass(60 * beats)
    const status = (name: string) => cluster.nodes.get(name)!.status()
    const exact = status('c').roles.cron.leaseMs!
    const promised = status('a').roles.cron.leaseMs!
    expect(exact).toBeGreaterThan(0)
    expect(exact).toBeLessThan(promised)
    expect(promised).toBeLessThanOrEqual(LEASE)
    expect(status('b').members.find(({ id }) => id === 'c')!.leaseMs).toBeGreaterThan(exact)
  }
})

it('metrics tell when the certificate expires', async () => {
  const from = new Date('2026-01-01T00:00:00Z')
  const until = new Date('2027-02-03T04:05:06Z')
  const { cert, key } = createAuthority('billing', { from, until })
  expect(new X509Certificate(cert).validTo).toContain('2027')
  cluster = await VirtualCoordinators.starting('a', { tls: () => ({ ca: cert, cert, key }) })
  const text = openMetrics(cluster.nodes.get('a')!.metrics())
  const line = `conclave_certificate_expiry_timestamp_seconds ${until.getTime() / 1000}\n`
  expect(text).toContain(line)
})
