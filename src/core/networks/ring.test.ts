import { expect, test } from 'vitest'
import { left, right } from '../language/net.ts'
import { ring } from './ring.ts'

test('left leads to the next position and arrives there from the right', () => {
  const five = ring(5)
  expect([0, 1, 2, 3, 4].map((node) => five.neighbor(node, left))).toEqual([1, 2, 3, 4, 0])
  expect([0, 1, 2, 3, 4].map((node) => five.neighbor(node, right))).toEqual([4, 0, 1, 2, 3])
  expect(five.back(3, left)).toBe(right)
  expect(five.back(3, right)).toBe(left)
})

test('one node is linked to itself: what it sends left comes in from the right', () => {
  const one = ring(1)
  expect(one).toMatchObject({ n: 1, links: 1, channels: 2 })
  expect(one.degree(0)).toBe(2)
  expect([one.neighbor(0, left), one.back(0, left)]).toEqual([0, right])
  expect([one.neighbor(0, right), one.back(0, right)]).toEqual([0, left])
})

test('two nodes are linked twice', () => {
  const two = ring(2)
  expect(two).toMatchObject({ n: 2, links: 2, channels: 4 })
  for (const node of [0, 1]) {
    expect([two.neighbor(node, left), two.back(node, left)]).toEqual([1 - node, right])
    expect([two.neighbor(node, right), two.back(node, right)]).toEqual([1 - node, left])
  }
})

test('the channels of one direction lie together', () => {
  const three = ring(3)
  const channels = [left, right].map((link) => [0, 1, 2].map((v) => three.channel(v, link)))
  expect(channels).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ])
})
