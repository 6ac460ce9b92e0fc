import type { Parameter } from '../../scenario/prepare.ts'
import { columnsWithin } from '../terminal/format.ts'

const MODES = { cycles: 'in cycles', async: 'by messages' }

/** What a parameter is for, and the timing without which it has no meaning. */
export function meaningOf({ says, only }: Pick<Parameter, 'says' | 'only'>): string {
  return only === undefined ? says : `${MODES[only]}: ${says}`
}

/** A line for each parameter: its name, its default, its choices and its meaning. */
export function parameterLines(parameters: readonly Parameter[], width: number): string[] {
  if (parameters.length === 0) return ['none']
  const rows = parameters.map((it) => [
    it.name,
    String(it.otherwise),
    it.choices ? `${it.choices.join(' or ')}; ${meaningOf(it)}` : meaningOf(it),
  ])
  return columnsWithin([['name', 'default', ''], ...rows], width)
}
