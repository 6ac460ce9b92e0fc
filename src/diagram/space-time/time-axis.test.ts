import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeAxis } from './time-axis.ts'

const rounds = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

test('rounds are evenly spaced, and every one has a tick where there is room', () => {
  const axis = timeAxis(rounds(17), [1], 'round')
  expect(axis.ticks.map(({ label }) => Number(label))).toEqual(rounds(17))
  const steps = rounds(16).map((round) => axis.x(round + 1) - axis.x(round))
  for (const step of steps) expect(step).toBeCloseTo(steps[0])
})

test('times between whole numbers have ticks only where there is plenty of room', () => {
  const labels = (last: number) => timeAxis([0, last], [1], 'time').ticks.map(({ label }) => label)
  expect(labels(2)).toEqual(['0', '1', '2'])
  expect(timeAxis([0, 0.4], [0.1], 'time').ticks.map(({ label }) => label)).toEqual([
    '0',
    '0.1',
    '0.2',
    '0.3',
    '0.4',
  ])
})

test('moments keep their order, and equal distances outside of breaks their proportions', () => {
  const moments = fc.uniqueArray(fc.double({ min: 0, max: 1e5, noNaN: true }), { minLength: 2 })
  fc.assert(
    fc.property(
      moments,
      fc.array(fc.double({ min: 0.01, max: 9, noNaN: true })),
      (some, flights) => {
        const sorted = some.sort((a, b) => a - b)
        const axis = timeAxis(sorted, flights, 'time')
        for (let i = 1; i < sorted.length; i++)
          expect(axis.x(sorted[i])).toBeGreaterThanOrEqual(axis.x(sorted[i - 1]))
        const stretched = axis.width - axis.breaks.reduce((sum, { from, to }) => sum + to - from, 0)
        expect(stretched).toBeGreaterThanOrEqual(-1e-6)
        expect(axis.x(sorted[0])).toBe(0)
      },
    ),
  )
})
