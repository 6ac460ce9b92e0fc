import {
  boundedDelay,
  check,
  defaultMode,
  defaultOptions,
  type ModelOptions,
  snapshotsOf,
} from '../../../src/check/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { resultOf, simulate } from '../../../src/sim/index.ts'
import type { Session, Tell } from './protocol.ts'
import { factsOf } from './world-facts.ts'

/** Enough for a few nodes, and a matter of seconds. */
const STATES = 300_000
/** Networks that grow, and how often each is drawn. */
const SIZES = [4, 8, 16, 32, 64, 128, 256]
const DRAWS = 5
/** So many messages are certainly too many. */
const MOST_MESSAGES = 2_000_000

/** Explores every interleaving of a small world, up to a limit of states. */
export function* checkSession(given: ScenarioInput, algorithm: Algorithm, tell: Tell): Session {
  const explored = { ...given, ...delaysFor(algorithm) }
  const { world, properties, conditions } = prepare(explored, algorithm, String)
  yield
  const rules: ModelOptions = { ...defaultOptions(algorithm, conditions.starts.nodes), faults: {} }
  const result = check(world, { ...rules, properties, limits: { states: STATES } })
  const { violated } = result
  const unit = violated?.unit ?? 'step'
  const scenes = violated === null ? [] : snapshotsOf(world, rules, violated.transitions)
  yield tell({ what: 'explored', result, world: factsOf(world, unit), scenes })
}

/** Rounds would leave no choice of delays to an algorithm that knows their bound. */
function delaysFor(algorithm: Algorithm): ScenarioInput {
  const { delay } = boundedDelay(algorithm, defaultMode(algorithm))
  return delay === undefined ? {} : { timing: 'async', delay }
}

/** Counts messages on growing networks of the kind that the algorithm needs. */
export function* measurementSession(
  given: ScenarioInput,
  algorithm: Algorithm,
  tell: Tell,
): Session {
  const kind = algorithm.needs.topology
  for (const n of SIZES) {
    const totals: number[] = []
    for (let seed = 1; seed <= DRAWS; seed++) {
      const topology = kind === 'any' ? `random:${n}:${Math.min(1, 8 / n)}` : `${kind}:${n}`
      const scenario = {
        topology,
        seed,
        ...(given.timing !== undefined && { timing: given.timing }),
      }
      const limited = { ...scenario, 'max-messages': MOST_MESSAGES }
      const { world, conditions, properties } = prepare(limited, algorithm, String)
      const simulation = simulate(world, conditions, properties)
      const { messages, verdict } = resultOf(simulation, simulation.finish())
      totals.push(messages.total)
      if (!verdict.ok) {
        const broken = verdict.properties.find(({ holds }) => holds !== true)
        tell({ what: 'measured', n, totals, broken: `seed ${seed}: ${broken?.detail}` })
        return
      }
      yield
    }
    tell({ what: 'measured', n, totals, broken: null })
  }
}
