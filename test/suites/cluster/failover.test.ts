import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { Failover } from '../../../src/cli/cluster/failover.ts'
import { duration, elapsedText } from '../../../src/cli/input/duration.ts'
import { isRunning, PROGRAM, processJson } from '../../support/built-program.ts'
import { expectUsageError, shellJson } from '../../support/run-command.ts'

const TIMES = '--heartbeat 30ms --timeout 300ms --delay-bound 50ms'
/** Long, since false suspicions on a busy machine would change the message counts. */
const GENEROUS = '--heartbeat 100ms --timeout 800ms --delay-bound 800ms'
/** A tenth of a second for a process that is not scheduled at once. */
const SLACK = 100

function cluster(line: string, times = TIMES): Promise<Failover> {
  return processJson('cluster', ...`${line} ${times}`.split(' '))
}

function expectNoneRunning({ nodes }: Failover): void {
  expect(nodes.map(({ pid }) => pid).filter(isRunning)).toEqual([])
}

const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

describe('a cluster whose algorithm reacts to crashes', () => {
  it('elects the same node as run, with as many messages', async () => {
    const outcome = await cluster('bully -n 3', GENEROUS)
    const simulated = await shellJson<Failover>('run', 'bully', '-n', '3')
    expect(outcome.leader).toEqual(simulated.leader)
    expect(outcome.messages).toMatchObject({
      total: simulated.messages.total,
      byType: simulated.messages.byType,
      toDead: 0,
    })
    expect(outcome).not.toHaveProperty('killed')
    expectNoneRunning(outcome)
  })

  it('elects the next largest id when the leader is killed', async () => {
    const outcome = await cluster('bully --ids 20,40,10,30 --kill-leader-after 300ms')
    expect(outcome).toMatchObject({
      agreed: true,
      killed: { node: 1, id: 40 },
      successor: { node: 3, id: 30 },
      leader: { node: 3, id: 30 },
    })
    expect(outcome.nodes.map(({ status, leader }) => [status, leader])).toEqual([
      ['lost', 30],
      ['dead', null],
      ['lost', 30],
      ['leader', 30],
    ])
    expect(outcome.failoverMs).toBeGreaterThanOrEqual(0)
    expect(outcome.killed?.pid).toBe(outcome.nodes[1].pid)
    expectNoneRunning(outcome)
  })

  it('suspects a stopped leader after the timeout, and trusts it when it resumes', async () => {
    const outcome = await cluster('bully --ids 20,40,10,30 --stop-leader-after 300ms')
    expect(outcome).toMatchObject({
      agreed: true,
      stopped: { node: 1, id: 40 },
      successor: { node: 3, id: 30 },
      leader: { node: 1, id: 40 },
    })
    // The last heartbeat arrived up to one interval before the leader was stopped.
    expect(outcome.failoverMs).toBeGreaterThan(300 - 30 - SLACK)
    expect(outcome.returnMs).toBeGreaterThanOrEqual(0)
    expect(outcome.nodes.map(({ leader }) => leader)).toEqual([40, 40, 40, 40])
    expectNoneRunning(outcome)
  })

  it('ends all processes when it is interrupted, also a stopped one', async () => {
    const words = ['cluster', 'bully', '-n', '3', '--stop-leader-after', '200ms']
    const times = ['--heartbeat', '200ms', '--timeout', '20s']
    const parent = spawn(process.execPath, [PROGRAM, ...words, ...times])
    running.push(parent)
    let said = ''
    parent.stdout.on('data', (text) => {
      said += text
    })
    await expect.poll(() => said, { timeout: 10_000 }).toMatch(/SIGSTOP to process \d+/)
    const stopped = Number(/SIGSTOP to process (\d+)/.exec(said)?.[1])
    expect(isRunning(stopped)).toBe(true)
    parent.kill('SIGINT')
    expect(await once(parent, 'close')).toEqual([130, null])
    expect(isRunning(stopped)).toBe(false)
  })
})

const TWO = '--complete 127.0.0.1:7001,127.0.0.1:7002 --me 0'

describe('invalid arguments', () => {
  it.each([
    ['cluster bully --kill-leader-after 2', '--kill-leader-after', 'with its unit'],
    ['cluster bully --kill-leader-after 2h', '--kill-leader-after', '"2h" is not a duration'],
    ['cluster bully --kill-leader-after 0s', '--kill-leader-after', 'from 1ms to 1440m'],
    ['cluster bully --stop-leader-after -1s', '--stop-leader-after', '"-1s" is not a duration'],
    ['cluster bully --heartbeat fast', '--heartbeat', '"fast" is not a duration'],
    ['cluster bully --timeout 199ms', '--timeout', '199 ms are less than two heartbeats'],
    ['cluster bully --delay-bound 5', '--delay-bound', '"5" is not a duration'],
    [
      'cluster bully -n 1 --kill-leader-after 1s',
      '--kill-leader-after',
      'no process would be left',
    ],
    ['cluster bully -n 51', '-n', 'from 1 to 50'],
    [
      'cluster bully --kill-leader-after 1s --stop-leader-after 1s',
      '--kill-leader-after',
      'killed or stopped, but not both',
    ],
    ['cluster lcr --kill-leader-after 1s', '--kill-leader-after', 'lcr does not'],
    ['cluster lcr --stop-leader-after 1s', '--stop-leader-after', 'lcr does not'],
    ['cluster lcr --heartbeat 1s', '--heartbeat', 'lcr does not react to crashes'],
    [`node --algorithm lcr ${TWO}`, '--complete', 'Use --ring.'],
    [`node --algorithm bully ${TWO.replace('complete', 'ring')}`, '--ring', 'Use --complete.'],
    [`node --algorithm bully ${TWO} --ring a:1,b:1`, 'conclave node', 'cannot be combined'],
    ['node --algorithm bully --me 0', 'conclave node', '--ring or --complete is required'],
    [`node --algorithm bully ${TWO} --for 5`, '--for', '"5" is not a duration'],
    ['node --algorithm bully --complete x --me 0', '--complete', '"x" is not a host with a port'],
  ])('%s', (line, where, says) => expectUsageError(line.split(' '), where, says))

  it('durations are read and written in units', () => {
    const read = ['500ms', '2s', '1.5s', '1m'].map((text) => duration('here', text))
    expect(read).toEqual([500, 2000, 1500, 60_000])
    expect([23.4, 99.9, 612, 60_000].map(elapsedText)).toEqual([
      '23 ms',
      '100 ms',
      '0.61 s',
      '60.00 s',
    ])
  })
})
