import type { Pen } from '../../../src/diagram/pen.ts'
import { SvgPen } from '../../../src/diagram/svg-pen.ts'
import { runTitle } from '../address/title.ts'
import { paintConvergence } from '../diagram/diagram.tsx'
import { DiagramState, seenDiagram } from '../diagram/space-time/diagram-state.ts'
import { LaneGrid } from '../diagram/space-time/lanes.ts'
import { paintDiagram } from '../diagram/space-time/live-diagram.ts'
import { cycleOf } from '../model/clock.ts'
import type { Player } from '../model/player.ts'
import type { ShownRun } from '../model/run.ts'
import { paintStage } from '../stage/picture.ts'
import { theme } from '../view/theme.ts'

export type PictureView = 'stage' | 'diagram'

const SIZES = { stage: [960, 720], diagram: [1280, 520] } as const
/** Pixels for each unit of length in a PNG. */
const SHARPNESS = 2

/** Paints a view of a run at the player's time on a surface of this size. */
export function paintView(
  pen: Pen,
  view: PictureView,
  run: ShownRun,
  { step, time }: { readonly step: number; readonly time: number },
  width: number,
  height: number,
): void {
  const frame = run.frame(step)
  if (frame === null) return
  const { log } = frame
  if (view === 'stage') {
    paintStage(pen, run, frame, time, width, height, theme.value)
    return
  }
  if (run.cycles.value.length > 0) {
    paintConvergence(pen, run.cycles.value, cycleOf(run, time), width, height, theme.value)
    return
  }
  const seen = seenDiagram.value?.run === run ? seenDiagram.value.state : new DiagramState()
  const span = seen.spanAt(log, time)
  const lanes = new LaneGrid(seen.orderOf(log), width, height, span)
  const shown = { span, time, step, chosen: null, past: null, secret: false }
  paintDiagram(pen, frame, shown, lanes, theme.value)
}

export function svgOf(view: PictureView, run: ShownRun, player: Player): Blob {
  const [width, height] = SIZES[view]
  const pen = new SvgPen()
  paintView(pen, view, run, momentOf(player), width, height)
  const svg = pen.picture({ width, height, title: runTitle(run), paper: theme.value.surface })
  return new Blob([svg], { type: 'image/svg+xml' })
}

export async function pngOf(view: PictureView, run: ShownRun, player: Player): Promise<Blob> {
  const [width, height] = SIZES[view]
  const canvas = document.createElement('canvas')
  canvas.width = width * SHARPNESS
  canvas.height = height * SHARPNESS
  const pen = canvas.getContext('2d')!
  pen.scale(SHARPNESS, SHARPNESS)
  pen.fillStyle = theme.value.surface
  pen.fillRect(0, 0, width, height)
  paintView(pen, view, run, momentOf(player), width, height)
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob!), 'image/png'))
}

function momentOf({ step, time }: Player) {
  return { step: step.value, time: time.value }
}
