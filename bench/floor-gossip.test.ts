import { expect, test } from 'vitest'
import { overlay, run } from './floor-gossip-average.js'

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
