import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'

/** What can be done to the run at this moment, and the branches that came of it. */
export function Breaking(_: { readonly run: Run; readonly player: Player }) {
  return <section class="breaking" aria-label="Break it" />
}
