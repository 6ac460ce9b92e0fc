import { expect, test } from 'vitest'
import { linksOf, type Topology } from '../language/topology.ts'
import { grid, hypercube, torus } from './lattice.ts'
import { path, star, tree } from './tree.ts'

/** Compares a computed network with a rule that says which positions are linked. */
function expectLinked(topology: Topology, linked: (v: number, w: number) => boolean) {
  const all = Array.from({ length: topology.n }, (_, v) => v)
  for (const v of all) {
    const ends = linksOf(topology, v).map((link) => topology.neighbor(v, link))
    const expected = all.filter((w) => linked(v, w))
    expect(ends.toSorted((a, b) => a - b)).toEqual(expected)
  }
}

function cyclic(a: number, b: number, side: number): number {
  const apart = Math.abs(a - b)
  return Math.min(apart, side - apart)
}

test('a grid links places one step apart', () => {
  for (const [rows, columns] of [
    [3, 4],
    [1, 6],
    [6, 1],
    [2, 2],
    [1, 1],
  ])
    expectLinked(grid(rows, columns), (v, w) => {
      const down = Math.floor(v / columns) - Math.floor(w / columns)
      return Math.abs(down) + Math.abs((v % columns) - (w % columns)) === 1
    })
})

test('a torus closes rows and columns', () => {
  for (const [rows, columns] of [
    [3, 3],
    [3, 5],
    [6, 4],
  ])
    expectLinked(torus(rows, columns), (v, w) => {
      const down = cyclic(Math.floor(v / columns), Math.floor(w / columns), rows)
      return down + cyclic(v % columns, w % columns, columns) === 1
    })
})

test('links of grids are numbered up, left, right, down', () => {
  const middle = [0, 1, 2, 3].map((link) => grid(3, 4).neighbor(5, link))
  expect(middle).toEqual([1, 4, 6, 9])
  expect([0, 1, 2, 3].map((link) => torus(3, 4).neighbor(0, link))).toEqual([8, 3, 1, 4])
})

test('a hypercube links positions that differ in one bit, by the number of the bit', () => {
  expectLinked(hypercube(4), (v, w) => (v ^ w).toString(2).replaceAll('0', '') === '1')
  expect([0, 1, 2].map((link) => hypercube(3).neighbor(5, link))).toEqual([4, 7, 1])
})

test('a path is a row, a star has centre 0', () => {
  expectLinked(path(9), (v, w) => Math.abs(v - w) === 1)
  expectLinked(star(9), (v, w) => v !== w && (v === 0 || w === 0))
})

test('a tree is filled by breadth', () => {
  for (const [n, arity] of [
    [15, 2],
    [12, 2],
    [14, 3],
    [20, 19],
    [20, 25],
    [7, 1],
  ]) {
    const parents = [-1]
    for (let v = 0; parents.length < n; v++)
      for (let child = 0; child < arity && parents.length < n; child++) parents.push(v)
    expectLinked(tree(n, arity), (v, w) => parents[v] === w || parents[w] === v)
  }
})
