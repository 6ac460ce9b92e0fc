import { expect, it } from 'vitest'
import { coordinator } from '../../src/coordinator/coordinator.ts'
import type { OpensNode } from './cluster.ts'
import { MISTAKES, type PlantedMistake } from './mistakes.ts'
import { simulate } from './simulate.ts'

const MOST_SEEDS = 2000
const MINUTES = 60_000

/** Nodes with the mistake in their environment or options, if it is planted there. */
function opensWith({ environment, options }: PlantedMistake): OpensNode {
  return (given, outside) => {
    const inside = environment === undefined ? {} : environment(outside)
    return coordinator({ ...given, ...options }, Object.assign(Object.create(outside), inside))
  }
}

/** The first seed that shows a violation of safety; null if none does. */
async function found(mistake: PlantedMistake): Promise<number | null> {
  const remove = mistake.plant?.() ?? (() => {})
  try {
    for (let seed = 1; seed <= MOST_SEEDS; seed++)
      if ((await simulate(seed, { opens: opensWith(mistake) })).unsafe) return seed
    return null
  } finally {
    remove()
  }
}

const tried = MISTAKES.filter(({ rare }) => !rare || process.env.LONG_TESTS)

it.each(tried.map((mistake) => [mistake.name, mistake] as const))(
  'a planted mistake is found: %s',
  async (_, mistake) => {
    expect(await found(mistake)).not.toBeNull()
  },
  60 * MINUTES,
)
