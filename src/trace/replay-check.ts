import { anyFault, type ReplayResult, replay, withRestarts } from '../check/index.ts'
import { UsageError, type Verdict } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { checkTargetOf, type Explorable } from '../scenario/check-target.ts'
import { TraceDiff } from './trace-diff.ts'
import type { CheckedTrace, TraceFile } from './trace-file.ts'

/** A run that the checker found, made again step by step. */
export interface CheckedReplayResult extends ReplayResult {
  readonly world: World
}

/** Makes the run of a trace of the checker again, and refuses one that differs from the file. */
export function replayChecked(
  { scenario, events }: TraceFile,
  { rules, moves, property }: CheckedTrace,
  what: Explorable,
  path: string,
  readFile: (path: string) => string,
): CheckedReplayResult {
  const subject = checkTargetOf(what, scenario, (field) => `${path}: ${field}`, readFile)
  const faults = rules.faults ?? {}
  const world = withRestarts(subject.world, faults)
  const properties = subject.properties(anyFault(faults))
  const replayed = movesAgain()
  const comparison = new TraceDiff(path, events)
  for (const event of replayed.events) comparison.meet(JSON.stringify(event))
  comparison.end()
  return {
    ...replayed,
    properties: [...replayed.properties, ...unasked(replayed, property)],
    world,
  }

  function movesAgain(): ReplayResult {
    try {
      return replay(world, rules, properties, moves)
    } catch (error) {
      throw error instanceof UsageError ? error.at(`${path}: ${error.where}`) : error
    }
  }
}

/** What the trace says is broken, where nobody demands it: the definition that did is another. */
function unasked({ properties }: ReplayResult, property: string | null): Verdict[] {
  if (property === null || properties.some(({ name }) => name === property)) return []
  return [{ name: property, holds: null, detail: 'not judged, since nobody demands it here' }]
}
