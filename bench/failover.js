/*
 * npm run bench:failover: how long nobody leads after the leader is killed, or resigns. Three
 * members on loopback, 30 times each. If etcd is on the path, its election is measured as well.
 */
import { Cluster, Loopback, now, sleep } from '../test/faults/cluster.js'

const TIMES = Number(process.argv[2] ?? 30)

async function withCluster(lease, options, measure) {
  const cluster = new Cluster(new Loopback(), { members: 3, lease, options })
  try {
    await cluster.start()
    const times = []
    for (let i = 0; i < TIMES; i++) {
      await cluster.until(() => cluster.leader !== null && cluster.agreed, 30_000, 'agreement')
      // At any moment between two renewals.
      await sleep(lease / 2 + Math.random() * lease)
      times.push(await measure(cluster, cluster.leader))
    }
    return times
  } finally {
    await cluster.stop()
  }
}

/** Milliseconds until another member holds a valid lease. */
async function successor(cluster, former, since) {
  const later = (i) => cluster.lines[i].find(({ what, at }) => what === 'valid' && at > since)
  const others = cluster.names.map((_, i) => i).filter((i) => i !== former)
  await cluster.until(() => others.some(later), 30_000, 'another leader')
  return Math.min(...others.flatMap((i) => later(i)?.at ?? [])) - since
}

async function killed(cluster, leader) {
  const since = now()
  await cluster.kill(leader)
  const time = await successor(cluster, leader, since)
  await cluster.startMember(leader)
  return time
}

async function resigned(cluster, leader) {
  const since = now()
  cluster.tell(leader, { resign: true })
  return successor(cluster, leader, since)
}

function row(name, times, limit) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  const cells = [sorted[0], at(0.5), at(0.95), sorted.at(-1)].map((t) => t.toFixed(0).padStart(7))
  process.stdout.write(`${name.padEnd(34)}${cells.join('')}${limit.toFixed(0).padStart(12)}\n`)
}

process.stdout.write(
  `${'ms until the next leader'.padEnd(34)}    min    p50    p95    max   p50 limit\n`,
)
for (const lease of [300, 1000, 2000])
  row(`kill -9, lease ${lease} ms`, await withCluster(lease, { fast: false }, killed), 1.1 * lease)
row('kill -9, lease 1000 ms, fast', await withCluster(1000, {}, killed), 50)
row('resign, lease 1000 ms', await withCluster(1000, { fast: false }, resigned), 50)
