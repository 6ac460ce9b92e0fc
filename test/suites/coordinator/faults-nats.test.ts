import { afterEach, expect, test } from 'vitest'
// @ts-expect-error: the fault matrix is JavaScript
import { fenceReport, overlap, staleActs, validity } from '../../faults/history.js'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'

const LEASE = 500
const PATIENCE = 60_000

let server: NatsServer | null = null
// biome-ignore lint/suspicious/noExplicitAny: the fault matrix is JavaScript
let cluster: any = null

afterEach(async () => {
  await cluster?.stop()
  await server?.stop()
})

/** The server is killed and frozen, and so is the leader: clocks, and not NATS, keep them apart. */
test.runIf(process.env.LONG_TESTS)(
  'processes over NATS: one leader at a time',
  async () => {
    // @ts-expect-error: the fault matrix is JavaScript; it handles the signals of its process
    const { Cluster, OverNats, sleep } = await import('../../faults/cluster.js')
    server = await startNatsServer({ jetStream: false })
    cluster = new Cluster(new OverNats(server.url), {
      ...{ members: 3, lease: LEASE, secret: 'a secret for the faults', options: {} },
    })
    await cluster.start()
    const led = () =>
      cluster.until(() => cluster.leader !== null && cluster.agreed, PATIENCE, 'led')
    const vacant = () => cluster.until(() => cluster.leader === null, PATIENCE, 'vacant')
    const faults: [begin: (leader: number) => unknown, end: (leader: number) => unknown][] = [
      [() => server!.halt('SIGKILL'), () => server!.restart()],
      [() => server!.freeze(), () => server!.thaw()],
      [
        (leader) => cluster.signal(leader, 'SIGSTOP'),
        (leader) => cluster.signal(leader, 'SIGCONT'),
      ],
      [(leader) => cluster.kill(leader), (leader) => cluster.startMember(leader)],
    ]
    for (const [begin, end] of faults) {
      await led()
      await sleep(LEASE)
      const leader = cluster.leader ?? 0
      await begin(leader)
      await vacant()
      await sleep(3 * LEASE)
      await end(leader)
      await led()
    }
    await sleep(2 * LEASE)
    const intervals = cluster.lines.map((lines: object[], i: number) =>
      validity(lines, cluster.died[i]),
    )
    const { violations, lost, written } = fenceReport(cluster.resourceLines)
    expect({
      ...{ overlap: overlap(intervals), violations, lost },
      acts: staleActs(cluster.resourceLines, intervals, cluster.names),
    }).toEqual({ overlap: 0, violations: 0, lost: 0, acts: 0 })
    expect(written).toBeGreaterThan(20)
  },
  300_000,
)
