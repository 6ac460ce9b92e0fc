import { type TraceEvent, UsageError } from '../../core/index.ts'
import { convergencePicture } from '../../diagram/convergence.ts'
import { transcript } from '../../diagram/transcript.ts'
import type { AggregationPreparation } from '../../scenario/index.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { traceHead } from '../../trace/trace-file.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { OutputFile, refuseUnwritable, writeWhole } from '../terminal/output-file.ts'
import { type AggregationReport, aggregate, aggregationText } from './gossip-run.ts'

interface Options {
  readonly json?: true
  readonly trace?: string
  readonly svg?: string
  readonly nodes?: true
}

/** Runs an aggregation and prints what came of it; says whether all is well. */
export async function runAggregation(
  preparation: AggregationPreparation,
  { json, trace, svg, nodes }: Options,
  io: Io,
  comparison?: TraceDiff,
): Promise<boolean> {
  const { scenario } = preparation
  if (trace !== undefined && scenario.timing === 'cycles') {
    throw new UsageError(
      '--trace',
      `events belong to runs with messages in flight, but ${scenario.algorithm} runs in cycles.`,
      'Leave it out, or leave out --timing cycles.',
    )
  }
  refuseUnwritable(svg, '--svg')
  const log = trace === undefined || trace === '-' ? null : new OutputFile(trace, '--trace')
  log?.write(`${traceHead({ ...scenario })}\n`)
  const events: TraceEvent[] = []
  const note = (event: TraceEvent) => {
    const line = JSON.stringify(event)
    comparison?.meet(line)
    log?.write(`${line}\n`)
    if (trace === '-') events.push(event)
  }
  const watching = trace === undefined && comparison === undefined ? {} : { trace: note }
  try {
    const report = await aggregate(preparation, { listed: nodes, watching }, io)
    comparison?.end()
    log?.keep()
    if (trace === '-') io.out(`${transcript(events, { unit: 'time' })}\n\n`)
    if (svg !== undefined) writeWhole(svg, pictureOf(report), '--svg')
    io.out(json ? `${JSON.stringify(report)}\n` : aggregationText(report, coloursFor(io.colours)))
    return report.verdict.ok
  } finally {
    log?.drop()
  }
}

function pictureOf({ scenario, cycles, factor, expected }: AggregationReport): string {
  const { algorithm, topology, set, loss, delay } = scenario
  const exchanges = delay === undefined ? `order ${set.order}` : `delay ${delay}`
  const measured = factor === null ? [] : [`variance times ${factor.toFixed(4)} a cycle`]
  return convergencePicture({
    title: `${algorithm} on ${topology}`,
    subtitle: [exchanges, ...(loss > 0 ? [`loss ${loss}`] : []), ...measured].join(', '),
    variances: cycles.map(({ variance }) => variance),
    // A count begins with estimates that no theory speaks of.
    expected: factor === null ? null : expected,
  })
}
