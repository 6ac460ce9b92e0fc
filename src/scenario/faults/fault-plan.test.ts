import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { network } from '../../core/networks/network.ts'
import { Random } from '../../core/runtime/random.ts'
import { NO_FAULT_FIELDS, parseFaults } from './fault-fields.ts'
import { crashSchedule } from './fault-plan.ts'
import { validateFaults } from './fault-validation.ts'

const crash = (text: string, n = 8, synchronous = false, seed = 1) => {
  const where = (field: string) => `--${field}`
  const faults = parseFaults({ ...NO_FAULT_FIELDS, crash: text }, where)
  const topology = network(`complete:${n}`, { random: Random.from(1) })
  validateFaults(faults, { topology, unit: { synchronous }, keyed: false }, where)
  const { nodes, times } = crashSchedule(faults, n, { synchronous }, Random.from(seed))
  return Array.from(nodes, (node, i) => [node, times[i]])
}

describe('crashes', () => {
  it('happen before the start or at a time', () => {
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

  it('hit a share of the nodes that are alive by then', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(), (n, seed) => {
        const crashes = crash('0.5@10,0,0.5@20,0.0@30', n, false, seed)
        const first = Math.round((n - 1) / 2)
        const second = Math.round((n - 1 - first) / 2)
        expect(crashes.map(([, time]) => time)).toEqual([
          -1,
          ...Array(first).fill(10),
          ...Array(second).fill(20),
        ])
        expect(new Set(crashes.map(([node]) => node)).size).toBe(crashes.length)
      }),
    )
    expect(crash('1.0@3', 5)).toHaveLength(5)
  })

  it('are drawn by the seed', () => {
    expect(crash('0.5@1', 30, false, 1)).toEqual(crash('0.5@1', 30, false, 1))
    expect(crash('0.5@1', 30, false, 1)).not.toEqual(crash('0.5@1', 30, false, 2))
  })

  it('may repeat, in case the node recovers', () => {
    expect(crash('3@5,3@2,3@9').map(([node, at]) => `${node}@${at}`)).toEqual(
      '3@2,3@5,3@9'.split(','),
    )
  })
})

describe('invalid crashes', () => {
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
  ])('%j are rejected', (text) => {
    expect(() => crash(text)).toThrow(/^--crash: [^\n]+\. [^\n]+\.$/)
  })

  it('of a node that a share may have hit as well are accepted', () => {
    expect(crash('0.5@1,1.0@1,3@1', 4)).toHaveLength(5)
  })
})
