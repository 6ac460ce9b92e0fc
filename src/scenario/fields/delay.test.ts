import { expect, it } from 'vitest'
import { Random } from '../../core/index.ts'
import { network } from '../../core/networks/network.ts'
import { readDelay } from '../../options/delays.ts'
import { delayOf } from './delay.ts'

it.each([
  ['unit', { model: 'constant', delay: 1 }],
  ['constant:2', { model: 'constant', delay: 2 }],
  ['constant:0.25', { model: 'constant', delay: 0.25 }],
  ['constant:1e3', { model: 'constant', delay: 1000 }],
  ['uniform:1:10', { model: 'uniform', from: 1, to: 10 }],
  ['uniform:5:5', { model: 'uniform', from: 5, to: 5 }],
  ['exponential:2.5', { model: 'exponential', mean: 2.5 }],
  ['lognormal:-1:0.5', { model: 'lognormal', mu: -1, sigma: 0.5 }],
  ['pareto:1.5:2', { model: 'pareto', alpha: 1.5, min: 2 }],
  ['empirical:1,2.5,7', { model: 'empirical', delays: [1, 2.5, 7] }],
  ['file:a:b.txt', { model: 'file', path: 'a:b.txt' }],
  ['weights', { model: 'weights' }],
  ['serial:0.5', { model: 'serial', delay: 0.5 }],
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
  'lognormal:1',
  'lognormal:1:-1',
  'lognormal:x:1',
  'pareto:0:1',
  'pareto:1:0',
  'empirical:',
  'empirical:1,0',
  'file:',
  'weights:1',
  '',
])('%j is refused', (text) => {
  expect(() => readDelay('--delay', text)).toThrow(/^--delay: .+\. /)
})

const files: Readonly<Record<string, string>> = {
  'measured.txt': '# ms\nrtt\n1.5\n2,ignored\n\n40\n',
  'broken.txt': '1.5\nlate\n',
  'links.txt': 'b a 2.5\nb c 1\n',
  'few.txt': 'a b 2.5\n',
  'net.txt': 'a b 3\nb c 4\n',
}
const readFile = (path: string) => files[path] ?? ''
const triangle = network('edges:0-1,1-2,0-2', { random: Random.from(1) })
const named = network('file:net.txt', { random: Random.from(1), readFile })

it('draws from a file', () => {
  const delay = delayOf('--delay', 'file:measured.txt', { topology: triangle, readFile })
  expect(delay).toEqual({ model: 'empirical', delays: Float64Array.of(1.5, 2, 40) })
})

it('gives every link its own delay, by position or by the labels of the network', () => {
  const around = { topology: triangle, readFile }
  expect(delayOf('--delay', 'links:0-1=2,2-1=5,0-2=7', around)).toEqual({
    model: 'links',
    delays: Float64Array.of(2, 7, 2, 5, 7, 5),
  })
  expect(delayOf('--delay', 'links:links.txt', { topology: named, readFile })).toEqual({
    model: 'links',
    delays: Float64Array.of(2.5, 2.5, 1, 1),
  })
  expect(delayOf('--delay', 'weights', { topology: named, readFile })).toEqual({
    model: 'links',
    delays: Float64Array.of(3, 3, 4, 4),
  })
})

it.each([
  ['file:broken.txt', 'line 2 of broken.txt: "late" is not a delay'],
  ['file:none.txt', 'none.txt has no delays'],
  ['links:few.txt', 'few.txt has no delay for the link b-c'],
  ['links:measured.txt', 'measured.txt has one column'],
])('%s is refused', (text, problem) => {
  expect(() => delayOf('--delay', text, { topology: named, readFile })).toThrow(problem)
})

it('weights are refused where there are none', () => {
  const around = { topology: triangle, readFile }
  expect(() => delayOf('--delay', 'weights', around)).toThrow('comes without weights')
})
