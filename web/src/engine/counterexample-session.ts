import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { snapshotsOf } from '../../../src/check/index.ts'
import { replayChecked } from '../../../src/trace/replay-check.ts'
import { readTrace } from '../../../src/trace/trace-file.ts'
import type { Session, Tell } from './protocol.ts'

/** Makes the run of a trace of the explorer again, if that is what its definition still does. */
export function* counterexampleSession(trace: string, tell: Tell): Session {
  const file = readTrace(trace, 'The file')
  const { name, explored } = { name: file.scenario.algorithm, explored: file.explored }
  const algorithm = catalogue.find((one) => one.name === name)
  const aggregation = aggregations.find((one) => one.name === name)
  const what = algorithm ? { algorithm, demands: [] } : aggregation && { aggregation }
  yield
  const scenes = what && explored && snapshotsOf(...runOf())
  yield tell({ what: 'retraced', scenes: scenes ?? [] })

  function runOf() {
    const { world } = replayChecked(file, explored!, what!, 'The file', noFile)
    return [world, explored!.rules, explored!.moves] as const
  }
}

function noFile(): never {
  throw new Error('there are no files here')
}
