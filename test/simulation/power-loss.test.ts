import { expect, test } from 'vitest'
import { coordinator } from '../../src/coordinator/coordinator.ts'
import { Cluster } from './cluster.ts'
import { type RunSettings, settingsOf } from './settings.ts'
import { worldOf } from './world/world.ts'

const SEEDS = process.env.LONG_TESTS ? 300 : 10
const LEASE = 1000

/** Five members on machines with a disk like this, and nothing else that goes wrong. */
function settings(seed: number, diskLatency: number): RunSettings {
  const { random } = worldOf(seed, false)
  return {
    ...settingsOf(random),
    ...{ n: 5, lease: LEASE, faults: [], work: 'usual', fast: 'off', drops: false, moreRoles: 0 },
    ...{ secret: false, diskLatency, rates: Array(8).fill(1), leases: Array(8).fill(LEASE) },
    network: { delay: 0.3, jitter: 5, loss: 0, corruption: 0, ends: false },
  }
}

/** Milliseconds from the loss of the leader's power until somebody leads. */
async function failover(seed: number, diskLatency: number): Promise<number> {
  const world = worldOf(seed, false)
  const cluster = new Cluster(world, settings(seed, diskLatency), coordinator)
  const look = () => cluster.look()
  cluster.calmDown()
  for (const machine of cluster.used) cluster.start(machine, true)
  await world.runUntil(6 * LEASE + world.random.unit() * LEASE, look)
  const leader = cluster.used.find((machine) => cluster.roleOn(machine)?.leads())
  leader!.crash('power')
  const lost = world.time
  cluster.oracle.lastLed = Number.NEGATIVE_INFINITY
  while (cluster.oracle.lastLed < lost && world.time < lost + 10 * LEASE)
    await world.runUntil(world.time + 5, look)
  expect(cluster.oracle.violation).toBe(null)
  return world.time - lost
}

test.each([1, 20])('somebody leads within 1.5 leases, with disks of %i ms', async (diskLatency) => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect(await failover(seed, diskLatency), `seed ${seed}`).toBeLessThanOrEqual(1.5 * LEASE)
})
