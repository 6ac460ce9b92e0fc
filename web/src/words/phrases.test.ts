import { expect, it } from 'vitest'
import type { RunFrame } from '../recording/frame.ts'
import { combined, plural } from './phrases.ts'

/** A frame of nodes with the ids 10, 20, 30 and so on. */
const frame = {
  idOf: (node: number) => 10 * (node + 1),
  log: { world: { n: 8, ids: [10, 20, 30, 40, 50, 60, 70, 80] } },
} as unknown as RunFrame

it.each([
  ['swallows 6', 'swallow 6'],
  ['passes on 8', 'pass on 8'],
  ['is woken', 'are woken'],
  ['has its own id back', 'have their own id back'],
  ['carries on', 'carry on'],
  ['goes on', 'go on'],
  ['watches', 'watch'],
])('puts "%s" into the plural', (one, many) => {
  expect(plural(one)).toBe(many)
})

it.each<[string[], string]>([
  [['swallows 6, since 6 < 7'], '10 swallows 6, since 6 < 7'],
  [['waits', 'leads'], '10 waits; 20 leads'],
  [
    ['follows 80 and stops', 'follows 80 and stops', 'follows 80 and stops'],
    '10, 20 and 30 follow 80',
  ],
  [['a 1', 'swallows 2, since', 'swallows 3, since'], '10 a 1; 20 swallows 2 and 30 swallows 3'],
  [
    ['swallows 1', 'swallows 2', 'swallows 3', 'swallows 4'],
    '10 swallows 1, and 3 others do likewise',
  ],
  [Array.from({ length: 8 }, () => 'becomes passive: 9 > 8'), 'all 8 nodes become passive'],
  [['a', 'b', 'c', 'd'], '10 a; 20 b; other nodes act, too'],
])('combines %j', (words, text) => {
  expect(
    combined(
      frame,
      words.map((one, node) => ({ node, words: one })),
    ),
  ).toBe(text)
})
