import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { RunControls } from '../../model/clock.ts'
import { isSecret } from '../../model/prediction.ts'
import type { ShownRun } from '../../model/run.ts'
import { chosenFlight, hoveredFlight } from '../../model/selection.ts'
import { RunFrame } from '../../recording/frame.ts'
import { Canvas } from '../../stage/canvas.tsx'
import { enlarged } from '../../view/layout.ts'
import { theme } from '../../view/theme.ts'
import { causalPast } from './causal-past.ts'
import { DiagramState, seenDiagram } from './diagram-state.ts'
import { DiagramTip } from './diagram-tip.tsx'
import { DiagramTools } from './diagram-tools.tsx'
import { LaneGrid } from './lanes.ts'
import { paintDiagram } from './live-diagram.ts'
import { messagesWith } from './message-search.ts'
import { DiagramPointer } from './pointing.ts'

interface Props {
  readonly run: ShownRun
  readonly player: RunControls
}

/** The space-time diagram: a line for each node, an arrow for each message. */
export function SpaceTime({ run, player }: Props) {
  const state = useMemo(() => new DiagramState(), [run])
  const omitted = useSignal(0)
  const pointer = useMemo(() => new DiagramPointer(run, player, state), [run, player, state])
  const frame = useComputed(() => (run.log.value === null ? null : new RunFrame(run.log.value)))
  const found = useComputed(() => {
    run.known.value
    const log = run.log.value
    return log === null ? null : messagesWith(log, state.search.value)
  })
  useAsSeen(run, state)

  const draw = (pen: CanvasRenderingContext2D, width: number, height: number) => {
    const log = run.log.value
    run.known.value
    if (log === null || frame.value === null || log.steps === 0) return
    const [step, time] = [player.step.value, player.time.value]
    const span = state.spanAt(log, time)
    const grid = new LaneGrid(state.orderOf(log), width, height, span, enlarged.value)
    const view = {
      span,
      time,
      step,
      found: found.value,
      chosen: step > 0 && !player.playing.value ? step - 1 : null,
      past: state.causal.value && step > 0 ? causalPast(log, step - 1) : null,
      secret: isSecret(run, player),
      pointed: hoveredFlight.value ?? chosenFlight.value,
    }
    const painted = paintDiagram(pen, frame.value, view, grid, theme.value)
    pointer.painted(grid, painted.arrows)
    if (omitted.peek() !== painted.omitted)
      queueMicrotask(() => {
        omitted.value = painted.omitted
      })
  }

  return (
    <>
      <DiagramTools
        run={run}
        player={player}
        state={state}
        zoom={(factor) => pointer.zoom(factor, player.time.value)}
        omitted={omitted.value}
        found={found.value}
      />
      <div class="lanes-area">
        <Canvas
          class="lanes"
          role="img"
          aria-label="Space-time diagram: a lane for each node, an arrow for each message"
          draw={draw}
          onWheel={(event) => pointer.turn(event)}
          onPointerDown={(event) => pointer.begin(event)}
          onPointerMove={(event) => pointer.pull(event)}
          onPointerUp={(event) => pointer.drop(event)}
          onPointerCancel={() => pointer.cancel()}
          onPointerLeave={() => pointer.leave()}
        />
        {pointer.tip.value !== null && <DiagramTip run={run} place={pointer.tip.value} />}
      </div>
    </>
  )
}

/** The diagram is the one that is seen while it is there. */
function useAsSeen(run: ShownRun, state: DiagramState): void {
  useEffect(() => {
    seenDiagram.value = { run, state }
    return () => {
      if (seenDiagram.peek()?.state === state) seenDiagram.value = null
    }
  }, [run, state])
}
