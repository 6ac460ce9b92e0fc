import { convergencePicture } from '../../diagram/convergence.ts'
import { transcript } from '../../diagram/transcript.ts'
import { gossipRun } from '../../scenario/gossip/gossip-run.ts'
import type { AggregationPreparation } from '../../scenario/gossip/prepare-gossip.ts'
import type { Io } from '../io.ts'
import { execute } from './execute.ts'
import { type AggregationReport, aggregationText } from './gossip-report.ts'
import {
  aggregationPicture,
  pictureFile,
  readMoment,
  refuseLargeNetwork,
} from './network-pictures.ts'
import type { RunForm } from './run-form.ts'

/** How aggregations are shown: by their estimates, cycle by cycle. */
export const gossipForm: RunForm = {
  text: (report, _, paint) => aggregationText(report as AggregationReport, paint),
  transcript: async (events) => `${transcript(events, { unit: 'time' })}\n\n`,
  async picture(svg, at, { topology }) {
    const { path, network } = pictureFile(svg)
    if (network) refuseLargeNetwork(topology.n)
    const moment = readMoment(at, 'cycle')
    return {
      path,
      ofEvents: false,
      draw: async (_, prepared, report, io) =>
        network
          ? aggregationPicture(
              topology,
              await reportAt(prepared as AggregationPreparation, moment, io),
            )
          : pictureOf(report as AggregationReport),
    }
  },
}

/** The same run once more, up to a cycle, with all its nodes. */
function reportAt(
  prepared: AggregationPreparation,
  cycle: number | null,
  io: Io,
): Promise<AggregationReport> {
  const { scenario } = prepared
  const shown = cycle === null ? scenario : { ...scenario, until: Math.min(cycle, scenario.until) }
  return execute(gossipRun({ ...prepared, scenario: shown }, { listed: true }), io)
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
