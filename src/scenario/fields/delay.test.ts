import { expect, it } from 'vitest'
import { readDelay } from './delay.ts'

it.each([
  ['unit', { model: 'constant', delay: 1 }],
  ['constant:2', { model: 'constant', delay: 2 }],
  ['constant:0.25', { model: 'constant', delay: 0.25 }],
  ['constant:1e3', { model: 'constant', delay: 1000 }],
  ['uniform:1:10', { model: 'uniform', from: 1, to: 10 }],
  ['uniform:5:5', { model: 'uniform', from: 5, to: 5 }],
  ['exponential:2.5', { model: 'exponential', mean: 2.5 }],
])('%s', (text, delay) => {
  expect(readDelay('--delay', text)).toEqual(delay)
})

it.each([
  'units',
  'unit:1',
  'constant:',
  'constant:0',
  'constant:-1',
  'constant:Infinity',
  'constant:2000000000',
  'constant:1:2',
  'uniform:1',
  'uniform:0:4',
  'uniform:2:1',
  'uniform:1:2:3',
  'uniform:1:2.5',
  'exponential:0',
  'exponential:x',
  'Uniform:1:2',
  '',
])('%j is refused', (text) => {
  expect(() => readDelay('--delay', text)).toThrow(/^--delay: .+\. /)
})
