import { counted, grouped, wrapped } from '../../core/text-format.ts'
import type { Grade, GradeMeasurement } from '../../experiment/grade.ts'
import { digits } from '../../experiment/statistics/formula.ts'
import { type Colours, columns, WIDTH } from '../terminal/format.ts'

/** The text report of a grade. */
export function gradeText(name: string, grade: Grade, paint: Colours): string {
  const { counterexample, explored, simulated, measured } = grade
  const right = counterexample === null
  const verdict = right
    ? paint.green(paint.bold('No error found'))
    : paint.red(paint.bold(`Wrong: ${counterexample.broken}`))
  const lines = [
    `${paint.bold(name)}  ${verdict}`,
    '',
    ...columns(explored.map(explorationCells)).map((line) => `  ${line}`),
    ...(simulated > 0 ? [`  ${grouped(simulated)} random worlds of up to 32 nodes simulated`] : []),
    ...(right ? [] : counterexampleLines(grade)),
    ...measured.flatMap((one) => ['', ...measurementLines(one)]),
  ]
  return `${lines.join('\n')}\n`
}

function explorationCells({ n, worlds, states, exhausted }: Grade['explored'][number]): string[] {
  const how = exhausted ? 'all interleavings correct' : 'not exhausted, no error in'
  return [`n = ${n}`, counted(worlds, 'world'), how, counted(states, 'state')]
}

function counterexampleLines({ counterexample }: Grade): string[] {
  const { n, steps, replay } = counterexample!
  const width = String(steps.length).length
  return [
    '',
    `  The smallest world with an error has ${counted(n, 'node')}${steps.length > 0 ? ':' : '.'}`,
    ...steps.map((text, i) => `  ${String(i + 1).padStart(width)}. ${text}`),
    '',
    `  reproduce: ${replay}`,
  ]
}

const NAMES = { cost: 'messages without the announcement', time: 'time until elected' }
const ON = {
  random: 'random ids',
  worst: 'the worst of ascending, descending and bit-reversed ids',
}

function measurementLines({
  measure,
  on,
  growth,
  at,
  value,
  reference,
}: GradeMeasurement): string[] {
  const { name, value: known, bound } = reference
  const compared = [
    ...(known === null ? [] : [`${name} needs ${digits(known)}`]),
    ...(bound === null ? [] : [`its proven bound is ${digits(bound)}`]),
  ]
  const against = compared.length === 0 ? '' : `; ${compared.join(', ')}`
  const sentence = `At n = ${at}: ${digits(value)}${against}.`
  const text = `${NAMES[measure]}, ${ON[on]}: ${growth.verdict}. ${sentence}`
  return wrapped(text, WIDTH).map((line) => `  ${line}`)
}
