import { type Aggregation, findDefinition } from '../../../../src/algorithms/index.ts'
import { snapshotsOf } from '../../../../src/check/index.ts'
import type { Algorithm } from '../../../../src/core/index.ts'
import { neededNetworks } from '../../../../src/core/language/validation/needed-networks.ts'
import { shownNaming } from '../../../../src/core/language/world.ts'
import { explorable } from '../../../../src/scenario/check-target.ts'
import { prepare, type ScenarioInput } from '../../../../src/scenario/index.ts'
import { resultOf, simulationOf } from '../../../../src/sim/index.ts'
import { replayChecked } from '../../../../src/trace/replay-check.ts'
import { readTraceFile } from '../../../../src/trace/trace-file.ts'
import type { Session } from '../protocol.ts'
import type { CheckerReply } from './protocol.ts'
import { counterexampleFields } from './prove-session.ts'

/** The sizes of the measured networks, and the number of seeds of each. */
const SIZES = [4, 8, 16, 32, 64, 128, 256]
const DRAWS = 5
/** A run with more messages than this is stopped. */
const MOST_MESSAGES = 2_000_000

/** Counts messages on growing networks of the kind that the algorithm needs. */
export function* measurementSession(
  given: ScenarioInput,
  algorithm: Algorithm,
  reply: CheckerReply,
): Session {
  const kind = algorithm.needs.topology
  for (const n of SIZES) {
    const totals: number[] = []
    for (let seed = 1; seed <= DRAWS; seed++) {
      const topology =
        kind === 'any' ? `random:${n}:${Math.min(1, 8 / n)}` : neededNetworks[kind].sized(n)!
      const scenario = {
        topology,
        seed,
        ...(given.timing !== undefined && { timing: given.timing }),
      }
      const limited = { ...scenario, 'max-messages': MOST_MESSAGES }
      const { world, conditions, properties } = prepare(limited, algorithm, String)
      const simulation = simulationOf(world, conditions, properties)
      const { messages, verdict } = resultOf(simulation, simulation.finish())
      totals.push(messages.total)
      if (!verdict.ok) {
        const broken = verdict.properties.find(({ holds }) => holds !== true)
        reply({ what: 'measured', n, totals, broken: `seed ${seed}: ${broken?.detail}` })
        return
      }
      yield
    }
    reply({ what: 'measured', n, totals, broken: null })
  }
}

/** Replays a trace of the checker, if its definition still behaves in that way. */
export function* replaySession(
  trace: string,
  own: Algorithm | Aggregation | null,
  reply: CheckerReply,
): Session {
  const file = readTraceFile(trace, 'The file')
  const { name, explored } = { name: file.scenario.algorithm, explored: file.explored }
  const found = own ?? findDefinition(name)
  yield
  if (!found || explored === null) {
    yield reply({ what: 'replayed', snapshots: [], counterexample: null })
    return
  }
  const { world } = replayChecked(file, explored, explorable(found), 'The file', noFile)
  const { rules, moves, induction } = explored
  yield reply({
    what: 'replayed',
    snapshots: snapshotsOf(world, rules, moves, shownNaming),
    counterexample: induction
      ? { ...induction.cti, fields: counterexampleFields(world.algorithm), arcs: [] }
      : null,
  })
}

function noFile(): never {
  throw new Error('there are no files here')
}
