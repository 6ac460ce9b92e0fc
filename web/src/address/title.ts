import { titleOf } from '../model/algorithm-list.ts'
import { branches, run } from '../model/lab.ts'
import { lessonTitle, place } from '../model/place.ts'
import type { ShownRun } from '../model/run.ts'
import { exhibitOf } from '../panel/gallery.ts'

const NETWORKS: Readonly<Record<string, string>> = {
  ring: 'a ring',
  complete: 'a complete network',
}

/** What a run is called: as in the gallery, by its own title, or by its algorithm and network. */
export function runTitle({ scenario, log }: ShownRun): string {
  const exhibit = exhibitOf(scenario)
  if (exhibit !== null) return exhibit.title
  if (typeof scenario.title === 'string' && scenario.title !== '') return scenario.title
  const world = log.value?.world
  if (world === undefined) return titleOf(scenario.algorithm ?? 'A run')
  return `${titleOf(world.algorithm)} on ${NETWORKS[world.kind] ?? 'a network'} of ${world.n}`
}

/** The title of the page: what it shows. */
export function pageTitle(): string {
  const shown = place.value
  if (shown.name === 'lessons') return 'Lessons in leader election · Conclave'
  if (shown.name === 'lesson') return `${lessonTitle.value || 'Lesson'} · Conclave`
  const { origin } = run.value
  const title = runTitle(branches.value[0])
  return origin === null ? `${title} · Conclave lab` : `${title}: ${origin.change} · Conclave lab`
}
