import { describe, expect, it } from 'vitest'
import { coordinator } from '../../src/coordinator/coordinator.ts'
import { recordsIn } from '../../src/coordinator/storage/records.ts'
import type { Random } from '../../src/core/runtime/random.ts'
import { Cluster } from './cluster.ts'
import { calmSettings, SuccessionMonitor } from './succession.ts'
import type { Machine } from './world/machine.ts'
import { between, happens, oneFrom, type World, worldOf } from './world/world.ts'

const SEEDS = process.env.LONG_TESTS ? 4000 : 24
const LEASE = 1000

/** A calm cluster in which somebody leads, and what watches it. */
interface Scene {
  readonly world: World
  readonly cluster: Cluster
  readonly monitor: SuccessionMonitor
}

async function scene(seed: number, n: number): Promise<Scene> {
  const world = worldOf(seed, false)
  const cluster = new Cluster(world, calmSettings(seed, n, LEASE), coordinator)
  cluster.calmDown()
  for (const machine of cluster.used) cluster.start(machine, true)
  const monitor = new SuccessionMonitor(cluster)
  await monitor.run(4 + world.random.unit())
  expect(cluster.oracle.history.length, `seed ${seed}`).toBeGreaterThan(0)
  return { world, cluster, monitor }
}

/** Crashes a machine, changes its storage meanwhile, and starts it again. */
function restarts(
  { world, cluster, monitor }: Scene,
  machine: Machine,
  how: 'kill' | 'power',
  meanwhile: () => void = () => {},
): void {
  machine.crash(how)
  world.schedule(world.time + between(world.random, 0.01, 0.4) * LEASE, () => {
    if (machine.up) return
    meanwhile()
    monitor.disturbed()
    cluster.start(machine, true)
  })
}

const someone = ({ cluster, world }: Scene) => oneFrom(world.random, cluster.used)
const leaderOr = (scene: Scene) => scene.monitor.leader ?? someone(scene)
const another = (scene: Scene, than: Machine) =>
  oneFrom(
    scene.world.random,
    scene.cluster.used.filter((machine) => machine !== than),
  )

/** What is going on when the second fault comes. */
const FIRST: Readonly<Record<string, (scene: Scene) => Promise<void> | void>> = {
  'a recovery from a new disk': (scene) => {
    const machine = someone(scene)
    restarts(scene, machine, 'power', () => machine.disk.replace())
  },
  'a recovery from a damaged disk': (scene) => {
    const machine = someone(scene)
    restarts(scene, machine, 'power', () => machine.disk.rot())
  },
  'a recovery from an older copy': async (scene) => {
    const machine = someone(scene)
    const { generation } = scene.monitor.nodeOn(machine)!.membership.store.record
    const copy = machine.disk.copy()
    const leader = leaderOr(scene)
    leader.process?.post(0, () => void scene.cluster.roleOn(leader)?.resign())
    await scene.monitor.run(1.5)
    restarts(scene, machine, 'kill', () => {
      machine.disk.restore(copy)
      scene.monitor.wentBack(machine, generation)
    })
  },
  'a restart': (scene) => restarts(scene, someone(scene), 'kill'),
  'a loss of power': (scene) => restarts(scene, leaderOr(scene), 'power'),
  'a loss of power everywhere': (scene) => {
    const { cluster, world } = scene
    // In the middle of an election, in which all of them write.
    for (const machine of cluster.used)
      machine.process?.post(0, () => void cluster.roleOn(machine)?.resign())
    world.schedule(world.time + between(world.random, 0, 0.05) * LEASE, () => {
      for (const machine of cluster.used) restarts(scene, machine, 'power')
    })
  },
  'a transfer': (scene) => {
    const leader = leaderOr(scene)
    const { name } = another(scene, leader)
    leader.process?.post(0, () => {
      scene.cluster
        .roleOn(leader)
        ?.transfer(name)
        .catch(() => {})
    })
  },
  'a join': (scene) => {
    const { cluster } = scene
    const node = cluster.nodeOn(someone(scene))
    const machine = cluster.takeSpare()
    if (machine === null) return
    cluster.start(machine, true)
    node?.change({ add: { [machine.name]: cluster.addressOf(machine) } }).catch(() => {})
  },
  'a removal': (scene) => {
    const node = scene.cluster.nodeOn(someone(scene))
    node?.change({ remove: [someone(scene).name] }).catch(() => {})
  },
}

/** The second fault. What it does to a machine lasts until the machine is mended. */
const SECOND: Readonly<Record<string, (scene: Scene, on: Machine) => void>> = {
  'the process is killed': (_, machine) => machine.crash('kill'),
  'the machine loses power': (_, machine) => machine.crash('power'),
  'the machine is isolated': ({ cluster, monitor }, machine) => {
    monitor.isolated.add(machine)
    for (const other of cluster.machines) {
      cluster.network.cut(machine, other)
      cluster.network.cut(other, machine)
    }
  },
  'the process is restarted': (scene, machine) => restarts(scene, machine, 'kill'),
}

function mend({ cluster, monitor }: Scene, machine: Machine): void {
  cluster.network.healAll()
  monitor.isolated.clear()
  if (!machine.up) cluster.start(machine, true)
}

async function complaintOf(seed: number): Promise<string | null> {
  const random = worldOf(seed, false).random.split('second fault')
  const n = oneFrom(random, [3, 3, 3, 5])
  const [first, begin] = oneFrom(random, Object.entries(FIRST))
  const [second, strike] = oneFrom(random, Object.entries(SECOND))
  const played = await scene(seed, n)
  const { monitor } = played
  await begin(played)
  // Often just after a member says that it votes, or in the middle of whatever goes on.
  await monitor.run(between(random, 0, happens(random, 0.5) ? 1 : 4))
  const victim = happens(random, 0.7) ? leaderOr(played) : someone(played)
  strike(played, victim)
  monitor.disturbed()
  await monitor.run(5)
  mend(played, victim)
  monitor.disturbed()
  await monitor.run(5)
  const [complaint] = monitor.complaints
  return complaint === undefined ? null : `seed ${seed}: ${first}, then ${second}: ${complaint}`
}

describe('a second fault in the middle of something', () => {
  it('costs neither a token nor a leader that a majority could elect', async () => {
    const complaints: string[] = []
    for (let seed = 1; seed <= SEEDS && complaints.length < 5; seed++) {
      const complaint = await complaintOf(seed)
      if (complaint !== null) complaints.push(complaint)
    }
    expect(complaints).toEqual([])
  }, 3_600_000)
})

/** What happens between the moment of a copy and the moment at which it is brought back. */
const LIFE: Readonly<Record<string, (scene: Scene, random: Random) => void>> = {
  resigns: (scene) => {
    const leader = leaderOr(scene)
    leader.process?.post(0, () => void scene.cluster.roleOn(leader)?.resign())
  },
  'is cut off': ({ cluster }, random) => {
    const machine = oneFrom(random, cluster.used)
    for (const other of cluster.machines) {
      cluster.network.cut(machine, other)
      cluster.network.cut(other, machine)
    }
  },
  heals: ({ cluster }) => cluster.network.healAll(),
  restarts: (scene, random) => {
    const machine = oneFrom(random, scene.cluster.used)
    if (machine.up) restarts(scene, machine, 'power')
  },
  joins: (scene) => void FIRST['a join'](scene),
}

/** A copy of a folder, made at whatever moment, takes its place later. All others hear of it. */
async function restored(seed: number): Promise<string | null> {
  const world = worldOf(seed, false)
  const random = world.random.split('older copy')
  const cluster = new Cluster(
    world,
    calmSettings(seed, oneFrom(random, [3, 3, 5]), LEASE),
    coordinator,
  )
  cluster.calmDown()
  for (const machine of cluster.used) cluster.start(machine, true)
  const monitor = new SuccessionMonitor(cluster)
  const played = { world, cluster, monitor }
  const pass = (leases: number) => world.runUntil(world.time + leases * LEASE, () => cluster.look())
  // Also while the cluster is founded.
  await pass(between(random, 0, happens(random, 0.5) ? 1.8 : 5))
  const machine = oneFrom(random, cluster.used)
  const copy = machine.disk.copy()
  for (let i = 0; i < 6; i++) {
    if (world.time > 3 * LEASE) oneFrom(random, Object.values(LIFE))(played, random)
    await pass(between(random, 0.2, 1.5))
  }
  machine.crash('kill')
  await pass(between(random, 0.4, 1.5))
  cluster.network.healAll()
  const others = cluster.used.filter((other) => other !== machine)
  const apart = happens(random, 0.6) ? oneFrom(random, others) : null
  for (const other of others) {
    const delay = between(random, 0, 35)
    cluster.network.slow(other, machine, delay)
    cluster.network.slow(machine, other, delay)
    if (apart !== null && other !== apart)
      for (const [from, to] of [
        [apart, other],
        [other, apart],
      ])
        cluster.network.cut(from, to)
  }
  machine.crash('kill')
  machine.disk.restore(copy)
  cluster.start(machine, true)
  await pass(3)
  cluster.network.healAll()
  await pass(4)
  const violation = cluster.oracle.violation ?? cluster.otherOracles.get('members')!.violation
  const problem = violation?.message ?? cluster.errors[0]
  return problem === undefined ? null : `seed ${seed}: ${problem}`
}

/** A copy from before the first configuration is brought back; who knows more answers late. */
async function foundingCopy(seed: number, delay: number): Promise<string | undefined> {
  const world = worldOf(seed, false)
  const cluster = new Cluster(world, calmSettings(seed, 3, LEASE), coordinator)
  cluster.calmDown()
  for (const machine of cluster.used) cluster.start(machine, true)
  const monitor = new SuccessionMonitor(cluster)
  const pass = (time: number) => world.runUntil(world.time + time, () => cluster.look())
  const [a, b, c] = cluster.used
  while (monitor.nodeOn(a)?.membership?.store.marked == null) await pass(1)
  const copy = a.disk.copy()
  while (cluster.used.some((one) => monitor.nodeOn(one)!.membership.configuration === null))
    await pass(1)
  SECOND['the machine is isolated']({ world, cluster, monitor }, c)
  for (let i = 0; i < 3; i++) {
    await pass(2.5 * LEASE)
    LIFE.resigns({ world, cluster, monitor }, world.random)
  }
  await pass(LEASE)
  a.crash('kill')
  await pass(1.5 * LEASE)
  a.disk.restore(copy)
  for (const [from, to] of [
    [a, c],
    [c, a],
  ])
    cluster.network.heal(from, to)
  cluster.network.slow(a, b, delay)
  cluster.network.slow(b, a, delay)
  cluster.start(a, true)
  await pass(2 * LEASE)
  return cluster.oracle.violation?.message
}

describe('an older copy of a folder', () => {
  it('gives no token twice if the others hear of it, whenever it was made', async () => {
    const complaints: string[] = []
    for (let seed = 1; seed <= 2 * SEEDS && complaints.length < 5; seed++) {
      const complaint = await restored(seed)
      if (complaint !== null) complaints.push(complaint)
    }
    expect(complaints).toEqual([])
  }, 3_600_000)

  it.each([20, 40, 60])('is recognised before its first vote, %i ms late', async (delay) => {
    for (const seed of [1, 2, 3]) expect(await foundingCopy(seed, delay)).toBe(undefined)
  })
})

/** The bytes of the last three records of a journal. */
function lastRecords(journal: Uint8Array): number[] {
  const { bodies, end } = recordsIn(journal)
  const length = bodies.slice(-3).reduce((sum, body) => sum + 8 + body.length, 0)
  return Array.from({ length }, (_, i) => end - length + i)
}

/** The leader dies, its journal or that of a voter is damaged, and the third one is frozen. */
async function damaged(seed: number, index: number, byte: number | null): Promise<number[]> {
  const played = await scene(seed, 3)
  const { cluster, monitor, world } = played
  const machine = cluster.used[index]
  const { leader } = monitor
  leader?.process?.post(0, () => void cluster.roleOn(leader)?.resign())
  await monitor.run(1)
  machine.crash('kill')
  const copy = new Map(machine.disk.copy())
  const journal = copy.get('journal')!.slice()
  const places = lastRecords(journal)
  if (byte === null) return places
  journal[byte] ^= 1 << world.random.below(8)
  machine.disk.restore(copy.set('journal', journal))
  const other = another(played, machine)
  if (happens(world.random, 0.5)) other.pause(2 * LEASE)
  cluster.start(machine, true)
  await monitor.run(6)
  const where = `seed ${seed}, member ${machine.name}, byte ${byte}`
  expect(monitor.complaints, where).toEqual([])
  expect(monitor.leader, where).toBeDefined()
  expect(monitor.nodeOn(machine)!.membership.store.record.generation, where).toBe(1)
  return places
}

describe('a journal that is damaged at any byte of its last three records', () => {
  it('costs no token, and there is a leader again', async () => {
    const share = process.env.LONG_TESTS ? 1 : 24
    for (const index of [0, 1, 2]) {
      const places = await damaged(index + 1, index, null)
      for (const byte of places.filter((_, i) => i % share === 0 || i === places.length - 1))
        await damaged(index + 1, index, byte)
    }
  }, 3_600_000)
})
