import { modeText } from '../../check/index.ts'
import type { Verdict } from '../../core/index.ts'
import type { ExplainedFiles } from '../check/counterexample-files.ts'
import { stepLines } from '../check/report.ts'
import type { Colours } from '../terminal/format.ts'
import { verdictLines } from '../terminal/verdicts.ts'

/** A run of the checker that was made again, as one JSON document: in the words of check. */
export function replayJson(
  { scenario, model, run, violation }: ExplainedFiles,
  properties: readonly Verdict[],
) {
  const { events, trace } = run
  return {
    scenario,
    ...model,
    mode: modeText(model.mode),
    replayed: { steps: trace.length, events: events.length },
    properties,
    violated: violation === null ? null : { property: violation.property, trace },
    ...(violation === null && { trace }),
  }
}

/** The same for people. */
export function replayReport(
  { world, model, run, violation }: ExplainedFiles,
  properties: readonly Verdict[],
  path: string,
  paint: Colours,
): string {
  const { algorithm, topology } = world
  const counts = `${run.trace.length} steps and ${run.events.length} events`
  const lines = [
    headline(violation?.property ?? null, properties, paint),
    paint.dim(`  ${algorithm.name} on ${topology.name}, ${modeText(model.mode)}, ${model.order}`),
    `  ${counts}, all as in ${path}`,
    '',
    ...verdictLines(properties, paint),
    '',
    'Step by step:',
    ...stepLines(run),
  ]
  return `${lines.join('\n')}\n`
}

function headline(property: string | null, properties: readonly Verdict[], paint: Colours): string {
  if (property !== null) return paint.red(paint.bold(`Violated again: ${property}`))
  const open = properties.some(({ holds }) => holds === null)
  if (open) return paint.yellow(paint.bold('Nothing is violated, but not everything is decided'))
  return paint.green(paint.bold('Every property holds in this run'))
}
