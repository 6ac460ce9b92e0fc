import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { Delay } from '../../sim/index.ts'
import { decimal, integer, unexpected } from './reading.ts'

/** The longest delay of a message, in time units. */
const LONGEST = 1_000_000_000

/** Reads a delay model: unit, constant:D, uniform:A:B or exponential:MEAN. */
export function readDelay(where: string, value: string): Delay {
  const [model, ...numbers] = value.split(':')
  if (value === 'unit') return { model: 'constant', delay: 1 }
  if (model === 'constant' && numbers.length === 1) {
    return { model, delay: delayNumber(where, numbers[0], model) }
  }
  if (model === 'exponential' && numbers.length === 1) {
    return { model, mean: delayNumber(where, numbers[0], model) }
  }
  if (model === 'uniform' && numbers.length === 2) {
    const [from, to] = numbers.map((number) => delayNumber(where, number, model))
    if (from > to) throw reversed(where, value, `uniform:${to}:${from}`)
    return { model, from, to }
  }
  throw unexpected(
    where,
    'unit, constant:D, uniform:A:B or exponential:MEAN',
    value,
    'Write for example uniform:1:10.',
  ).withCandidates(value, ['unit', 'constant', 'uniform', 'exponential'])
}

/** A number of a delay model: whole where delays are drawn uniformly. */
export function delayNumber(where: string, number: unknown, model: Delay['model']): number {
  if (model === 'uniform') return integer(where, number, 1, LONGEST, 'a delay')
  const expected = `a delay above 0, up to ${LONGEST}`
  return decimal(where, number, expected, 1.5, (d) => d > 0 && d <= LONGEST)
}

function reversed(where: string, given: string, meant: string): UsageError {
  return new UsageError(where, `${quoted(given)} has the larger delay first.`, `Write ${meant}.`)
}
