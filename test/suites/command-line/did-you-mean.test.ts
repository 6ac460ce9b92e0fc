import { expect, it } from 'vitest'
import { shell } from '../../support/run-command.ts'

it.each([
  ['run lrc', 'lcr'],
  ['run lcr --topology rign:8', 'ring:8'],
  ['run wireless -t smal-world:100:4:0.1', 'small-world:100:4:0.1'],
  ['run lcr --delay unifrom:1:10', 'uniform:1:10'],
  ['run lcr --delay uint', 'unit'],
  ['run lcr --timing snyc', 'sync'],
  ['run lcr --order fiof', 'fifo'],
  ['run lcr --ids increasin', 'increasing'],
  ['run lcr --ids Random', 'random'],
  ['run lcr --elect-by degre', 'degree'],
  ['help rnu', 'run'],
  ['run lcr --elect-by naer:0.5:0.5', 'near:0.5:0.5'],
  ['run lcr --values unform:0:1', 'uniform:0:1'],
  ['run lcr --wake al', 'all'],
  ['run lcr --wake rat:0.5', 'rate:0.5'],
  ['run bully --set pateince=3', 'patience'],
  ['run time-slice --set start=flod', 'flood'],
  ['run gossip-average --set ordre=fixed', 'order'],
  ['run gossip-average --set order=fixd', 'fixed'],
  ['check lcr -n 3 --mode clockd:1', 'clocked:1'],
  ['run lcr --seeed 3', '--seed'],
])('%s: did you mean %s?', async (line, meant) => {
  const { code, err } = await shell(...line.split(' '))
  expect(code).toBe(2)
  expect(err).toMatch(/^[^\n]+ Did you mean [^\n]+\?\n$/)
  expect(err.trimEnd().split('Did you mean ')[1]).toBe(`${meant}?`)
})

it.each([
  ['run lcr --topology xyzzy:8', 'Write for example ring:8.'],
  ['run lcr --topology ring', 'Write ring:8.'],
  ['run lcr --delay constant', 'Write for example uniform:1:10.'],
  ['run lcr --delay q', 'Write for example uniform:1:10.'],
  ['run lcr --elect-by near:1', 'Write for example near:0.5:0.5.'],
  ['run lcr --ids 1,2,x', 'Ids are integers from 0 to 2^53 - 1.'],
  ['run lcr --timing 5', 'Choose one of them.'],
])('%s: nothing is near, and the remedy is %s', async (line, remedy) => {
  expect((await shell(...line.split(' '))).err.trimEnd()).toMatch(
    new RegExp(`${remedy.replace(/[.^]/g, '\\$&')}$`),
  )
})
