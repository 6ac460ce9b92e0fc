import { FlightDetails, NodeDetails } from '../inspector/inspector.tsx'
import type { RunClock } from '../model/clock.ts'
import type { Run } from '../model/run.ts'

/** The node or message under the pointer or the keyboard focus, and its place on the stage. */
export interface Pointed {
  readonly node: number | null
  readonly flight: number | null
  readonly x: number
  readonly y: number
  /** How far away the tooltip stands, so that it does not cover what it is about. */
  readonly near: number
  /** Whether there is more room to the left of it, or above it. */
  readonly late: boolean
  readonly low: boolean
}

interface Props {
  readonly run: Run
  readonly clock: RunClock
  readonly pointed: Pointed
}

/** The whole state of a node, or a message, next to it. */
export function Tooltip({ run, clock, pointed }: Props) {
  const frame = run.frame(clock.step.value)
  if (frame === null) return null
  const { node, flight, x, y, near, late, low } = pointed
  const place = {
    [late ? 'right' : 'left']: late ? `calc(100% - ${x - near}px)` : `${x + near}px`,
    [low ? 'bottom' : 'top']: low ? `calc(100% - ${y - 12}px)` : `${y + 12}px`,
  }
  return (
    <div class="tooltip details" role="status" style={place}>
      {node !== null ? (
        <NodeDetails frame={frame} node={node} />
      ) : (
        flight !== null && <FlightDetails frame={frame} flight={flight} />
      )}
    </div>
  )
}
