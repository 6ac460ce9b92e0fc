import { STATUSES } from '../../recording/events.ts'
import { shadeOf } from '../estimates.ts'
import type { StageScene } from '../scene.ts'

const UNKNOWN = STATUSES.indexOf('unknown')
/** After all statuses: an undecided node that does not compete any more. */
const PASSIVE_LOOK = STATUSES.length

/** The look of each node by number: its status or PASSIVE_LOOK, or the shade of its estimate. */
export function lookIn({ frame, scale }: StageScene): (node: number) => number {
  const { status, estimate, log } = frame
  if (scale !== null) return (node) => shadeOf(estimate[node], scale)
  if (!log.world.display?.passive) return (node) => status[node]
  return (node) =>
    status[node] === UNKNOWN && frame.display(node)?.passive ? PASSIVE_LOOK : status[node]
}
