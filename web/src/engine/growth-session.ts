import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import { neededNetworks } from '../../../src/core/language/validation/needed-networks.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { factsForBounds } from '../../../src/sim/bounds.ts'
import type { GrowthPoint, Session, SessionReply } from './protocol.ts'

/** A run with more messages than this is stopped, and the sizes end there. */
const MOST_MESSAGES = 3_000_000
/** Simulated events between two looks at other requests. */
const SLICE = 50_000

/**
 * Counts the messages of an election on growing networks, without the announcement, as its proven
 * bounds do. A network with a size in its name is made in each size.
 */
export function* growthSession(
  given: ScenarioInput,
  algorithm: Algorithm,
  { sizes, seeds }: { readonly sizes: readonly number[]; readonly seeds: number },
  reply: SessionReply,
): Session {
  let found = 0
  const possible = neededNetworks[algorithm.needs.topology].sized
  for (const n of sizes) {
    const atSize = possible(n) === null ? null : sized(given, n)
    if (atSize === null) continue
    const costs: number[] = []
    let bounds: GrowthPoint['bounds'] = []
    for (let seed = 1; seed <= seeds; seed++) {
      const scenario = { ...atSize, seed, 'max-messages': MOST_MESSAGES }
      const prepared = preparedIn(scenario, algorithm, found === 0 && n !== sizes.at(-1))
      if (prepared === null) break
      const { world, conditions } = prepared
      const run = prepared.run({ symmetry: false })
      while (!run.step(SLICE)) yield
      const { counters, monitor } = run.simulation
      const meets = algorithm.meet !== null
      // Nodes meet for ever: such a run ends some time after it is stable.
      const ended = meets ? monitor.stableSince !== null : run.isQuiet
      if (!ended) return reply({ what: 'grown', point: null })
      const sent = counters.total - run.yardsticks({ leader: null }).announced
      costs.push(meets ? monitor.stableSince! : sent)
      const facts = { ...factsForBounds(world, conditions), leaderId: null }
      bounds = algorithm.theory.bounds
        .filter(
          ({ of, when }) => of === (meets ? 'interactions' : 'messages') && (when?.(facts) ?? true),
        )
        .map(({ kind, formula, value }) => ({ kind, formula, value: value(facts) }))
        .filter(({ value }) => Number.isFinite(value))
      yield
    }
    if (costs.length === 0) continue
    found++
    reply({ what: 'grown', point: { n, costs, bounds } })
  }
  reply({ what: 'grown', point: null })
}

/** The world of a scenario; null where its network cannot be made so small. */
function preparedIn(scenario: ScenarioInput, algorithm: Algorithm, small: boolean) {
  try {
    return prepare(scenario, algorithm, String)
  } catch (error) {
    if (small && error instanceof UsageError) return null
    throw error
  }
}

/**
 * The scenario with another number of nodes; a network by name has it as its first number. Null
 * where there is no such hypercube.
 */
export function sized({ topology, ...rest }: ScenarioInput, n: number): ScenarioInput | null {
  if (typeof topology !== 'string') return { ...rest, n }
  if (!topology.startsWith('hypercube:'))
    return { ...rest, topology: topology.replace(/^([a-z-]+):\d+/, `$1:${n}`) }
  const cube = neededNetworks.hypercube.sized(n)
  return cube === null ? null : { ...rest, topology: cube }
}
