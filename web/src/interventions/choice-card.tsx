import { FlightDetails, NodeDetails } from '../inspector/inspector.tsx'
import type { Player } from '../model/player.ts'
import type { ShownRun } from '../model/run.ts'
import { chooseNothing, chosenFlight, chosenNodes } from '../model/selection.ts'
import type { RunFrame } from '../recording/frame.ts'
import { Icon } from '../view/icon.tsx'
import { embedded, parts, presenting } from '../view/layout.ts'
import { linkName, nodeNames, sentenceStart } from '../words/names.ts'
import { Offers } from './intervention-panel.tsx'
import './choice-card.css'

/** More chosen nodes are counted. */
const NODES_NAMED = 6

/** What is chosen and what can be done to it, on the stage: for those who have no panel for it. */
export function ChoiceCard({ run, player }: { readonly run: ShownRun; readonly player: Player }) {
  const chosen = chosenNodes.value.size > 0 || chosenFlight.value !== null
  const elsewhere = parts.value.has('changes') && !presenting.value
  if (!chosen || elsewhere || embedded) return null
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return null
  return (
    <section class="choice-card details" aria-label="Chosen">
      <button type="button" class="flat close" aria-label="Choose nothing" onClick={chooseNothing}>
        <Icon name="close" />
      </button>
      <Choice frame={frame} />
      {run.recording === null && <Offers frame={frame} player={player} />}
    </section>
  )
}

function Choice({ frame }: { readonly frame: RunFrame }) {
  const nodes = [...chosenNodes.value].filter((node) => node < frame.status.length)
  const flight = chosenFlight.value
  if (flight !== null) return <FlightDetails frame={frame} flight={flight} />
  if (nodes.length === 1) return <NodeDetails frame={frame} node={nodes[0]} />
  if (nodes.length === 2) return <h2>Link {linkName(frame, nodes[0], nodes[1])}</h2>
  return (
    <h2>
      {nodes.length > NODES_NAMED
        ? `${nodes.length} nodes`
        : sentenceStart(nodeNames(frame, nodes))}
    </h2>
  )
}
