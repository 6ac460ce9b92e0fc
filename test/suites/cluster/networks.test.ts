import { expect, it } from 'vitest'
import { shell } from '../../support/run-command.ts'

/** In most of them the next position is no neighbour. */
const NETWORKS = [
  'ghs -t grid:3x3',
  'tree -t star:6',
  'hyper-elect -n 8',
  'yo-yo -t random:8:0.4 --seed 3',
  'echo-extinction -t ring:5',
]

it.each(NETWORKS)('cluster %s agrees on the largest id, as run does', async (words) => {
  const [cluster, run] = await Promise.all(
    ['cluster', 'run'].map((verb) => shell(verb, ...words.split(' '), '--json')),
  )
  expect(cluster.err).toBe('')
  const { agreed, leader, n } = JSON.parse(cluster.out)
  const simulated = JSON.parse(run.out)
  expect({ agreed, id: leader.id, n }).toEqual({
    agreed: true,
    id: simulated.leader.id,
    n: simulated.n,
  })
})

it('cluster gossips over the links of a grid', async () => {
  const words = 'cluster gossip-max -t grid:3x3 --values index --until 40 --json'
  const { code, out } = await shell(...words.split(' '))
  expect([
    code,
    JSON.parse(out).nodes.map(({ estimate }: { estimate: number }) => estimate),
  ]).toEqual([0, Array(9).fill(8)])
})
