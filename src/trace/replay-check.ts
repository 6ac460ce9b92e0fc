import { anyFault, type Replay, renewing, replay, type Verdict } from '../check/index.ts'
import { Complaint } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { type Explorable, subjectOf } from '../scenario/check-target.ts'
import { Comparison } from './trace-diff.ts'
import type { Explored, TraceFile } from './trace-file.ts'

/** A run that the checker found, made again step by step. */
export interface CheckedReplay extends Replay {
  readonly world: World
}

/** Makes the run of a trace of the checker again, and refuses one that differs from the file. */
export function replayChecked(
  { scenario, events }: TraceFile,
  { rules, moves, property }: Explored,
  what: Explorable,
  path: string,
  readFile: (path: string) => string,
): CheckedReplay {
  const subject = subjectOf(what, scenario, (field) => `${path}: ${field}`, readFile)
  const faults = rules.faults ?? {}
  const world = renewing(subject.world, faults)
  const properties = subject.properties(anyFault(faults))
  const replayed = movesAgain()
  const comparison = new Comparison(path, events)
  for (const event of replayed.events) comparison.meet(JSON.stringify(event))
  comparison.end()
  return {
    ...replayed,
    properties: [...replayed.properties, ...unasked(replayed, property)],
    world,
  }

  function movesAgain(): Replay {
    try {
      return replay(world, rules, properties, moves)
    } catch (error) {
      throw error instanceof Complaint ? error.at(`${path}: ${error.where}`) : error
    }
  }
}

/** What the trace says is broken, where nobody demands it: the definition that did is another. */
function unasked({ properties }: Replay, property: string | null): Verdict[] {
  if (property === null || properties.some(({ name }) => name === property)) return []
  return [{ name: property, holds: null, detail: 'not judged, since nobody demands it here' }]
}
