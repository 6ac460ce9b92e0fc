import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointsOf, readSweptValues, scenarioAt, sweptShares } from './sweep.ts'

describe('values of a sweep', () => {
  it.each([
    ['2..5', [2, 3, 4, 5]],
    ['0..1:0.25', [0, 0.25, 0.5, 0.75, 1]],
    ['0..0.3:0.1', [0, 0.1, 0.2, 0.3]],
    ['2^3..2^6', [8, 16, 32, 64]],
    ['8,16..18,2^5..2^6', [8, 16, 17, 18, 32, 64]],
    ['lcr,peterson', ['lcr', 'peterson']],
    ['rate:0.5,all', ['rate:0.5', 'all']],
    ['-2..1', [-2, -1, 0, 1]],
    [7, [7]],
    [
      [8, '10..12', [3, 1, 2]],
      [8, 10, 11, 12, [3, 1, 2]],
    ],
  ])('%j', (given, values) => {
    expect(readSweptValues('--sweep', given)).toEqual(values)
  })

  it.each([
    '5..2',
    '1..3:0',
    '2^3..3^5',
    '2^5..2^3',
    '',
    '2,,3',
    '0..1e9:1',
    [],
    null,
    [null],
    '1..9999999',
  ])('rejects %j', (given) => {
    expect(() => readSweptValues('--sweep', given)).toThrow(/^--sweep: .+\. .+/)
  })

  it('has equal steps and the right end', () => {
    const range = fc.tuple(
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 40 }),
    )
    fc.assert(
      fc.property(range, ([first, steps, tenths]) => {
        const last = (first * 10 + steps * tenths) / 10
        const values = readSweptValues('', `${first}..${last}:${tenths / 10}`) as number[]
        expect(values).toHaveLength(steps + 1)
        expect(values).toEqual(values.map((_, i) => (first * 10 + i * tenths) / 10))
      }),
    )
  })
})

describe('points', () => {
  it('are all combinations, the first field varying slowest', () => {
    expect(pointsOf({ algorithm: ['lcr', 'peterson'], n: [2, 3] })).toEqual([
      { algorithm: 'lcr', n: 2 },
      { algorithm: 'lcr', n: 3 },
      { algorithm: 'peterson', n: 2 },
      { algorithm: 'peterson', n: 3 },
    ])
    expect(pointsOf({})).toEqual([{}])
  })
})

describe('the scenario at a point', () => {
  it('fills names in braces and sets the others as fields', () => {
    const base = { algorithm: 'gossip-average', topology: 'small-world:{n}:20:{beta}' }
    expect(scenarioAt(base, { n: 100, beta: 0.25, loss: 0.1 })).toEqual({
      algorithm: 'gossip-average',
      topology: 'small-world:100:20:0.25',
      loss: '0.1',
    })
  })

  it('adds parameters to those of the base', () => {
    expect(scenarioAt({ set: 'order=fixed' }, { 'set.epoch': 5 })).toEqual({
      set: { order: 'fixed', epoch: 5 },
    })
    expect(scenarioAt({ set: { epoch: '{e}' } }, { e: 3 })).toEqual({ set: { epoch: '3' } })
  })

  it('takes 0 and 1 among fractions for shares, not for positions', () => {
    const base = { crash: '{p}@5' }
    const sweep = { p: [0, 0.5, 1] }
    const shares = sweptShares(base, sweep, 'sweep')
    const crashes = pointsOf(sweep).map((point) => scenarioAt(base, point, shares).crash)
    expect(crashes).toEqual(['0.0@5', '0.5@5', '1.0@5'])
  })

  it('refuses 0 and 1 alone, and leaves positions and percentages as they are', () => {
    expect(() => sweptShares({ crash: '{p}@5' }, { p: [0, 1] }, 'sweep')).toThrow('{p}%')
    expect(sweptShares({ crash: '{p}@5' }, { p: [0, 1, 2] }, 'sweep').size).toBe(0)
    expect(sweptShares({ crash: '{p}%@5' }, { p: [0, 1] }, 'sweep').size).toBe(0)
    expect(sweptShares({ crash: '3@{t}' }, { t: [0, 1] }, 'sweep').size).toBe(0)
  })
})
