import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linksOf, type Topology } from '../language/topology.ts'
import { Random } from '../runtime/random.ts'
import { UsageError } from '../usage-error.ts'
import { network } from './network.ts'

const random = Random.from(1)

function fromFile(text: string, allowComponents = false): Topology {
  return network('file:a:b.txt', { random, readFile: () => text, allowComponents })
}

test('links of a node are sorted by position, however the list is', () => {
  const topology = network('edges:3-1,2-3,0-3,1-0', { random })
  const ends = linksOf(topology, 3).map((link) => topology.neighbor(3, link))
  expect(ends).toEqual([0, 1, 2])
  expect(topology.name).toBe('edges:0-1,0-3,1-3,2-3')
})

test('the order of the list and of its pairs does not matter', () => {
  const edges = ['0-1', '0-5', '1-2', '2-3', '3-4', '4-5', '1-4']
  const shuffled = fc.shuffledSubarray(edges, { minLength: edges.length })
  const turns = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(shuffled, turns, (list, turned) => {
      const text = list.map((edge, i) => (turned[i] ? edge.split('-').reverse().join('-') : edge))
      const { name } = network(`edges:${text.join(',')}`, { random })
      return name === `edges:${edges.toSorted().join(',')}`
    }),
  )
})

test('a file separates pairs by commas, spaces or newlines, and has comments', () => {
  const topology = fromFile('# four nodes 9-9\n0-1,1-2 # and more\r\n\t2-3 ,\n\n3-0\n')
  expect(topology).toMatchObject({ name: 'file:a:b.txt', n: 4, links: 4 })
})

test('the path is passed to the reader', () => {
  const paths: string[] = []
  const readFile = (path: string) => {
    paths.push(path)
    return '0-1'
  }
  network('file:some/place:net.txt', { random, readFile })
  expect(paths).toEqual(['some/place:net.txt'])
})

test('a mistake in a file is reported with its line', () => {
  expect(() => fromFile('0-1\n# none\n1-2 2_3\n')).toThrow('line 3 of a:b.txt: "2_3" is not a link')
  expect(() => fromFile('# nothing\n')).toThrow('the list of links is empty')
})

test('a file that cannot be read is a complaint', () => {
  const failing = (error: unknown) => () =>
    network('file:x', {
      random,
      readFile: () => {
        throw error
      },
    })
  expect(failing(new Error('ENOENT: no such file'))).toThrow(
    'file:x cannot be read (ENOENT: no such file). Check the path.',
  )
  const own = new UsageError('file', 'a, but b.', 'c')
  expect(failing(own)).toThrow(own)
})

test('several components are allowed on request', () => {
  expect(() => fromFile('0-1 2-3')).toThrow('the network is not connected')
  expect(fromFile('0-1 2-3', true)).toMatchObject({ n: 4, links: 2 })
  expect(() => fromFile('0-1 3-4', true)).toThrow('position 2 has no link')
})
