import type { ShownRun } from '../../model/run.ts'
import type { RunLog } from '../../recording/run-log.ts'
import { theme } from '../../view/theme.ts'
import { paintView } from '../pictures.ts'
import type { FilmFrame } from './gif.ts'

const LONGEST_SECONDS = 20
/** Videos are larger and smoother than GIFs, which have no means against their size. */
const VIDEO = { width: 960, height: 720, perSecond: 25 }
const GIF = { width: 640, height: 480, perSecond: 12.5 }
/** Frames from which the colours of a GIF are chosen. */
const SAMPLES = 12

/** The formats in which a run can be filmed, in the order of preference for each ending. */
const VIDEOS = {
  mp4: ['video/mp4;codecs=avc1.42E01E', 'video/mp4;codecs=avc1', 'video/mp4'],
  webm: ['video/webm;codecs=vp9', 'video/webm'],
} as const
export type VideoFormat = keyof typeof VIDEOS

/** The videos that this browser can write. */
export function videoFormats(): VideoFormat[] {
  return (['mp4', 'webm'] as const).filter((format) => mimeOf(format) !== undefined)
}

function mimeOf(format: VideoFormat): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined
  return VIDEOS[format].find((type) => MediaRecorder.isTypeSupported(type))
}

/** A film in the making: how far it is, and whether it is still wanted. */
export interface FilmProgress {
  readonly signal: AbortSignal
  report(share: number): void
}

/** The run from its beginning to its end, about a second for each unit of time. */
class FilmedRun {
  readonly canvas = document.createElement('canvas')
  readonly seconds: number
  private readonly pen: CanvasRenderingContext2D
  private readonly log: RunLog
  private readonly first: number
  private readonly last: number

  constructor(
    private readonly run: ShownRun,
    readonly width: number,
    readonly height: number,
  ) {
    const log = run.log.value
    if (log === null || log.steps === 0) throw new Error('there is no run to film')
    this.log = log
    this.first = Math.min(0, log.timeOf(0))
    this.last = log.timeOf(log.steps - 1)
    this.seconds = Math.min(LONGEST_SECONDS, Math.max(2, this.last - this.first))
    this.canvas.width = width
    this.canvas.height = height
    this.pen = this.canvas.getContext('2d', { willReadFrequently: true })!
  }

  /** Paints the moment after this share of the film. */
  show(share: number): void {
    const time = this.first + (this.last - this.first) * Math.min(1, share)
    this.pen.fillStyle = theme.value.surface
    this.pen.fillRect(0, 0, this.width, this.height)
    const moment = { step: this.log.stepsUntil(time), time }
    paintView(this.pen, 'stage', this.run, moment, this.width, this.height)
  }

  frame(share: number): FilmFrame {
    this.show(share)
    return this.pen.getImageData(0, 0, this.width, this.height)
  }
}

/** A video of a whole run. It takes as long as the film, since browsers record what is shown. */
export async function videoOf(
  run: ShownRun,
  format: VideoFormat,
  { signal, report }: FilmProgress,
): Promise<Blob> {
  const film = new FilmedRun(run, VIDEO.width, VIDEO.height)
  film.show(0)
  const recorder = new MediaRecorder(film.canvas.captureStream(VIDEO.perSecond), {
    mimeType: mimeOf(format)!,
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
  for (let share = 0; share < 1.05 && !signal.aborted; ) {
    await new Promise(requestAnimationFrame)
    share = (performance.now() - begun) / 1000 / film.seconds
    film.show(share)
    report(Math.min(1, share))
  }
  recorder.stop()
  await stopped
  signal.throwIfAborted()
  return new Blob(pieces, { type: `video/${format}` })
}

/** An animated GIF of a whole run, frame by frame as fast as they can be painted. */
export async function gifOf(run: ShownRun, { signal, report }: FilmProgress): Promise<Blob> {
  const { GifWriter } = await import('./gif.ts')
  const film = new FilmedRun(run, GIF.width, GIF.height)
  const frames = Math.ceil(film.seconds * GIF.perSecond)
  const samples = Array.from({ length: SAMPLES }, (_, i) => film.frame(i / (SAMPLES - 1)))
  const writer = new GifWriter(film.width, film.height, samples, 100 / GIF.perSecond)
  for (let i = 0; i <= frames; i++) {
    writer.add(film.frame(i / frames))
    report(i / frames)
    // Other work goes on, and the film can be cancelled.
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
  }
  return writer.finish()
}
