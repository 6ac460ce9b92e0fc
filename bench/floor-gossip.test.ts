import { expect, test } from 'vitest'
import { overlay, run } from './floor-gossip-average.js'
import { run as runByMessages } from './floor-gossip-messages.js'
import { run as runPushSum } from './floor-push-sum.js'

test('the floor of gossip averages over an overlay without loops, and keeps the sum', () => {
  const [n, k] = [5000, 20]
  const targets = overlay(n, k, 7)
  const sound = targets.every((other, i) => other >= 0 && other < n && other !== Math.floor(i / k))
  expect(sound).toBe(true)
  const values = Float64Array.from({ length: n }, (_, node) => node)
  const variance = () =>
    values.reduce((sum, value) => sum + (value - (n - 1) / 2) ** 2, 0) / values.length
  const before = variance()
  expect(run(values, targets, 20, 7)).toBe(2 * n * 20)
  expect(values.reduce((sum, value) => sum + value) / n).toBeCloseTo((n - 1) / 2, 8)
  expect(Math.abs((variance() / before) ** (1 / 20) - 0.316)).toBeLessThan(0.02)
})

test('the floor of gossip by messages keeps the sum, and converges as short delays let it', () => {
  const n = 5000
  const values = Float64Array.from({ length: n }, (_, node) => node)
  expect(runByMessages(values, 20, 7)).toBe(2 * n * 20)
  expect(values.reduce((sum, value) => sum + value) / n).toBeCloseTo((n - 1) / 2, 8)
  const squares = values.reduce((sum, value) => sum + (value - (n - 1) / 2) ** 2, 0)
  const factor = (squares / n / ((n * n - 1) / 12)) ** (1 / 20)
  expect(Math.abs(factor - 0.32)).toBeLessThan(0.03)
})

test('the floor of push-sum converges to the average', () => {
  const [n, k] = [5000, 20]
  const values = Float64Array.from({ length: n }, (_, node) => node)
  expect(runPushSum(values, overlay(n, k, 7), 60, 7)).toBe(60 * n)
  for (const value of values) expect(Math.abs(value / ((n - 1) / 2) - 1)).toBeLessThan(0.01)
})
