import { expect, it } from 'vitest'
import { largestRates, simulateStudy } from './model.js'

const STUDY = {
  ...{ machines: 10, parallel: 4, jobs: 40_000, duration: 0.1, spread: 0.2, batch: 10 },
  ...{ window: 82, delay: 0.0005 },
  caller: { batch: 0.001, job: 0.000_045 },
  server: { batch: 0.0006, job: 0.000_01 },
}

/** The study as such, and with another limit: ten times the machines, a slow caller or server. */
const SLOW = { batch: 0.1, job: 0 }
const STUDIES = [
  STUDY,
  { ...STUDY, machines: 1000, window: 8002 },
  { ...STUDY, caller: SLOW },
  { ...STUDY, server: SLOW },
]

it.each(STUDIES)('a study is almost as fast as its slowest part, and never faster: %#', (study) => {
  const { rate } = simulateStudy(study)
  const limit = Math.min(...Object.values(largestRates(study)))
  expect(rate).toBeLessThan(limit * 1.001)
  expect(rate).toBeGreaterThan(limit * 0.95)
})

it('workers wait for batches if the window is too small', () => {
  const { workers } = simulateStudy({ ...STUDY, window: 20 })
  expect(workers).toBeGreaterThan(0.45)
  expect(workers).toBeLessThan(0.5)
})
