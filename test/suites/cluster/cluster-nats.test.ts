import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Failover } from '../../../src/cli/cluster/failover.ts'
import type { GossipClusterResult } from '../../../src/cli/cluster/gossip-watch.ts'
import { PROGRAM, processJson } from '../../support/built-program.ts'
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts'
import { expectUsageError, shellJson } from '../../support/run-command.ts'

/** Long, since false suspicions on a busy machine would change the message counts. */
const GENEROUS = '--heartbeat 100ms --timeout 800ms --delay-bound 800ms'
const TIMES = '--heartbeat 50ms --timeout 400ms --delay-bound 50ms'
const LONG = process.env.LONG_TESTS !== undefined

let server: NatsServer
const running: ChildProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'conclave-cluster-nats-'))
const secretFile = join(folder, 'secret')

beforeAll(async () => {
  writeFileSync(secretFile, 'a secret of this test\n')
  server = await startNatsServer({
    jetStream: false,
    config: 'authorization { user: ada, password: s3cret }',
  })
})

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const url = () => server.url.replace('//', '//ada:s3cret@')
const cluster = <T>(line: string) =>
  processJson<T>('cluster', ...`${line} --nats ${url()}`.split(' '))

describe('five processes that meet on a server of NATS', () => {
  const elections = ['lcr -n 5', `bully -n 5 ${GENEROUS}`, `ring-list -n 5 ${GENEROUS}`]

  it.runIf(LONG).each(elections)(
    '%s elects the same node as run, with as many messages',
    async (line) => {
      const outcome = await cluster<Failover>(line)
      const [name] = line.split(' ')
      const simulated = await shellJson<Failover>('run', name, '-n', '5')
      expect(outcome).toMatchObject({ agreed: true, n: 5, leader: simulated.leader })
      expect(outcome.messages).toMatchObject({
        total: simulated.messages.total,
        byType: simulated.messages.byType,
      })
    },
  )

  it('bully: the next largest id leads when the leader is killed', async () => {
    const simulated = await shellJson<Failover>('run', 'bully', '-n', '5')
    const outcome = await cluster<Failover>(`bully -n 5 ${TIMES} --kill-leader-after 300ms`)
    expect(outcome).toMatchObject({ agreed: true, killed: simulated.leader, successor: { id: 4 } })
    expect(outcome.nodes.filter(({ status }) => status === 'dead')).toHaveLength(1)
  })

  it.runIf(LONG)('gossip: everybody knows the average, after as many messages', async () => {
    const outcome = await cluster<GossipClusterResult>('gossip-average -n 5 --values index')
    expect(outcome).toMatchObject({ truth: 2, within: 1, verdict: { ok: true } })
    expect(outcome.messages).toMatchObject({ total: 300, byType: { push: 150, answer: 150 } })
  })

  /** The leaders that processes of their own say last. */
  function processes(n: number): (number | null)[] {
    const leaders: (number | null)[] = Array(n).fill(null)
    for (const me of leaders.keys()) {
      const words = `node --algorithm bully --cluster five --me ${me} -n ${n} --json ${GENEROUS}`
      const flags = ['--nats', url(), '--secret-file', secretFile]
      const child = spawn(process.execPath, [PROGRAM, ...words.split(' '), ...flags])
      running.push(child)
      createInterface({ input: child.stdout! }).on('line', (line) => {
        leaders[me] = JSON.parse(line).leader
      })
    }
    return leaders
  }

  it.runIf(LONG)('agree again after a server that was killed, frozen and back', async () => {
    const leaders = processes(5)
    const settled = { timeout: 120_000, interval: 50 }
    const agreed = () => expect.poll(() => new Set(leaders), settled).toEqual(new Set([5]))
    const parted = () => expect.poll(() => new Set(leaders).size, settled).toBeGreaterThan(1)
    await agreed()
    await server.halt('SIGKILL')
    await parted()
    await server.restart()
    await agreed()
    server.freeze()
    await parted()
    server.thaw()
    await agreed()
    const leader = await shellJson<Failover>('run', 'bully', '-n', '5')
    running[leader.leader!.node].kill('SIGKILL')
    leaders[leader.leader!.node] = 4
    await expect.poll(() => new Set(leaders), settled).toEqual(new Set([4]))
  })
})

describe('what is wrong', () => {
  const node = (flags: string) => ['node', '--algorithm', 'bully', ...flags.split(' ')]
  const CASES: [flags: string, where: string, says: string][] = [
    ['--me 0 -n 2 --nats URL', '--cluster', 'need the name of their cluster'],
    ['--me 0 -n 2 --nats URL --cluster a', '--secret-file', 'whoever may use the subjects'],
    ['--me 0 -n 2 --nats URL --cluster a/b --insecure', '--cluster', '"a/b" is none'],
    ['--me 0 --nats URL --cluster a --insecure', '-n', 'expected a whole number'],
    ['--me 0 -n 2 --nats http://x --cluster a --insecure', '--nats', 'begins with http://'],
    ['--me 0 --cluster a --complete 127.0.0.1:7001', '--cluster', 'is for --nats only'],
    ['--me 0 -n 2 --nats URL --ring 127.0.0.1:7001', '--ring', 'have no addresses'],
  ]

  it.each(CASES)('node %s is told in one line', async (flags, where, says) => {
    await expectUsageError(node(flags.replace('URL', url())), where, says)
  })

  it('a wrong password is told in one line, which does not have it', async () => {
    const wrong = server.url.replace('//', '//ada:wr0ng@')
    const said = 'does not accept the credentials'
    await expectUsageError(['cluster', 'lcr', '-n', '3', '--nats', wrong], server.url, said)
    const flags = `--me 0 -n 2 --cluster a --insecure --nats ${wrong}`
    await expectUsageError(node(flags), server.url, said)
  })
})
