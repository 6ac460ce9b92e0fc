import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/runtime/random.ts'
import type { NodeSchedule } from '../../sim/index.ts'
import { crashPlan, wakePlan } from './schedule-text.ts'

const entries = ({ nodes, times }: NodeSchedule) => Array.from(nodes, (node, i) => [node, times[i]])
const wake = (text: string, n = 8, synchronous = false, seed = 1) =>
  entries(wakePlan('--wake', text, n, { synchronous }, Random.from(seed)))
const crash = (text: string, n = 8, synchronous = false, seed = 1) =>
  entries(crashPlan('--crash', text, n, { synchronous }, Random.from(seed)))

describe('who wakes', () => {
  it('all, at the beginning', () => {
    expect(wake('all', 3)).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ])
  })

  it('some, ordered by time and then by position, however they are written', () => {
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

  it('in round r is at time r - 1', () => {
    expect(wake('0@1,4@1,7@1,2@2', 8, true)).toEqual([
      [0, 0],
      [4, 0],
      [7, 0],
      [2, 1],
    ])
  })

  it('by a rate: each with that probability, and position 0 if nobody else', () => {
    expect(wake('rate:1', 3)).toEqual(wake('all', 3))
    expect(wake('rate:0', 3)).toEqual([[0, 0]])
    const drawn = wake('rate:0.3', 10_000).length
    expect(drawn).toBeGreaterThan(2700)
    expect(drawn).toBeLessThan(3300)
    expect(wake('rate:0.5', 20, false, 1)).not.toEqual(wake('rate:0.5', 20, false, 2))
  })
})

describe('who crashes', () => {
  it('nobody, before the start, or at a time', () => {
    expect(crash('none')).toEqual([])
    expect(crash('7,2@4,5@0')).toEqual([
      [7, -1],
      [5, 0],
      [2, 4],
    ])
    expect(crash('7,2@4', 8, true)).toEqual([
      [7, -1],
      [2, 3],
    ])
  })

  it('a fraction of those that live by then', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(), (n, seed) => {
        const deaths = crash('0.5@10,0,0.5@20,0.0@30', n, false, seed)
        const first = Math.round((n - 1) / 2)
        const second = Math.round((n - 1 - first) / 2)
        expect(deaths.map(([, time]) => time)).toEqual([
          -1,
          ...Array(first).fill(10),
          ...Array(second).fill(20),
        ])
        expect(new Set(deaths.map(([node]) => node)).size).toBe(deaths.length)
      }),
    )
    expect(crash('1.0@3', 5)).toHaveLength(5)
  })

  it('is drawn anew for another seed', () => {
    expect(crash('0.5@1', 30, false, 1)).toEqual(crash('0.5@1', 30, false, 1))
    expect(crash('0.5@1', 30, false, 1)).not.toEqual(crash('0.5@1', 30, false, 2))
  })

  it('a node may die again, in case it comes back', () => {
    expect(crash('3@5,3@2,3@9').map(([node, at]) => `${node}@${at}`)).toEqual(
      '3@2,3@5,3@9'.split(','),
    )
  })
})

describe('plans that are refused', () => {
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
  ])('wake %j', (text) => {
    expect(() => wake(text)).toThrow(/^--wake: .+, but .+\. /)
  })

  it.each([
    '',
    'all',
    '8',
    '8@2',
    '0.5',
    '1.5@1',
    'x@1',
    '.@1',
    '1@-2',
    '1@1@1',
    '-0.5@1',
    '7,7',
    '7,2, 7',
    '3@2,3@5,3@2.0',
  ])('crash %j', (text) => {
    expect(() => crash(text)).toThrow(/^--crash: .+, but .+\. /)
  })

  it('nobody for a death that a fraction may have been drawn to as well', () => {
    expect(crash('0.5@1,1.0@1,3@1', 4)).toHaveLength(5)
  })
})
