import type { CostFigure } from '../../check/index.ts'
import { type Colours, grouped } from '../terminal/format.ts'
import { stepLines } from './report.ts'
import type { CostlyRun, ExactBound, WorstReport } from './worst-case.ts'

const UNIT = {
  messages: [],
  chains: [
    '  in message delays: the longest chain of messages, each sent by the receiver',
    '  of the one before; timers take no time',
  ],
  clock: ['  by the clock, from the first start'],
}

/** The worst and best case over all schedules, with a run of each. */
export function worstLines(worst: WorstReport | undefined, paint: Colours): string[] {
  if (worst === undefined) return []
  const { of, unit, figures, samples, reason } = worst
  const title = of === 'messages' ? 'Messages' : 'Time'
  if (reason !== undefined)
    return ['', `${title} over all schedules: ${paint.yellow(`not known, since ${reason}`)}`]
  const same = figures.every(({ most, least }) => most === least)
  return [
    '',
    `${title} over all schedules, exactly:`,
    ...UNIT[unit].map((line) => paint.dim(line)),
    ...figures.map((figure) => `  ${figure.name.padEnd(25)}${rangeOf(figure)}`),
    ...worst.bounds.map((bound) => `  ${boundInWords(bound, worst)}`),
    ...(samples === null ? [] : sampleLines(samples, same, figures[0])),
  ]
}

function rangeOf({ most, least }: CostFigure): string {
  if (most === null && least === null) return 'in no run'
  if (most === least) return `${shown(most)} whatever the schedule`
  return `${shown(least)} at best, ${shown(most)} at worst`
}

function shown(cost: CostFigure['most']): string {
  if (cost === null) return 'none'
  return cost === 'unbounded' ? 'unbounded' : grouped(cost)
}

/** What is proven is of the last figure: without the announcement, or until somebody leads. */
function boundInWords(bound: ExactBound, { unit }: WorstReport): string {
  const { kind, formula, value, within, reached } = bound
  const failing =
    unit === 'chains' ? 'not for chains, which may be longer than the time' : 'EXCEEDED'
  const verdict = within ? (reached ? 'reached' : 'kept') : failing
  const limit = kind === 'worst' ? 'at most' : 'at least'
  return `${limit} ${formula} = ${grouped(value)} is proven: ${verdict}`
}

function sampleLines(
  { most, least }: NonNullable<WorstReport['samples']>,
  same: boolean,
  figure: CostFigure,
): string[] {
  if (same) return ['', `A run${withIds(most)}:`, ...steps(most)]
  return [
    '',
    `A run with the most (${shown(figure.most)})${withIds(most)}:`,
    ...steps(most),
    '',
    `A run with the least (${shown(figure.least)})${withIds(least)}:`,
    ...steps(least),
  ]
}

function withIds({ ids = [] }: CostlyRun): string {
  return ids.length === 0 ? '' : `, with ids ${ids}`
}

function steps(run: CostlyRun): string[] {
  const { loop } = run
  const again = loop === undefined ? [] : [`  and again and again from step ${loop} on`]
  return [...stepLines(run), ...again]
}
