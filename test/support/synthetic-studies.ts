import { Random } from '../../src/core/index.ts'
import { fitForm } from '../../src/experiment/statistics/fit.ts'
import { readForm } from '../../src/experiment/statistics/form-text.ts'
import { growthOf } from '../../src/experiment/statistics/growth.ts'
import type { DataPoint } from '../../src/experiment/statistics/noise.ts'
import { summarize } from '../../src/experiment/statistics/statistics.ts'
import { normal } from './noise.ts'

type Law = (n: number) => number

/** The value of one run from its expectation. */
type Noise = (expected: number, random: Random) => number

interface Design {
  readonly xs: readonly number[]
  readonly repeats: number
  readonly noise: Noise
}

/** 2^from to 2^to */
export const powers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => 2 ** (from + i))

/** The means of a made-up study, with the spread of their runs. */
export function studyOf(law: Law, { xs, repeats, noise }: Design, random: Random): DataPoint[] {
  return xs.map((x) => {
    const runs = Array.from({ length: repeats }, () => noise(law(x), random))
    const summary = summarize(runs)
    return { x, y: summary.mean, summary }
  })
}

export const relative =
  (share: number): Noise =>
  (expected, random) =>
    expected * (1 + share * normal(random))

const SPREADS: readonly (readonly [name: string, noise: Noise])[] = [
  ['constant', (expected, random) => expected + 20 * normal(random)],
  ['growing', relative(0.1)],
  ['skewed', (expected, random) => expected * -Math.log(1 - random.unit())],
]

/** How often intervals contain the truth, in percent. */
interface Coverage {
  readonly spread: string
  readonly repeats: number
  readonly points: number
  readonly mean: number
  readonly slope: number
  readonly constant: number
}

/** Of the mean at n = 8, and of both coefficients of 3 n + 40. */
export function coverageOf(studies: number, repeats: number, points: number): Coverage[] {
  const design = { xs: powers(3, 2 + points), repeats }
  return SPREADS.map(([spread, noise], which) => {
    const random = Random.from(1000 * repeats + 10 * points + which)
    const inside = [0, 0, 0]
    for (let i = 0; i < studies; i++) {
      const found = studyOf((n) => 3 * n + 40, { ...design, noise }, random)
      const { coefficients } = fitForm(readForm('n'), found)
      const intervals = [found[0].summary!, ...coefficients] as { low: number; high: number }[]
      for (const [k, { low, high }] of intervals.entries()) {
        const truth = [64, 3, 40][k]
        if (low <= truth && truth <= high) inside[k]++
      }
    }
    const [mean, slope, constant] = inside.map((count) => (100 * count) / studies)
    return { spread, repeats, points, mean, slope, constant }
  })
}

/** Laws that can be named, by the name that is printed. */
export const SIMPLE: readonly (readonly [name: string, law: Law])[] = [
  ['1', () => 7],
  ['log2 n', (n) => 3 * Math.log2(n)],
  ['(log2 n)^2', (n) => Math.log2(n) ** 2],
  ['sqrt n', (n) => 5 * Math.sqrt(n)],
  ['n', (n) => 2 * n],
  ['n log2 n', (n) => n * Math.log2(n)],
  ['n^1.5', (n) => n ** 1.5],
  ['n^2', (n) => n ** 2 / 2],
  ['n^2 log2 n', (n) => n ** 2 * Math.log2(n)],
  ['n^3', (n) => n ** 3],
]

/** What is printed of laws with noise of this share: how often each is clear, or none. */
export function printedLaws(law: Law, share: number, studies: number, design = {}) {
  const random = Random.from(Math.round(1000 * share) + 7)
  const printed = new Map<string, number>()
  for (let i = 0; i < studies; i++) {
    const whole = { xs: powers(3, 9), repeats: 30, noise: relative(share), ...design }
    const { growth, certainty } = growthOf(studyOf(law, whole, random))
    const name = certainty === 'clear' ? growth : 'none'
    printed.set(name, (printed.get(name) ?? 0) + 1)
  }
  return printed
}

const POINTS = [3, 5, 7]
const REPEATS = [3, 5, 10, 30]

/** The rows of the table of coverage in docs/experiments.md. */
export function coverageRows(studies: number): string[] {
  const all = POINTS.flatMap((points) =>
    REPEATS.flatMap((repeats) => coverageOf(studies, repeats, points)),
  )
  return SPREADS.flatMap(([spread]) =>
    POINTS.map((points) => {
      const row = all.filter((one) => one.spread === spread && one.points === points)
      const cells = row.map(({ mean, slope, constant }) =>
        [mean, slope, constant].map((percent) => percent.toFixed(1)).join(', '),
      )
      return rowOf([spread, String(points), ...cells])
    }),
  )
}

/** The rows of the matrix of growth laws there: true law by printed law, by noise. */
export function confusionRows(studies: number): string[] {
  const names = [...SIMPLE.map(([name]) => name), 'none']
  return SIMPLE.map(([name, law]) => {
    const printed = [
      printedLaws(law, 0, 1),
      ...[0.02, 0.1].map((share) => printedLaws(law, share, studies)),
    ]
    const percents = (of: string) =>
      printed.map((one, i) => Math.round((100 * (one.get(of) ?? 0)) / (i === 0 ? 1 : studies)))
    const cells = names.map(percents)
    return rowOf([
      name,
      ...cells.map((cell) => (cell.every((percent) => percent === 0) ? '' : cell.join(', '))),
    ])
  })
}

function rowOf(cells: readonly string[]): string {
  return cells.join(' | ')
}
