import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'

/** The space-time diagram of a run, in step with the stage. */
export function Diagram(_: { readonly run: Run; readonly player: Player }) {
  return <section class="diagram" aria-label="Space-time diagram" />
}
