import { Complaint } from '../core/index.ts'
import { convergencePicture } from '../diagram/convergence.ts'
import type { AggregationPreparation } from '../scenario/index.ts'
import { type AggregationReport, aggregate, aggregationText } from './aggregation.ts'
import { refuseUnwritable, writeWhole } from './files.ts'
import type { Io } from './io.ts'
import { paintFor } from './paint.ts'

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
): Promise<boolean> {
  if (trace !== undefined) {
    throw new Complaint(
      '--trace',
      'events belong to runs with messages in flight',
      `${preparation.scenario.algorithm} runs in cycles`,
      'Leave it out.',
    )
  }
  refuseUnwritable(svg, '--svg')
  const report = await aggregate(preparation, nodes, io)
  if (svg !== undefined) writeWhole(svg, pictureOf(report), '--svg')
  io.out(json ? `${JSON.stringify(report)}\n` : aggregationText(report, paintFor(io.colours)))
  return report.verdict.ok
}

function pictureOf({ scenario, cycles, factor, expected }: AggregationReport): string {
  const { algorithm, topology, set, loss } = scenario
  const measured = factor === null ? [] : [`variance times ${factor.toFixed(4)} a cycle`]
  return convergencePicture({
    title: `${algorithm} on ${topology}`,
    subtitle: [`order ${set.order}`, ...(loss > 0 ? [`loss ${loss}`] : []), ...measured].join(', '),
    variances: cycles.map(({ variance }) => variance),
    // A count begins with estimates that no theory speaks of.
    expected: factor === null ? null : expected,
  })
}
