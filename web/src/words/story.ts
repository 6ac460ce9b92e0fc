import type { NodeDisplay } from '../../../src/core/language/display.ts'
import { counted } from '../../../src/core/text-format.ts'
import { STATUSES } from '../recording/events.ts'
import { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import { nodeNames } from './names.ts'
import { combined, manyNodes, type Predicate, predicateOf } from './phrases.ts'

/** Moments with more steps are summed up by numbers. */
const STEPS_TOLD = 400
/** At most this many candidates are named. */
const CANDIDATES_NAMED = 6

const UNDECIDED = STATUSES.indexOf('unknown')

/** What nodes do in the steps from `first` on, and why; null where no step has a reason. */
export function storyOf(frame: RunFrame, first: number): string | null {
  const { log, step } = frame
  if (step - first > STEPS_TOLD) return null
  const predicates: Predicate[] = []
  for (let one = first; one < step; one++) {
    const words = log.reason(one)
    if (words !== null) predicates.push({ node: log.nodeOf(one), words })
  }
  const many = predicates.length > 2
  const passive = many ? newlyPassive(frame, first) : []
  if (passive.length > 1) return race(frame, passive)
  const moved = many ? regrouped(frame, first) : []
  if (moved.length > 1) return grouping(frame, moved)
  return predicates.length === 0 ? null : combined(frame, predicates)
}

/** Nodes that have given up since a step: they no longer compete. */
function newlyPassive(frame: RunFrame, first: number): number[] {
  return changed(frame, first, (now, before) => now?.passive === true && before?.passive !== true)
}

/** Nodes that have changed from one group to another since a step. */
function regrouped(frame: RunFrame, first: number): number[] {
  return changed(
    frame,
    first,
    (now, before) => before?.group !== undefined && now?.group !== before.group,
  )
}

type Shown = NodeDisplay | null

/** The nodes that act from a step on and whose display changes in this way. */
function changed(
  frame: RunFrame,
  first: number,
  so: (now: Shown, before: Shown) => boolean,
): number[] {
  const { log, step } = frame
  const acted = new Set<number>()
  for (let one = first; one < step; one++) acted.add(log.nodeOf(one))
  const before = earlier(log).seek(first)
  return [...acted].filter((node) => so(frame.display(node), before.display(node)))
}

/** Who has changed its group, and how many groups are left. */
function grouping(frame: RunFrame, moved: readonly number[]): string {
  const name = frame.log.world.display?.group ?? 'group'
  const groups = new Set<string>()
  for (const node of frame.status.keys()) {
    const { group } = frame.display(node) ?? {}
    if (group !== undefined) groups.add(group)
  }
  const joined = `${manyNodes(frame, moved)} ${predicateOf(moved, `joins another ${name}`)}`
  if (groups.size === 1) return `${joined}; all nodes are in one ${name} now`
  return `${joined}; ${counted(groups.size, name)} are left`
}

/** Who has given up, and who is left. */
function race(frame: RunFrame, passive: readonly number[]): string {
  const given = `${manyNodes(frame, passive)} ${predicateOf(passive, 'becomes passive')}`
  const { status } = frame
  const left = [...status.keys()].filter((node) => {
    const shown = status[node] === UNDECIDED ? frame.display(node) : null
    return shown !== null && shown.passive !== true
  })
  if (left.length === 0) return given
  if (left.length === 1) return `${given}; only ${nodeNames(frame, left)} is still a candidate`
  const names =
    left.length > CANDIDATES_NAMED ? counted(left.length, 'node') : nodeNames(frame, left)
  return `${given}; ${names} stay candidates`
}

/** A frame of each run to look back with: it moves, as the frames of runs do. */
const frames = new WeakMap<RunLog, RunFrame>()

function earlier(log: RunLog): RunFrame {
  const frame = frames.get(log) ?? new RunFrame(log)
  frames.set(log, frame)
  return frame
}
