/*
 * The faults of the matrix. `prepare` acts before the cluster starts, `begin` and `end` around the
 * fault; `leader` and `second` are positions. `needs`: what the network must be able to do.
 * `vacancy`: for how many leases at most nobody may lead. `lasting`: `begin` is the whole fault.
 * `planted`: the row breaks the promise on purpose, and runs only when it is asked for.
 */
import { existsSync } from 'node:fs'
import { sleep } from './cluster.js'
import { Disks, missingForDisks } from './disks.js'

const others = (cluster, i) => cluster.names.map((_, j) => j).filter((j) => j !== i)

function isolate(cluster, i) {
  for (const j of others(cluster, i)) {
    cluster.world.cut(i, j)
    cluster.world.cut(j, i)
  }
}

/** Its clock has had the other rate for a while when nothing reaches it any more. */
async function isolateWithClock({ cluster, leader }, rate) {
  cluster.tell(leader, { rate })
  await sleep(2 * cluster.lease)
  isolate(cluster, leader)
}

const failed = (cluster, i) => cluster.lines[i].some(({ what }) => what === 'failed')

function mount(cluster, freezable) {
  const folders = cluster.names.map((_, i) => cluster.storageOf(i))
  cluster.disks = new Disks(folders, freezable)
}

export const FAULTS = [
  {
    name: 'leader isolated',
    vacancy: 1.5,
    begin: ({ cluster, leader }) => isolate(cluster, leader),
  },
  {
    name: 'leader heard by none',
    vacancy: 1.5,
    begin({ cluster, leader }) {
      for (const j of others(cluster, leader)) cluster.world.cut(leader, j)
    },
  },
  {
    name: 'leader hears none',
    vacancy: 2,
    begin({ cluster, leader }) {
      for (const j of others(cluster, leader)) cluster.world.cut(j, leader)
    },
  },
  {
    name: 'one link of the leader cut',
    vacancy: 0,
    begin({ cluster, leader, second }) {
      cluster.world.cut(leader, second)
      cluster.world.cut(second, leader)
    },
  },
  {
    name: 'one way of that link',
    vacancy: 0,
    begin: ({ cluster, leader, second }) => cluster.world.cut(leader, second),
  },
  {
    name: 'the other way of it',
    vacancy: 0,
    begin: ({ cluster, leader, second }) => cluster.world.cut(second, leader),
  },
  {
    name: 'leader in a minority of two',
    vacancy: 1.5,
    begin({ cluster, leader, second }) {
      for (const i of [leader, second])
        for (const j of others(cluster, i))
          if (j !== leader && j !== second) {
            cluster.world.cut(i, j)
            cluster.world.cut(j, i)
          }
    },
  },
  {
    name: 'a follower isolated',
    vacancy: 0,
    begin: ({ cluster, second }) => isolate(cluster, second),
  },
  { name: '30 % of packets lost', needs: 'lose', begin: ({ cluster }) => cluster.world.lose(30) },
  {
    name: 'corrupt bytes on every link',
    needs: 'spoil',
    begin: ({ cluster }) => cluster.world.spoil({ corrupt: 0.05 }),
  },
  {
    name: 'duplicate bytes on every link',
    needs: 'spoil',
    begin: ({ cluster }) => cluster.world.spoil({ double: 0.05 }),
  },
  {
    name: 'flapping link of the leader',
    lasting: true,
    async begin({ cluster, leader, duration }) {
      for (let t = 0; t < duration; t += 400) {
        isolate(cluster, leader)
        await sleep(200)
        cluster.world.heal()
        await sleep(200)
      }
    },
  },
  {
    name: 'leader stopped (SIGSTOP)',
    vacancy: 1.5,
    begin: ({ cluster, leader }) => cluster.signal(leader, 'SIGSTOP'),
    end: ({ cluster, leader }) => cluster.signal(leader, 'SIGCONT'),
  },
  {
    name: 'event loop blocked',
    begin: ({ cluster, leader, duration }) => cluster.tell(leader, { block: duration }),
  },
  {
    name: 'leader killed (kill -9)',
    vacancy: 1.5,
    begin: ({ cluster, leader }) => cluster.kill(leader),
    end: ({ cluster, leader }) => cluster.startMember(leader),
    returns: true,
  },
  {
    name: 'power loss',
    vacancy: 1.5,
    async begin({ cluster, leader }) {
      // Nothing that its kernel says any more reaches the others.
      isolate(cluster, leader)
      await cluster.kill(leader)
    },
    end({ cluster, leader }) {
      cluster.world.heal()
      return cluster.startMember(leader)
    },
    returns: true,
  },
  {
    name: 'power loss, new address',
    needs: 'lose',
    vacancy: 1.5,
    async begin({ cluster, leader }) {
      isolate(cluster, leader)
      await cluster.kill(leader)
    },
    end({ cluster, leader }) {
      cluster.world.heal()
      cluster.move(leader)
      return cluster.startMember(leader)
    },
    returns: true,
  },
  {
    name: 'disk lost',
    vacancy: 1.5,
    begin: ({ cluster, leader }) => cluster.kill(leader),
    end({ cluster, leader }) {
      const storage = `${cluster.storageOf(leader)}-${Date.now()}`
      return cluster.startMember(leader, { storage })
    },
    // A voter without memory is back as a follower at once, and votes after the longest lease.
    returns: true,
  },
  {
    name: 'wall clock + 1 h',
    missing: () => (faketime() === null ? 'libfaketime is missing' : null),
    vacancy: 1.5,
    begin: ({ cluster, leader }) => cluster.kill(leader),
    end({ cluster, leader }) {
      const env = { LD_PRELOAD: faketime(), FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      return cluster.startMember(leader, { env })
    },
    returns: true,
  },
  {
    name: 'frozen disk of the leader',
    missing: () => missingForDisks('mkfs.ext4', 'fsfreeze'),
    prepare: ({ cluster }) => mount(cluster, true),
    begin: ({ cluster, leader }) => cluster.disks.freeze(cluster.storageOf(leader)),
    end: ({ cluster }) => cluster.disks.thaw(),
  },
  {
    name: 'frozen disk, then isolated',
    missing: () => missingForDisks('mkfs.ext4', 'fsfreeze'),
    prepare: ({ cluster }) => mount(cluster, true),
    async begin({ cluster, leader, second }) {
      // The one that would lead next cannot write either: the others have to do it.
      cluster.disks.freeze(cluster.storageOf(second))
      await sleep(cluster.lease)
      isolate(cluster, leader)
    },
    end({ cluster }) {
      cluster.disks.thaw()
      cluster.world.heal()
    },
  },
  {
    name: 'full disk of the leader',
    missing: () => missingForDisks(),
    prepare: ({ cluster }) => mount(cluster, false),
    async begin({ cluster, leader }) {
      cluster.disks.fill(cluster.storageOf(leader))
      // The last block of its journal has room for some terms: it is full only after those.
      for (let i = 0; i < 150 && !failed(cluster, leader); i++) {
        if (cluster.leader !== null) cluster.tell(cluster.leader, { resign: true })
        await sleep(60)
      }
      if (!failed(cluster, leader)) throw new Error('its disk was never full')
    },
    // It votes no more until it is started again.
    async end({ cluster, leader }) {
      await cluster.kill(leader)
      cluster.disks.empty(cluster.storageOf(leader))
      return cluster.startMember(leader)
    },
    returns: true,
  },
  ...[0.96, 1.04].map((rate) => ({
    name: `clock x${rate} of the leader`,
    vacancy: 1.5,
    begin: (context) => isolateWithClock(context, rate),
    end({ cluster, leader }) {
      cluster.tell(leader, { rate: 1 })
      cluster.world.heal()
    },
  })),
  {
    // Its lease lasts for ten times its length: far longer than a busy machine delays an election.
    name: 'planted: clock x0.1 of the leader',
    planted: true,
    begin({ cluster, leader }) {
      cluster.tell(leader, { rate: 0.1 })
      isolate(cluster, leader)
    },
  },
  {
    name: 'second process of the same name',
    needs: 'lose',
    vacancy: 0,
    // It must be refused; whether it ends or waits is its own affair.
    begin: ({ cluster, leader, second }) => cluster.startTwin(leader, second),
    end: ({ cluster }) => cluster.stopTwin(),
  },
  {
    name: 'garbage and connection flood',
    vacancy: 0,
    begin: ({ cluster, leader, duration }) => cluster.flood(leader, duration),
  },
]

function faketime() {
  const places = ['x86_64', 'aarch64'].map(
    (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
  )
  return places.find((path) => existsSync(path)) ?? null
}
