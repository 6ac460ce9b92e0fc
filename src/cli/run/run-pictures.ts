import type { TraceEvent } from '../../core/index.ts'
import { realIds } from '../../core/language/world.ts'
import { spaceTime } from '../../diagram/space-time/space-time.ts'
import { transcript } from '../../diagram/transcript.ts'
import type { Preparation } from '../../scenario/index.ts'
import type { RunReport } from './execute.ts'
import { electionPicture, pictureFile, refuseLargeNetwork } from './network-pictures.ts'
import type { RunPicture } from './run-form.ts'

/* Pictures of an election. Their code is loaded only where it is used. */

export function transcriptOf(
  events: readonly TraceEvent[],
  preparation: Preparation,
  report: RunReport,
): string {
  const { role } = report.scenario
  const heading = role === undefined ? '' : `role ${role}\n`
  return `${heading}${transcript(events, labelsOf(preparation, report))}\n\n`
}

/** What `--svg` asks for: a space-time diagram, or the network. */
export function pictureIn(
  svg: string,
  at: string | undefined,
  { topology }: Preparation,
): RunPicture {
  const { path, network } = pictureFile(svg)
  if (network) refuseLargeNetwork(topology.n)
  return {
    path,
    ofEvents: !network,
    draw: (events, prepared, report) =>
      network
        ? electionPicture(prepared as Preparation, report as RunReport, at)
        : diagramOf(events, prepared as Preparation, report as RunReport),
  }
}

/** The space-time diagram as SVG. */
function diagramOf(events: TraceEvent[], preparation: Preparation, report: RunReport): string {
  const { algorithm, topology } = preparation.world
  return spaceTime(events, {
    ...labelsOf(preparation, report),
    title: `${algorithm.name} on ${topology.name}`,
    subtitle: subtitleOf(report),
    n: topology.n,
    ring: topology.kind === 'ring',
  })
}

function labelsOf({ world }: Preparation, { time }: RunReport) {
  return { unit: time.unit, ...(world.algorithm.needs.ids && { ids: realIds(world) }) }
}

function subtitleOf({ leader, leading, messages, time }: RunReport): string {
  const who = leader === null ? 'no leader' : `leader ${leader.id ?? `at position ${leader.node}`}`
  if (time.unit === 'interaction') {
    const many = leading.length > 1 ? `${leading.length} leaders` : who
    const stable = time.stable ?? null
    const since = stable === null ? 'not stable' : `stable since interaction ${stable}`
    return `${many}, ${since}, ${time.ended} interactions`
  }
  const at = time.unit === 'round' ? 'in' : 'at'
  const last = `last message received ${at} ${time.unit} ${time.last}`
  return `${who}, ${messages.total} messages, ${time.last === null ? 'none received' : last}`
}
