import { describe, expect, it } from 'vitest'
import { Random } from '../../core/runtime/random.ts'
import { wakeSchedule } from './wake.ts'

const wake = (text: string, n = 8, synchronous = false, seed = 1) => {
  const { nodes, times } = wakeSchedule('--wake', text, n, { synchronous }, Random.from(seed))
  return Array.from(nodes, (node, i) => [node, times[i]])
}

describe('the nodes that start spontaneously', () => {
  it('are all nodes, at time 0', () => {
    expect(wake('all', 3)).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ])
  })

  it('are listed, ordered by time and then by position', () => {
    expect(wake('4,0')).toEqual([
      [0, 0],
      [4, 0],
    ])
    expect(wake(' 7@2.5, 3 ,1@2.5,0@9')).toEqual([
      [3, 0],
      [1, 2.5],
      [7, 2.5],
      [0, 9],
    ])
  })

  it('start in round r at time r - 1', () => {
    expect(wake('0@1,4@1,7@1,2@2', 8, true)).toEqual([
      [0, 0],
      [4, 0],
      [7, 0],
      [2, 1],
    ])
  })

  it('are drawn with a rate, and position 0 starts if no other node does', () => {
    expect(wake('rate:1', 3)).toEqual(wake('all', 3))
    expect(wake('rate:0', 3)).toEqual([[0, 0]])
    const drawn = wake('rate:0.3', 10_000).length
    expect(drawn).toBeGreaterThan(2700)
    expect(drawn).toBeLessThan(3300)
    expect(wake('rate:0.5', 20, false, 1)).not.toEqual(wake('rate:0.5', 20, false, 2))
  })
})

describe('an invalid start', () => {
  it.each([
    '',
    'none',
    '8',
    '-1',
    '1,1',
    '1@2,1@3',
    '0@',
    '@3',
    'rate:',
    'rate:1.1',
    'all,0',
    '1 2',
  ])('%j is rejected', (text) => {
    expect(() => wake(text)).toThrow(/^--wake: [^\n]+\. [^\n]+\.$/)
  })
})
