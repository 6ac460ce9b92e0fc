import type { Run } from '../model/run.ts'
import { parts } from '../view/layout.ts'

/** In place of the scenario: what is known of a run that was only written down. */
export function Recorded({ run }: { readonly run: Run }) {
  if (run.recording === null) return null
  const { world, events, scenes = [], broken } = run.recording
  return (
    <aside class="panel recorded" hidden={!parts.value.has('scenario')} aria-label="Recording">
      <h2>A recording</h2>
      <p>
        {world.algorithm} on {world.topology}, {events.length} events.
      </p>
      {broken && <p>Its last step breaks "{broken.property}".</p>}
      <p class="told">
        It is shown as it was written down.{' '}
        {scenes.length === 0 &&
          'Nodes are known by what they did: their whole state is not in it. '}
        Pick something from the gallery to simulate again.
      </p>
    </aside>
  )
}
