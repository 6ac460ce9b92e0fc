import type { Rules, Story } from '../check/index.ts'
import { realIds, type World } from '../core/world.ts'
import type { Setting } from '../diagram/caption.ts'
import { spaceTime } from '../diagram/space-time.ts'
import { traceHead } from '../replay/trace-file.ts'
import type { Given } from '../scenario/index.ts'
import { writeWhole } from './files.ts'

/** A run of the explorer, and what it is a run of. */
export interface Told {
  readonly scenario: Given
  readonly world: World
  readonly rules: Rules
  readonly story: Story
  /** What it breaks; null where it is a sample. */
  readonly property: string | null
}

/** Writes the run into the files that were asked for. */
export function writeStory(
  told: Told,
  { trace, svg }: { readonly trace?: string; readonly svg?: string },
): void {
  const { scenario, rules, story, property } = told
  if (trace !== undefined) {
    const head = traceHead(scenario, { rules, property, moves: story.moves })
    const lines = [head, ...story.events.map((event) => JSON.stringify(event))]
    writeWhole(trace, `${lines.join('\n')}\n`, '--trace')
  }
  if (svg !== undefined) writeWhole(svg, pictureOf(told), '--svg')
}

function pictureOf({ world, story, property }: Told): string {
  const { algorithm, topology } = world
  const { length } = story.trace
  const steps = `${length} step${length === 1 ? '' : 's'}`
  const where = `${algorithm.name} on ${topology.name}`
  return spaceTime(story.events, {
    ...settingOf(story, world),
    title: property === null ? where : `${where}: "${property}" is broken`,
    subtitle: property === null ? `a sample run, ${steps}` : `a shortest counterexample, ${steps}`,
    n: topology.n,
    ring: topology.kind === 'ring',
  })
}

export function settingOf({ unit }: Story, world: World): Setting {
  return {
    unit: unit === 'round' ? 'round' : 'time',
    ...(world.algorithm.needs.ids && { ids: realIds(world) }),
  }
}
