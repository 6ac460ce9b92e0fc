import { describe, expect, it } from 'vitest'
import type { CheckReport } from '../../../src/cli/check/explore.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const check = (line: string) => shellJson<CheckReport>('check', ...line.split(' '))

describe('check of an aggregation', () => {
  it('finds a shortest run in which the naive form of Zambonelli loses the sum', async () => {
    for (const line of ['--topology complete:3 --values 0,4,8', '--values 0,4,8 --wake all']) {
      const { violated, properties } = await check(`gossip-average-naive ${line}`)
      expect(violated?.property).toBe('the sum is kept')
      expect(properties).toMatchObject([{ name: 'the sum is kept', holds: false }, { holds: null }])
    }
    // One node pushes twice, is answered twice, and the second answer is of what it no longer has.
    const { violated } = await check('gossip-average-naive --values 0,4,8')
    expect(violated?.trace).toHaveLength(7)
  })

  it.each([
    'gossip-average --values 0,4,8 --set exchanges=1',
    'gossip-average --values 0,4,8 --set exchanges=1 --wake all --order any',
    'gossip-average --values 0,8',
    'gossip-average -t path:3 --values 0,4,8 --set exchanges=1',
    'gossip-sum --values 1,3',
    'gossip-count -n 2 --set instances=2',
    'gossip-average --values 0,4,8 --set exchanges=1 --set epoch=1',
    'gossip-max --values 0,4,8 --set exchanges=1',
    'gossip-average --values 1,2 --mode clocked:2 --set period=2',
  ])('exhausts %s without a violation', async (line) => {
    const { exhausted, violated, properties } = await check(line)
    expect({ exhausted, violated }).toEqual({ exhausted: true, violated: null })
    expect(properties.map(({ holds }) => holds)).toEqual([true, true])
  })

  it('shows that a lost answer or a crash loses mass', async () => {
    for (const fault of ['--losses 1', '--crashes 1']) {
      const { violated } = await check(`gossip-average --values 0,4,8 --set exchanges=1 ${fault}`)
      expect(violated?.property).toBe('the sum is kept')
    }
  })

  it.each([
    ['gossip-average --set exchanges=0', '--set'],
    ['gossip-average --ids random', '--ids'],
    ['gossip-average --crash 0@3', '--crash'],
    ['gossip-average --values 1,2 --set deaf=3', '--set'],
  ])('%s is rejected in one line', async (line, where) => {
    const { code, out, err } = await shell('check', ...line.split(' '))
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(err.startsWith(`${where}: `)).toBe(true)
  })
})
