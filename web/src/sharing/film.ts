import type { Run } from '../model/run.ts'
import { theme } from '../view/theme.ts'
import { paintView, titleOf } from './pictures.ts'

const WIDTH = 960
const HEIGHT = 720
const FRAMES_PER_SECOND = 25
const LONGEST_SECONDS = 20
const TITLE = 34

/** A film of a whole run, about a second for each unit of time, at most twenty seconds. */
export async function filmOf(run: Run, onProgress: (share: number) => void): Promise<Blob> {
  const log = run.log.value
  if (log === null || log.steps === 0) throw new Error('there is no run to film')
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')!
  const first = Math.min(0, log.timeOf(0))
  const last = log.timeOf(log.steps - 1)
  const seconds = Math.min(LONGEST_SECONDS, Math.max(2, last - first))
  const show = (share: number) => {
    const time = first + (last - first) * Math.min(1, share)
    pen.fillStyle = theme.value.surface
    pen.fillRect(0, 0, WIDTH, HEIGHT)
    pen.save()
    pen.translate(0, TITLE)
    const moment = { step: log.stepsUntil(time), time }
    paintView(pen, 'stage', run, moment, WIDTH, HEIGHT - TITLE)
    pen.restore()
    pen.fillStyle = theme.value.ink
    pen.font = '600 18px system-ui'
    pen.textAlign = 'left'
    pen.textBaseline = 'middle'
    pen.fillText(`${titleOf(run)}, ${log.world.unit} ${Math.floor(time)}`, 14, TITLE / 2 + 4)
  }
  show(0)
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_SECOND), {
    mimeType: 'video/webm',
  })
  const pieces: Blob[] = []
  recorder.ondataavailable = ({ data }) => pieces.push(data)
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  // It may take a while until the first frame is captured.
  const started = new Promise((resolve) => {
    recorder.onstart = resolve
  })
  recorder.start()
  await started
  const begun = performance.now()
  for (let share = 0; share < 1.05; ) {
    await new Promise(requestAnimationFrame)
    share = (performance.now() - begun) / 1000 / seconds
    show(share)
    onProgress(Math.min(1, share))
  }
  recorder.stop()
  await stopped
  return new Blob(pieces, { type: 'video/webm' })
}
