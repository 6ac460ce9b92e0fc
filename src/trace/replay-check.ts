import { anyFault, type ReplayResult, replay, withRestarts } from '../check/index.ts'
import { UsageError, type Verdict } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { checkTargetOf, type Explorable } from '../scenario/check-target.ts'
import { TraceDiff } from './trace-diff.ts'
import type { CheckedTrace, TraceFile } from './trace-file.ts'

/** A run that the checker found, replayed step by step. */
export interface CheckedReplayResult extends ReplayResult {
  readonly world: World
}

/** Replays a trace of the checker, and rejects it where the run differs from the file. */
export function replayChecked(
  { scenario, events }: TraceFile,
  { rules, moves, property }: CheckedTrace,
  what: Explorable,
  path: string,
  readFile: (path: string) => string,
): CheckedReplayResult {
  const target = checkTargetOf(what, scenario, (field) => `${path}: ${field}`, readFile)
  const faults = rules.faults ?? {}
  const world = withRestarts(target.world, faults)
  const properties = target.properties(anyFault(faults))
  const replayed = replayMoves()
  const recorded = new TraceDiff(path, events)
  for (const event of replayed.events) recorded.compare(JSON.stringify(event))
  recorded.end()
  return {
    ...replayed,
    properties: [...replayed.properties, ...missingProperty(replayed, property)],
    world,
  }

  function replayMoves(): ReplayResult {
    try {
      return replay(world, rules, properties, moves)
    } catch (error) {
      throw error instanceof UsageError ? error.at(`${path}: ${error.where}`) : error
    }
  }
}

/** The property that the trace violates, if this definition does not have it. */
function missingProperty({ properties }: ReplayResult, property: string | null): Verdict[] {
  if (property === null || properties.some(({ name }) => name === property)) return []
  return [
    {
      name: property,
      holds: null,
      detail: 'not checked, because this definition has no such property',
    },
  ]
}
