import {
  type ExplainedRun,
  type ExplainedStep,
  type ModelOptions,
  snapshotsOf,
} from '../../check/index.ts'
import { realIds, type World } from '../../core/language/world.ts'
import { counted } from '../../core/text-format.ts'
import type { DiagramSetting } from '../../diagram/diagram-setting.ts'
import { spaceTime } from '../../diagram/space-time/space-time.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import type { TracedInduction } from '../../trace/given-start.ts'
import { traceHead } from '../../trace/trace-file.ts'
import { eventsPicture, pictureFile } from '../run/network-pictures.ts'
import { writeWhole } from '../terminal/output-file.ts'
import { loopInWords } from './counterexample-report.ts'

/** A run of the checker with its scenario. */
export interface ExplainedFiles {
  readonly scenario: ScenarioInput
  readonly world: World
  readonly model: ModelOptions
  readonly run: ExplainedRun & { readonly loop?: number }
  /** Where it is a counterexample to induction. */
  readonly induction?: TracedInduction
  /** What it shows if it violates nothing. */
  readonly kind?: string
  /** The violated property and how; null if it violates nothing. */
  readonly violation: { readonly property: string; readonly detail: string } | null
}

/** Writes the run into the requested files. */
export function writeCounterexample(
  explained: ExplainedFiles,
  { trace, svg }: { readonly trace?: string; readonly svg?: string },
): void {
  const { scenario, model, run, violation, induction } = explained
  const property = violation?.property ?? null
  if (trace !== undefined) {
    const moves = run.transitions
    const explored = { rules: model, property, moves, ...(induction && { induction }) }
    const head = traceHead(scenario, explored)
    const lines = [head, ...run.events.map((event) => JSON.stringify(event))]
    writeWhole(trace, `${lines.join('\n')}\n`, '--trace')
  }
  if (svg === undefined) return
  const { path, network } = pictureFile(svg)
  writeWhole(path, network ? networkOf(explained) : diagramOf(explained), '--svg')
}

/** The network after the last step. */
function networkOf(explained: ExplainedFiles): string {
  const { world, run, model } = explained
  const last = snapshotsOf(world, model, run.transitions).at(-1)
  return eventsPicture(run.events, world, headingOf(explained), last?.displays)
}

function headingOf({ world, run, kind = 'a sample run', violation }: ExplainedFiles) {
  const { algorithm, topology } = world
  const { length } = run.trace
  const lasso = run.loop === undefined ? '' : `; ${loopInWords(run.loop, length)}`
  const steps = counted(length, 'step') + lasso
  const where = `${algorithm.name} on ${topology.name}`
  return {
    title: violation === null ? where : `${where}: "${violation.property}" is violated`,
    subtitle:
      violation === null
        ? `${kind}, ${steps}`
        : `${violation.detail}; a counterexample of ${steps}`,
  }
}

function diagramOf(explained: ExplainedFiles): string {
  const { world, run, violation } = explained
  const { topology } = world
  const last = run.trace.at(-1)
  return spaceTime(run.events, {
    ...settingOf(run, world),
    ...headingOf(explained),
    n: topology.n,
    ring: topology.kind === 'ring',
    ...(violation !== null && last && { broken: spotOf(last) }),
  })
}

/** Events that do not happen at a node: ticks, and faults of messages and links. */
const NO_NODE: readonly ExplainedStep['event'][] = ['tick', 'lose', 'double', 'cut', 'part', 'heal']

function spotOf({ at, node, event }: ExplainedStep) {
  return node === undefined || NO_NODE.includes(event) ? { at } : { at, node }
}

export function settingOf({ unit }: ExplainedRun, world: World): DiagramSetting {
  return {
    unit,
    ...(world.algorithm.needs.ids && { ids: realIds(world) }),
  }
}
