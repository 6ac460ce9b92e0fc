import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'

/** Messages, bits and time so far, against what is proven. */
export function Counts({ run, player }: { readonly run: Run; readonly player: Player }) {
  run.known.value
  const frame = run.frame(player.step.value)
  return (
    <section class="counts" aria-label="Counts">
      <output>{frame?.messages ?? 0} messages</output>
    </section>
  )
}
