import type { CheckReport } from './commands/check.ts'
import { grouped, type Paint } from './paint.ts'

/** The result of an exploration for people. What was not covered is said first. */
export function checkReport(report: CheckReport, paint: Paint): string {
  const { algorithm, topology, mode, order, wake, states, transitions, depth, speed } = report
  const lines = [
    headline(report, paint),
    paint.dim(
      `  ${algorithm} on ${topology}, ${mode}, ${order}; ${
        wake === 'any' ? 'any non-empty set of nodes wakes, at any moment' : `wake ${wake}`
      }`,
    ),
    `  ${grouped(states)} states, ${grouped(transitions)} transitions, depth ${grouped(depth)}, ${grouped(speed.cpuMs)} ms of CPU`,
    '',
    ...report.properties.map(({ name, holds, detail }) => {
      const mark = holds === null ? paint.yellow('?') : holds ? paint.green('✓') : paint.red('✗')
      return `  ${mark} ${name}${holds ? '' : `: ${detail}`}`
    }),
    ...counterexample(report),
  ]
  return `${lines.join('\n')}\n`
}

function headline({ exhausted, reason, violated }: CheckReport, paint: Paint): string {
  if (violated !== null) return paint.red(paint.bold(`Violated: ${violated.property}`))
  if (!exhausted) return paint.yellow(paint.bold(`Not exhausted: ${reason}`))
  return paint.green(paint.bold('Every interleaving explored'))
}

function counterexample({ violated }: CheckReport): string[] {
  if (violated === null) return []
  const width = String(violated.trace.length).length
  return [
    '',
    `A shortest way to break "${violated.property}":`,
    ...violated.trace.map(({ text }, i) => `  ${String(i + 1).padStart(width)}. ${text}`),
  ]
}
