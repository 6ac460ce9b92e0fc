import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { GossipReport } from '../../../src/cli/cluster/gossip-node.ts'
import { isRunning, PROGRAM } from '../../support/built-program.ts'
import { expectUsageError } from '../../support/run-command.ts'

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

const folder = mkdtempSync(join(tmpdir(), 'conclave-gossip-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('gossip between processes', () => {
  it('are all ended when the cluster is interrupted', async () => {
    const pids = mkdtempSync(join(folder, 'pids-'))
    const note = join(folder, 'note.cjs')
    // Every process of the cluster records its pid when it starts.
    writeFileSync(note, `require('fs').writeFileSync('${pids}/' + process.pid, '')`)
    const words = ['cluster', 'gossip-average', '-n', '3', '--kill', '1@300ms', '--until', '9000']
    const env = { ...process.env, NODE_OPTIONS: `--require ${note}` }
    const parent = spawn(process.execPath, [PROGRAM, ...words], { env })
    running.push(parent)
    let said = ''
    parent.stdout.on('data', (text) => {
      said += text
    })
    await expect.poll(() => said, { timeout: 10_000 }).toMatch(/SIGKILL to process \d+/)
    const started = readdirSync(pids).map(Number)
    expect(started).toHaveLength(1 + 3)
    expect(started.filter(isRunning).length).toBeGreaterThanOrEqual(1 + 2)
    parent.kill('SIGINT')
    expect(await once(parent, 'close')).toEqual([130, null])
    expect(started.filter(isRunning)).toEqual([])
  })

  it('a node reads its value from a file and prints its estimate', async () => {
    const file = join(folder, 'value')
    writeFileSync(file, '2.5 and more\n')
    const port = 20_000 + (process.pid % 5_000)
    const addresses = `127.0.0.1:${port},127.0.0.1:${port + 5_000}`
    const start = (me: number, own: readonly string[]) => {
      const words = ['--algorithm', 'gossip-average', '--complete', addresses, '--me', `${me}`]
      const set = ['--set', 'epoch=10', '--delay-bound', '3ms']
      const child = spawn(process.execPath, [PROGRAM, 'node', ...words, ...set, ...own])
      running.push(child)
      let said = ''
      child.stdout.on('data', (text) => {
        said += text
      })
      return { child, said: () => said }
    }
    const first = start(0, ['--value', '-0.5'])
    const second = start(1, ['--value-file', file, '--json'])
    const last = () => JSON.parse(second.said().split('\n').at(-2) ?? '{}') as GossipReport
    await expect.poll(first.said, { timeout: 10_000 }).toContain('position 0: estimate 1\n')
    writeFileSync(file, '12.5')
    await expect.poll(first.said, { timeout: 10_000 }).toContain('position 0: estimate 6\n')
    await expect.poll(last).toMatchObject({ node: 1, value: 12.5, estimate: 6 })
    for (const { child } of [first, second]) {
      const closed = once(child, 'close')
      child.kill('SIGINT')
      expect(await closed).toEqual([130, null])
    }
    expect(first.said()).toMatch(/position 0: value -0.5, estimate \S+, sent \d+ messages \(/)
  })
})

const TWO = '--complete 127.0.0.1:7001,127.0.0.1:7002 --me 0'
const NODE = `node --algorithm gossip-average ${TWO}`

describe('invalid arguments', () => {
  it.each([
    ['cluster gossip-average --kill 3', '--kill', 'for example 3@2s,5@2s'],
    ['cluster gossip-average --kill 3@2', '--kill', 'with its unit'],
    ['cluster gossip-average --kill 8@1s', '--kill', 'from 0 to 7'],
    ['cluster gossip-average --kill -1@1s', '--kill', 'from 0 to 7'],
    ['cluster gossip-average --kill 1@3s', '--kill', '3.00 s after the start'],
    ['cluster gossip-average --kill 1@1s,1@2s', '--kill', 'killed only once'],
    ['cluster gossip-average -n 2 --kill 0@1s,1@1s', '--kill', 'all 2 processes would be killed'],
    [
      'cluster gossip-average --kill-leader-after 1s',
      '--kill-leader-after',
      'gossip-average is an aggregation',
    ],
    [
      'cluster gossip-average --stop-leader-after 1s',
      '--stop-leader-after',
      'gossip-average is an aggregation',
    ],
    ['cluster gossip-average -n 51', '-n', 'from 1 to 50'],
    ['cluster gossip-average --until x', '--until', 'got "x"'],
    ['cluster gossip-average --ids 1,2', '--ids', 'no field "ids"'],
    ['cluster gossip-average --elect-by value', '--elect-by', 'no field'],
    ['cluster gossip-average --values 1,a', '--values', 'got "a"'],
    ['cluster gossip-average --wake 0@2', '--wake', 'Leave the times out.'],
    ['cluster gossip-average --set peers=newscast:3', '--set', 'conclave run gossip-average'],
    ['cluster gossip-average --set deaf=0.2', '--set', 'deaf is 0.2'],
    ['cluster gossip-average --set period=0', '--set', 'a time from 0.000001 on'],
    ['cluster gossip-average --timeout 1ms', '--timeout', 'two heartbeats'],
    ['cluster lcr --kill 1@1s', '--kill', 'lcr is an election'],
    ['cluster bully --until 9', '--until', 'bully is an election'],
    [`${NODE} --value x`, '--value', 'must be a number, not "x"'],
    [`${NODE} --value-file ${folder}/none --set epoch=9`, '--value-file', 'does not exist'],
    [`${NODE} --value-file ${folder}/none`, '--value-file', 'Add --set epoch=30'],
    [`${NODE} --value 1 --values index`, '--value', 'one value'],
    [`${NODE} --value 1 --value-file x`, '--value-file', 'one value'],
    [`node --algorithm gossip-product ${TWO} --value 0`, '--value', 'values above 0'],
    [`node --algorithm bully ${TWO} --value 1`, '--value', 'works only with aggregations'],
  ])('%s', (line, where, says) => expectUsageError(line.split(' '), where, says))
})
