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
import {
  aggregationPicture,
  pictureFile,
  readMoment,
  refuseLargeNetwork,
} from './network-pictures.ts'
import type { RunOptions } from './run-files.ts'

/** Runs an aggregation and prints its report; returns whether all properties hold. */
export async function runAggregation(
  preparation: AggregationPreparation,
  /** The name of the definition, which traces have. */
  name: string,
  { json, trace, svg, at, nodes }: RunOptions,
  io: Io,
  recorded?: TraceDiff,
): Promise<boolean> {
  const { scenario } = preparation
  if (trace !== undefined && scenario.timing === 'cycles') {
    throw new UsageError(
      '--trace',
      'there are no events in cycles, where exchanges are atomic.',
      'Leave it out, or leave out --timing cycles.',
    )
  }
  const picture = svg === undefined ? null : pictureFile(svg)
  refuseUnwritable(picture?.path, '--svg')
  if (picture?.network) refuseLargeNetwork(preparation.topology.n)
  const moment = readMoment(at, 'cycle')
  const log = trace === undefined || trace === '-' ? null : new OutputFile(trace, '--trace')
  log?.write(`${traceHead({ ...scenario, algorithm: name })}\n`)
  const events: TraceEvent[] = []
  const record = (event: TraceEvent) => {
    const line = JSON.stringify(event)
    recorded?.compare(line)
    log?.write(`${line}\n`)
    if (trace === '-') events.push(event)
  }
  const observers = trace === undefined && recorded === undefined ? {} : { trace: record }
  try {
    const report = await aggregate(preparation, { listed: nodes, observers }, io)
    recorded?.end()
    log?.keep()
    if (trace === '-') io.out(`${transcript(events, { unit: 'time' })}\n\n`)
    if (picture !== null) {
      const drawn = picture.network
        ? aggregationPicture(preparation, await reportAt(preparation, moment, io))
        : pictureOf(report)
      writeWhole(picture.path, drawn, '--svg')
    }
    io.out(json ? `${JSON.stringify(report)}\n` : aggregationText(report, coloursFor(io)))
    return report.verdict.ok
  } finally {
    log?.drop()
  }
}

/** The same run once more, up to a cycle, with all its nodes. */
function reportAt(
  preparation: AggregationPreparation,
  cycle: number | null,
  io: Io,
): Promise<AggregationReport> {
  const { scenario } = preparation
  const shown = cycle === null ? scenario : { ...scenario, until: Math.min(cycle, scenario.until) }
  return aggregate({ ...preparation, scenario: shown }, { listed: true }, io)
}

function pictureOf({ scenario, cycles, factor, expected }: AggregationReport): string {
  const { algorithm, topology, set, loss, delay } = scenario
  const exchanges = delay === undefined ? `order ${set.order}` : `delay ${delay}`
  const measured = factor === null ? [] : [`variance factor per cycle ${factor.toFixed(4)}`]
  return convergencePicture({
    title: `${algorithm} on ${topology}`,
    subtitle: [exchanges, ...(loss > 0 ? [`loss ${loss}`] : []), ...measured].join(', '),
    variances: cycles.map(({ variance }) => variance),
    // Theory says nothing about the initial estimates of a count.
    expected: factor === null ? null : expected,
  })
}
