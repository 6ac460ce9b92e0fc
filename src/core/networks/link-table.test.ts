import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linksOf, type Topology } from '../language/topology.ts'
import { Random } from '../runtime/random.ts'
import { network } from './network.ts'

const random = Random.from(1)

function fromFile(text: string, allowComponents = false): Topology {
  return network('file:net.txt', { random, readFile: () => text, allowComponents })
}

function edgesOf(topology: Topology): string[] {
  return Array.from({ length: topology.n }, (_, node) =>
    linksOf(topology, node)
      .map((link) => topology.neighbor(node, link))
      .filter((end) => end > node)
      .map((end) => `${node}-${end}`),
  ).flat()
}

const SQUARE = ['0-1', '0-3', '1-2', '2-3']

test.each([
  ['SNAP', '# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n2\t3\n3\t0\n'],
  ['NetworkX', '0 1 {}\n1 2 {}\n2 3 {}\n3 0 {}\n'],
  ['NetworkX with attributes', "0 1 {'color': 'red'}\n1 2 {}\n2 3 {'a': 1, 'b': 2}\n3 0 {}\n"],
  ['CSV with a known header', 'source,target\n0,1\n1,2\n2,3\n3,0\n'],
  ['CSV with any header', 'Ein,Aus\r\n0,1\r\n1,2\r\n2,3\r\n3,0\r\n'],
  ['CSV without a header', '0,1\n1,2\n2,3\n3,0'],
  ['semicolons', 'from;to\n0;1\n1;2\n2;3\n3;0\n'],
  ['Gephi', 'Id,Source,Target,Type\n7,0,1,Undirected\n8,1,2,x\n9,2,3,x\n10,3,0,x\n'],
  ['KONECT', '% sym unweighted\n0 1\n1 2 # a comment\n2 3\n3 0\n'],
])('%s is read', (_, text) => {
  const topology = fromFile(text)
  expect(edgesOf(topology)).toEqual(SQUARE)
  expect(topology.listed).toEqual({ notes: [] })
})

test.each([
  ['NetworkX', "0 1 {'weight': 2.5}\n1 2 {'weight': 1}\n0 2 {'weight': 4.0}\n"],
  ['a weighted edge list', '0 1 2.5\n1 2 1\n2 0 4\n'],
  ['CSV with a named weight', 'member,friend,weight\na,b,2.5\nb,c,1\na,c,4\n'],
  ['CSV', 'target,weight,source\n1,2.5,0\n2,1,1\n2,4,0\n'],
])('weights of %s are kept in the order of the sorted edges', (_, text) => {
  const topology = fromFile(text)
  expect(edgesOf(topology)).toEqual(['0-1', '0-2', '1-2'])
  expect(topology.listed?.weights).toEqual([2.5, 4, 1])
})

test('labels that are no numbers become positions in order of appearance', () => {
  const { listed, n } = fromFile('"Mr. Hi","Anna, the elder"\n"Anna, the elder",Bo\n')
  expect(n).toBe(3)
  expect(listed?.labels).toEqual(['Mr. Hi', 'Anna, the elder', 'Bo'])
})

test('numbers with gaps become positions in ascending order, and that is said', () => {
  const topology = fromFile('30 10\n10 20\n')
  expect(edgesOf(topology)).toEqual(['0-1', '0-2'])
  expect(topology.listed).toEqual({
    labels: ['10', '20', '30'],
    notes: ['nodes are renumbered in ascending order: position 0 is node 10'],
  })
})

test('directed files list links twice and have loops: both are said', () => {
  const topology = fromFile('0 1\n1 0\n1 2\n2 2\n1 2\n')
  expect(edgesOf(topology)).toEqual(['0-1', '1-2'])
  expect(topology.listed?.notes).toEqual([
    '1 self-loop left out',
    '2 repeated or opposite links merged: links have no direction',
  ])
})

test('any graph is read back from any form, in any order and direction', () => {
  const pair = fc.tuple(fc.nat(12), fc.nat(12))
  const forms = fc.constantFrom(
    (a: number, b: number) => `${a} ${b}`,
    (a: number, b: number) => `${a}\t${b}`,
    (a: number, b: number) => `${a},${b}`,
    (a: number, b: number) => `${a} ${b} {}`,
  )
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 30 }), forms, (pairs, form) => {
      const text = pairs.map(([a, b]) => form(a, b)).join('\n')
      const used = [...new Set(pairs.flat())].sort((a, b) => a - b)
      const expected = new Set(
        pairs
          .filter(([a, b]) => a !== b)
          .map(([a, b]) => [used.indexOf(a), used.indexOf(b)].sort((x, y) => x - y).join('-')),
      )
      const topology = fromFile(text, true)
      expect(topology.n).toBe(used.length)
      expect(edgesOf(topology).sort()).toEqual([...expected].sort())
    }),
  )
})

test.each([
  ['0 1\n1 x 2 9 3\n', 'line 2 of net.txt has 5 columns'],
  ['0 1\n\n# c\n2\n', 'line 4 of net.txt has one column'],
  ['0 1 2 3\n', 'line 1 of net.txt has 4 columns'],
  ['0 1 heavy\n', 'line 1 of net.txt: the weight "heavy" is not a number'],
  ['0 1 -2\n', 'line 1 of net.txt: the weight "-2" is not a number from 0 on'],
  ['0 1 2\n1 2\n', 'line 2 of net.txt has no weight, but line 1 has one'],
  ['0 1\n1 2 3\n', 'line 1 of net.txt has no weight, but line 2 has one'],
  ['0 1 2\n1 0 3\n', 'the weight 2 in line 1 and 3 in line 2'],
  ['a b\nc d\n', 'there is no path from node "a" to node "c"'],
])('%j is refused', (text, problem) => {
  expect(() => fromFile(text)).toThrow(problem)
})

const GRAPHML = `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="weight" attr.type="double" />
  <key id="x" for="node" attr.name="x" attr.type="double"/>
  <key id="y" for="node" attr.name="y" attr.type="double"/>
  <graph edgedefault="undirected">
    <!-- <node id="ghost"/> -->
    <node id="a &amp; b"><data key="x">-1</data><data key="y">0</data></node>
    <node id="c"><data key="x">1</data><data key="y">1</data></node>
    <node id="d"><data key="x">0</data><data key="y">0.5</data></node>
    <edge source="a &amp; b" target="c"><data key="d0">2.5</data></edge>
    <edge id="e1" source="d" target="c">
      <data key="d0">1</data>
    </edge>
  </graph>
</graphml>
`

test('GraphML is read with its labels, weights and places', () => {
  const topology = fromFile(GRAPHML)
  expect(edgesOf(topology)).toEqual(['0-1', '1-2'])
  expect(topology.listed).toMatchObject({ labels: ['a & b', 'c', 'd'], weights: [2.5, 1] })
  expect([...topology.coordinates!]).toEqual([0, 0, 1, 0.5, 0.5, 0.25])
})

test('a mistake in GraphML is reported with its line', () => {
  const broken = GRAPHML.replace('>2.5<', '>heavy<')
  expect(() => fromFile(broken)).toThrow('line 11 of net.txt: "heavy" is not a number')
  const endless = GRAPHML.replace('source="d"', '')
  expect(() => fromFile(endless)).toThrow('line 12 of net.txt: <edge> has no source')
})
