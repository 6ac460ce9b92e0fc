import type { ExplainedRun, ExplainedStep, ModelOptions } from '../../check/index.ts'
import { realIds, type World } from '../../core/language/world.ts'
import { counted } from '../../core/text-format.ts'
import type { DiagramSetting } from '../../diagram/caption.ts'
import { spaceTime } from '../../diagram/space-time/space-time.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { traceHead } from '../../trace/trace-file.ts'
import { writeWhole } from '../terminal/output-file.ts'

/** A run of the explorer, and what it is a run of. */
export interface ExplainedFiles {
  readonly scenario: ScenarioInput
  readonly world: World
  readonly rules: ModelOptions
  readonly story: ExplainedRun
  /** What it is, where it breaks nothing. */
  readonly kind?: string
  /** What it breaks, and how; null where it breaks nothing. */
  readonly broken: { readonly property: string; readonly detail: string } | null
}

/** Writes the run into the files that were asked for. */
export function writeCounterexample(
  told: ExplainedFiles,
  { trace, svg }: { readonly trace?: string; readonly svg?: string },
): void {
  const { scenario, rules, story, broken } = told
  const property = broken?.property ?? null
  if (trace !== undefined) {
    const head = traceHead(scenario, { rules, property, moves: story.transitions })
    const lines = [head, ...story.events.map((event) => JSON.stringify(event))]
    writeWhole(trace, `${lines.join('\n')}\n`, '--trace')
  }
  if (svg !== undefined) writeWhole(svg, pictureOf(told), '--svg')
}

function pictureOf({ world, story, kind = 'a sample run', broken }: ExplainedFiles): string {
  const { algorithm, topology } = world
  const { length } = story.trace
  const steps = counted(length, 'step')
  const last = story.trace.at(-1)
  const where = `${algorithm.name} on ${topology.name}`
  return spaceTime(story.events, {
    ...settingOf(story, world),
    title: broken === null ? where : `${where}: "${broken.property}" is broken`,
    subtitle:
      broken === null ? `${kind}, ${steps}` : `${broken.detail}; a counterexample of ${steps}`,
    n: topology.n,
    ring: topology.kind === 'ring',
    ...(broken !== null && last && { broken: spotOf(last) }),
  })
}

/** Time passes for all, and what happens to a message or a link happens to no node. */
const NOWHERE: readonly ExplainedStep['event'][] = ['tick', 'lose', 'double', 'cut']

function spotOf({ at, node, event }: ExplainedStep) {
  return node === undefined || NOWHERE.includes(event) ? { at } : { at, node }
}

export function settingOf({ unit }: ExplainedRun, world: World): DiagramSetting {
  return {
    unit,
    ...(world.algorithm.needs.ids && { ids: realIds(world) }),
  }
}
