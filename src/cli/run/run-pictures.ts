import type { TraceEvent } from '../../core/index.ts'
import { realIds } from '../../core/language/world.ts'
import type { Preparation } from '../../scenario/index.ts'
import type { RunReport } from './execute.ts'

/* Pictures of a run. Their code is loaded only where it is used. */

export async function transcriptOf(
  events: TraceEvent[],
  preparation: Preparation,
  report: RunReport,
): Promise<string> {
  const { transcript } = await import('../../diagram/transcript.ts')
  const { role } = report.scenario
  const heading = role === undefined ? '' : `role ${role}\n`
  return `${heading}${transcript(events, labelsOf(preparation, report))}\n\n`
}

/** A picture of a run that is to be written. */
interface RunPicture {
  readonly path: string
  readonly network: boolean
  draw(
    events: TraceEvent[],
    preparation: Preparation,
    report: RunReport,
    at?: string,
  ): Promise<string>
}

/** What `--svg` asks for: a space-time diagram, or the network. */
export async function pictureIn(svg: string, { world }: Preparation): Promise<RunPicture> {
  const pictures = await import('./network-pictures.ts')
  const { path, network } = pictures.pictureFile(svg)
  if (!network) return { path, network, draw: diagramOf }
  pictures.refuseLargeNetwork(world.topology.n)
  const draw: RunPicture['draw'] = async (_events, preparation, report, at) =>
    pictures.electionPicture(preparation, report, at)
  return { path, network, draw }
}

/** The space-time diagram as SVG. */
async function diagramOf(
  events: TraceEvent[],
  preparation: Preparation,
  report: RunReport,
): Promise<string> {
  const { spaceTime } = await import('../../diagram/space-time/space-time.ts')
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
