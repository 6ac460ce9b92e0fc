import { useComputed } from '@preact/signals'
import { cycleOf, type RunClock } from '../model/clock.ts'
import type { ShownRun } from '../model/run.ts'
import { Canvas } from '../stage/canvas.tsx'
import { scaleOf, truthAt } from '../stage/estimates.ts'
import { type LegendSign, paintScale, ringSigns, SIGN, signsOf } from '../stage/legend-signs.ts'
import { positionsShown } from '../stage/stage.tsx'
import { cramped, embedded } from './layout.ts'
import { theme } from './theme.ts'
import './legend.css'

/** The legend of the stage: every sign that it shows, painted as it is painted there. */
export function Legend({ run, clock }: { readonly run: ShownRun; readonly clock: RunClock }) {
  run.known.value
  const log = run.log.value
  if (log === null) return null
  const estimates = run.cycles.value.length > 0
  return (
    <div class="legend">
      <ul aria-label="Signs" tabIndex={cramped.value ? 0 : undefined}>
        {estimates && <Scale run={run} clock={clock} />}
        {[...signsOf(log, run.cycles.value), ...ringSigns(log)].map((sign) => (
          <Sign key={sign.name} sign={sign} />
        ))}
      </ul>
      {log.world.ids !== null && (
        <button
          type="button"
          class="small"
          aria-pressed={positionsShown.value}
          title="Show the position of each node besides its id"
          onClick={() => {
            positionsShown.value = !positionsShown.value
          }}
        >
          Positions
        </button>
      )}
      {embedded && (
        <a
          href={addressInLab()}
          target="_blank"
          rel="noopener"
          onPointerDown={({ currentTarget }) => {
            // The moment in the address has moved on since.
            currentTarget.href = addressInLab()
          }}
        >
          Open in the lab
        </a>
      )}
    </div>
  )
}

/** The address of the same run at the same moment, outside of a frame. */
function addressInLab(): string {
  const address = new URL(location.href)
  address.searchParams.delete('embed')
  return address.href
}

function Sign({ sign }: { readonly sign: LegendSign }) {
  const draw = (pen: CanvasRenderingContext2D) => sign.paint(pen, SIGN, SIGN, theme.value)
  return (
    <li>
      <Canvas class="sign" aria-hidden="true" draw={draw} />
      {sign.name}
    </li>
  )
}

/** The colours of estimates, which stay the same through a run. */
function Scale({ run, clock }: { readonly run: ShownRun; readonly clock: RunClock }) {
  const truth = useComputed(() => truthAt(run.cycles.value, cycleOf(run, clock.time.value)))
  const draw = (pen: CanvasRenderingContext2D) => {
    const scale = scaleOf(run.cycles.value)
    if (scale !== null) paintScale(pen, scale, truth.value, 0, 2, theme.value)
  }
  return (
    <li>
      estimate <Canvas class="scale" role="img" aria-label="Colours of estimates" draw={draw} />
    </li>
  )
}
