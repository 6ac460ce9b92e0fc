#!/usr/bin/env node
/*
 * npm run faults:long -- NAME [seconds or times]: longer campaigns between real processes.
 * counter: kills, partitions and blocked jobs. resume: the leader is frozen and continued.
 * churn: a member is killed or started every three seconds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Cluster, Loopback, now, sleep } from './cluster.js'
import { fenceReport, overlap, staleActs, vacancy, validity } from './history.js'
import { Namespaces } from './namespaces.js'

const LEASE = 1000
const random = (n) => Math.floor(Math.random() * n)

const CAMPAIGNS = {
  async counter(seconds = 300) {
    const world = new Namespaces(5)
    await campaign(world, { members: 5, blocks: 0.05 }, seconds, async (cluster) => {
      const leader = cluster.leader ?? 0
      const victim = Math.random() < 0.7 ? leader : random(5)
      if (Math.random() < 0.5) {
        await cluster.kill(victim)
        await sleep(random(3000))
        await cluster.startMember(victim)
      } else {
        for (let i = 0; i < 5; i++)
          if (i !== victim) {
            if (Math.random() < 0.8) world.cut(i, victim)
            if (Math.random() < 0.8) world.cut(victim, i)
          }
        await sleep(1000 + random(3000))
        world.heal()
      }
      await sleep(random(2000))
    })
  },

  async resume(times = 100) {
    let left = times
    await campaign(
      new Loopback(),
      { members: 3 },
      () => left-- > 0,
      async (cluster) => {
        await cluster.until(() => cluster.leader !== null, 10_000, 'a leader')
        await sleep(100 + random(300))
        const { leader } = cluster
        if (leader === null) return
        cluster.signal(leader, 'SIGSTOP')
        await sleep(1.3 * LEASE + random(500))
        cluster.signal(leader, 'SIGCONT')
        await sleep(100)
      },
    )
  },

  async churn(seconds = 600) {
    const down = new Set()
    await campaign(new Loopback(), { members: 5 }, seconds, async (cluster) => {
      const member = 1 + random(4)
      if (down.delete(member)) await cluster.startMember(member)
      else if (down.size < 2) {
        down.add(member)
        await cluster.kill(member)
      }
      await sleep(3000)
    })
  },
}

async function campaign(world, settings, until, step) {
  const cluster = new Cluster(world, {
    lease: LEASE,
    secret: 'a secret for campaigns',
    ...settings,
  })
  try {
    await cluster.start()
    const from = now()
    const goesOn = typeof until === 'function' ? until : () => now() - from < until * 1000
    const before = usage(cluster.pid(0))
    while (goesOn()) await step(cluster)
    const to = now()
    const after = usage(cluster.pid(0))
    await sleep(2 * LEASE)
    const intervals = cluster.lines.map((lines, i) => validity(lines, cluster.died[i]))
    const report = {
      seconds: Math.round((to - from) / 1000),
      overlap: overlap(intervals),
      acts: staleActs(cluster.resourceLines, intervals, cluster.names),
      ...fenceReport(cluster.resourceLines),
      terms: new Set(intervals.flat().map(({ term }) => term)).size,
      longestVacancy: Math.round(vacancy(intervals, from, to).longest),
      usage: { before, after },
    }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await cluster.stop()
  }
}

/** Memory and open files of the member that is never killed. */
function usage(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const files = readdirSync(`/proc/${pid}/fd`).length
  return { rssKb: Number(/VmRSS:\s+(\d+)/.exec(status)[1]), files }
}

const [name, amount] = process.argv.slice(2)
if (!Object.hasOwn(CAMPAIGNS, name)) {
  process.stderr.write(`Name one of ${Object.keys(CAMPAIGNS).join(', ')}.\n`)
  process.exit(2)
}
await CAMPAIGNS[name](amount === undefined ? undefined : Number(amount))
