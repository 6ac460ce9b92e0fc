import { describe, expect, it } from 'vitest'
import { UsageError } from '../../core/index.ts'
import { readCostBound } from './bound-formula.ts'
import type { Grade } from './grade.ts'
import { pointsFor, readRubric } from './rubric.ts'

describe('a bound', () => {
  const at = (text: string, n: number, links = 0) =>
    readCostBound('here', `messages <= ${text}`).value({ n, links })

  it.each([
    ['3 n log2 n + 4 n', 8, 104],
    ['n (n + 1) / 2', 8, 36],
    ['n^2', 5, 25],
    ['2^n', 5, 32],
    // Powers bind to the right, and tighter than signs.
    ['2^3^2', 1, 512],
    ['-n^2 + 30', 5, 5],
    ['10 - 2 - 3', 1, 5],
    ['n / 2 / 2', 8, 2],
    ['log2(n)^2', 8, 9],
    ['log2(n^2)', 8, 6],
    ['sqrt n', 9, 3],
    ['ceil(log2 n) floor(2.9)', 9, 8],
    ['5 n ceil(log2(n)) + 0.5', 8, 120.5],
    ['ln(1)', 2, 0],
  ])('%s at n = %d is %d', (text, n, value) => {
    expect(at(text, n)).toBeCloseTo(value, 12)
  })

  it('may count links', () => {
    expect(at('2 links + n', 4, 6)).toBe(16)
  })

  it.each([
    ['messages < 3 n', 'is not a bound'],
    ['3 n', 'is not a bound'],
    ['mesages <= n', 'Did you mean messages?'],
    ['messages <= ', 'ends too early'],
    ['messages <= 3 +', 'ends too early'],
    ['messages <= (n', 'closing parenthesis'],
    ['messages <= n)', 'is not part of one'],
    ['messages <= 3 m', 'is not part of one'],
    ['messages <= process.exit(1)', 'is not part of one'],
    ['messages <= n; n', 'is not part of one'],
    ['messages <= log2 n^2', 'write log2(n)^2 or log2(n^2)'],
    [7, 'is not a bound'],
  ])('%s is refused', (text, says) => {
    expect(() => readCostBound('here', text)).toThrow(UsageError)
    expect(() => readCostBound('here', text)).toThrow(says)
  })
})

describe('a rubric', () => {
  it.each([
    [{}, 'gives no points'],
    [{ property: {} }, 'Did you mean properties?'],
    [{ properties: 3 }, 'names with points are needed'],
    [{ properties: { 'at most one leder': 1 } }, 'Did you mean at most one leader?'],
    [{ properties: { 'at most one leader': '3' } }, 'points are a number'],
    [{ properties: { 'at most one leader': -1 } }, 'points are a number'],
    [{ requirements: { unifrm: 1 } }, 'Did you mean uniform?'],
    [{ costs: {} }, 'a list of bounds'],
    [{ costs: [{ bound: 'messages <= n' }] }, 'points are a number'],
    [{ costs: [{ bound: 'messages <= n', points: 1, size: [1] }] }, 'Did you mean sizes?'],
    [{ costs: [{ bound: 'messages <= n', points: 1, sizes: [0] }] }, 'from 1 to 1024'],
  ])('%j is refused in one sentence', (given, says) => {
    expect(() => readRubric('rubric.json', given)).toThrow(UsageError)
    expect(() => readRubric('rubric.json', given)).toThrow(says)
  })

  const rubric = readRubric('rubric.json', {
    title: 'exercise 3',
    correct: 5,
    properties: { 'at most one leader': 3, 'runs without an error': 1 },
    requirements: { uniform: 2 },
    costs: [{ bound: 'messages <= n links', points: 4, sizes: [2, 4] }],
  })

  const grade = (more: Partial<Grade>): Grade => ({
    verdict: 'right',
    world: {
      idUse: { kind: 'proved', detail: '' },
      ...{ problem: 'leader election', network: 'ring', ids: 'unique', knows: [] },
      ...{ time: 'asynchronous', order: 'any', start: 'any', coins: false, crashes: false },
      ...{ elects: 'largest', lasting: false, mayFail: false },
    },
    ...{
      refused: [],
      explored: [],
      simulated: 0,
      sizes: null,
      open: [],
      broken: [],
      counterexample: null,
      measured: [],
    },
    never: [],
    proof: null,
    properties: [{ name: 'at most one leader', holds: true }],
    costs: [
      [
        { n: 2, links: 2, value: 4 },
        { n: 4, links: 4, value: 16 },
      ],
    ],
    ...more,
  })
  const broken = { detail: '', n: 2, steps: [], replay: '' }

  it('gives all points to what does all', () => {
    expect(pointsFor(rubric, grade({}))).toMatchObject({ sum: 15, most: 15 })
  })

  it('gives none for what is violated, easier or beyond its bound, and says why', () => {
    const { sum, items } = pointsFor(
      rubric,
      grade({
        world: { ...grade({}).world, knows: ['n'] },
        costs: [
          [
            { n: 2, links: 2, value: 4 },
            { n: 4, links: 4, value: 17 },
          ],
        ],
      }),
    )
    expect(sum).toBe(9)
    expect(items.map(({ note }) => note)).toEqual([
      ...['', '', ''],
      "it knows the number of nodes (knows: 'n')",
      '17 > 16 at n = 4',
    ])
  })

  it('gives wrong definitions their properties, but no costs', () => {
    const wrong = grade({
      verdict: 'wrong',
      broken: [{ property: 'the leader terminates', ...broken }],
      costs: [],
    })
    expect(pointsFor(rubric, wrong).sum).toBe(6)
  })

  it('does not count properties that an error has cut short', () => {
    const threw = grade({
      verdict: 'wrong',
      broken: [{ property: 'runs without an error', ...broken }],
    })
    expect(pointsFor(rubric, threw).sum).toBe(2)
  })

  it('does not say of a refused definition that an error was found', () => {
    const refused = [{ require: 'comparison', reason: 'it computes with ids' }]
    const { sum, items } = pointsFor(rubric, grade({ verdict: 'wrong', refused, properties: [] }))
    expect(sum).toBe(2)
    expect(items.filter(({ note }) => note === 'not graded')).toHaveLength(4)
  })

  it('gives nothing where nothing could be graded', () => {
    expect(pointsFor(rubric, null)).toMatchObject({ sum: 0, most: 15 })
  })
})
