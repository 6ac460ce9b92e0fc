import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
// @ts-expect-error: the fault matrix is JavaScript
import * as history from '../../faults/history.js'

const { agreement, fenceReport, overlap, staleActs, vacancy, validity } = history
const program = fileURLToPath(new URL('../../faults/run.js', import.meta.url))

const valid = (at: number, until: number, term = 1) => ({ at, what: 'valid', until, term })
const leader = (at: number, id: string | null) => ({
  ...{ at, what: 'leader' },
  leader: id === null ? null : { id, term: 1 },
})
const write = (token: number, holder: string, value: number, at = 0) => ({
  ...{ what: 'written', token, holder, value, at },
})

describe('when a lease was valid', () => {
  test.each([
    ['runs out', [valid(10, 20)], [], [{ from: 10, to: 20, term: 1 }]],
    ['is prolonged', [valid(10, 20), valid(15, 30)], [], [{ from: 10, to: 30, term: 1 }]],
    [
      'is taken back',
      [valid(10, 20), { at: 12, what: 'invalid' }],
      [],
      [{ from: 10, to: 12, term: 1 }],
    ],
    [
      'is prolonged too late',
      [valid(10, 20), valid(25, 35)],
      [],
      [
        [10, 20],
        [25, 35],
      ],
    ],
    ['ends with the process', [valid(10, 20)], [14], [{ from: 10, to: 14, term: 1 }]],
    [
      'is followed by another term',
      [valid(10, 20), valid(15, 30, 2)],
      [],
      [
        [10, 15],
        [15, 30, 2],
      ],
    ],
  ])('it %s', (_name, lines, died, expected) => {
    const wanted = (expected as unknown[]).map((one) =>
      Array.isArray(one) ? { from: one[0], to: one[1], term: one[2] ?? 1 } : one,
    )
    expect(validity(lines, died)).toEqual(wanted)
  })
})

test('two leases at a time are summed up, and touching ones do not overlap', () => {
  const intervals = (...all: [number, number][]) => all.map(([from, to]) => ({ from, to }))
  expect(overlap([intervals([0, 10]), intervals([10, 20])])).toBe(0)
  expect(overlap([intervals([0, 10], [30, 40]), intervals([8, 33])])).toBe(5)
  expect(overlap([intervals([0, 10]), intervals([2, 9]), intervals([3, 4])])).toBe(7)
})

test('the longest time without a leader, also at both ends', () => {
  const held = [[{ from: 5, to: 10 }], [{ from: 13, to: 20 }]]
  expect(vacancy(held, 6, 19)).toEqual({ total: 3, longest: 3 })
  expect(vacancy(held, 0, 40)).toEqual({ total: 28, longest: 20 })
  expect(vacancy([[]], 0, 7)).toEqual({ total: 7, longest: 7 })
})

test('agreement begins when all know the same leader for good', () => {
  const both = [
    [leader(1, 'a'), leader(6, null), leader(9, 'b')],
    [leader(2, 'a'), leader(7, 'b')],
  ]
  expect(agreement(both, 0)).toBe(9)
  expect(agreement(both, 12)).toBe(12)
  expect(agreement([[leader(1, 'a')], [leader(2, 'b')]], 0)).toBeNull()
  expect(agreement([[leader(1, 'a')], []], 0)).toBeNull()
})

test('acts without a lease are counted, whether the fence refused them or not', () => {
  const held = [[{ from: 100, to: 200, term: 1 }], [{ from: 210, to: 300, term: 2 }]]
  const acts = [
    write(1, 'a', 1, 150),
    write(1, 'a', 2, 205),
    { ...write(1, 'a', 3, 220), what: 'refused' },
    write(2, 'b', 4, 220),
    write(1, 'b', 5, 220),
  ]
  expect(staleActs(acts, held, ['a', 'b'])).toBe(3)
})

test('a fence that lets a smaller token, or two holders of one, pass is found', () => {
  const report = (...lines: object[]) => fenceReport(lines)
  const good = [write(1, 'a', 1), write(1, 'a', 2), write(2, 'b', 3)]
  expect(report(...good)).toEqual({ written: 3, violations: 0, lost: 0, refused: 0 })
  expect(report(...good, write(1, 'a', 4))).toMatchObject({ violations: 1, lost: 0 })
  expect(report(...good, write(2, 'c', 4))).toMatchObject({ violations: 1, lost: 0 })
  expect(report(...good, write(3, 'c', 3))).toMatchObject({ violations: 0, lost: 1 })
  expect(report(...good, { ...write(1, 'a', 4), what: 'refused' })).toMatchObject({ refused: 1 })
})

// A busy machine may take the term from a leader just before its clock is slowed: then once more.
const planted = { timeout: 120_000, retry: 2 }
test('two leaders are seen, by both methods, where a clock breaks its bound', planted, async () => {
  const words = ['--loopback', '--json', '--members', '3', '--lease', '300', '--duration', '1500']
  const run = promisify(execFile)(process.execPath, [program, ...words, '--rows', 'planted'])
  const { code, stdout } = await run.then(
    () => ({ code: 0, stdout: '' }),
    (error) => error,
  )
  expect(code).toBe(1)
  const { overlap, sampled, broken } = JSON.parse(stdout)
  expect([overlap > 0, sampled > 0, broken]).toEqual([true, true, true])
})
