import { effect, signal } from '@preact/signals'
import { SvgPen } from '../../../../src/diagram/svg-pen.ts'
import { ShownRun } from '../../model/run.ts'
import { paintView } from '../../sharing/pictures.ts'
import { theme } from '../../view/theme.ts'
import type { Lesson, ShownScenario } from '../format/lesson.ts'

/** A part of the run's time at which a still picture shows it, if the lesson names none. */
const SOON = 0.3
const WIDTH = 640
const HEIGHT = 420

/** Still pictures for paper: addresses by lesson and part. */
const stills = signal<ReadonlyMap<string, string>>(new Map())

/** The still picture of a scenario; only paper shows it. */
export function Still({ lesson, index }: { readonly lesson: Lesson; readonly index: number }) {
  const source = stills.value.get(`${lesson.slug} ${index}`)
  return source === undefined ? null : <img class="still" src={source} alt="" />
}

/** Makes a still picture of every scenario, then opens the dialog of the browser. */
export async function printLesson({ slug, parts }: Lesson): Promise<void> {
  const made = new Map<string, string>()
  for (const [index, part] of parts.entries())
    if (part.kind === 'scenario') made.set(`${slug} ${index}`, await stillOf(part))
  stills.value = made
  await Promise.all(
    [...document.querySelectorAll<HTMLImageElement>('img.still')].map((image) => image.decode()),
  )
  print()
}

async function stillOf({ scenario, at }: ShownScenario): Promise<string> {
  const run = new ShownRun(scenario)
  await new Promise<void>((resolve) => {
    const end = effect(() => {
      if (run.result.value === null && run.refusal.value === null) return
      queueMicrotask(() => end())
      resolve()
    })
  })
  run.end()
  const log = run.log.value
  const last = log?.timeOf(log.steps - 1) ?? 0
  const time = at === 'end' ? last : at === 'start' ? last * SOON : at
  const step = log?.stepsUntil(time) ?? 0
  const pen = new SvgPen()
  paintView(pen, 'stage', run, { step, time }, WIDTH, HEIGHT)
  const title = String(scenario.title ?? '')
  const svg = pen.picture({ width: WIDTH, height: HEIGHT, title, paper: theme.value.surface })
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
