import { useSignal } from '@preact/signals'
import type { RunControls } from '../model/clock.ts'
import type { Run } from '../model/run.ts'
import { Convergence } from './convergence.tsx'
import { SpaceTime } from './space-time/space-time-view.tsx'
import './diagram.css'

interface Props {
  readonly run: Run
  readonly player: RunControls
}

/** A run over time, in step with the stage: its messages, or the convergence of its estimates. */
export function Diagram({ run, player }: Props) {
  const curve = useSignal(true)
  const aggregation = run.cycles.value.length > 0
  const both = aggregation && run.log.value?.world.unit === 'time'
  return (
    <section class="diagram" aria-label="Space-time diagram">
      {both && (
        <div class="tools">
          {CHOICES.map(([words, wanted]) => (
            <button
              type="button"
              key={words}
              aria-pressed={curve.value === wanted}
              onClick={() => {
                curve.value = wanted
              }}
            >
              {words}
            </button>
          ))}
        </div>
      )}
      {aggregation && (curve.value || !both) ? (
        <Convergence run={run} player={player} />
      ) : (
        <SpaceTime run={run} player={player} />
      )}
    </section>
  )
}

const CHOICES = [
  ['Convergence', true],
  ['Messages', false],
] as const
