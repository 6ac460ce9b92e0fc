import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { chosenFlight, chosenNodes } from '../model/selection.ts'
import { FlightDetails, NodeDetails } from './details.tsx'

/** The whole state of the node, or the message, that was chosen. */
export function Inspector({ run, player }: { readonly run: Run; readonly player: Player }) {
  const node = [...chosenNodes.value].at(-1) ?? null
  const flight = chosenFlight.value
  return (
    <section class="inspector details" aria-label="Inspector">
      {node === null && flight === null ? (
        <p class="hint">Point at a node or a message to see all of it; a click keeps it here.</p>
      ) : (
        <Chosen run={run} player={player} node={node} flight={flight} />
      )}
    </section>
  )
}

interface ChosenProps {
  readonly run: Run
  readonly player: Player
  readonly node: number | null
  readonly flight: number | null
}

/** By itself, so that the play costs nothing where nothing is chosen. */
function Chosen({ run, player, node, flight }: ChosenProps) {
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  if (node !== null && node < frame.status.length) return <NodeDetails frame={frame} node={node} />
  return flight === null ? null : <FlightDetails frame={frame} flight={flight} />
}
