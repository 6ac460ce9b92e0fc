import { describe, expect, it } from 'vitest'
import {
  type CheckOptions,
  type CheckResult,
  checkWorld,
  defaultOptions,
} from '../../../src/check/index.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { propertiesOf } from '../../../src/problems/algorithm-properties.ts'
import { sample } from '../../support/campaign.ts'
import { compiled, type Mutant } from '../../support/mutant.ts'
import { mutants } from '../../support/mutants.ts'
import { preparation } from '../../support/random-worlds.ts'

/** No world that shows a bug needs more. */
const MOST_STATES = 10_000

function explore(algorithm: Algorithm, { world: given, rules = {} }: Mutant): CheckResult {
  const { world, conditions, properties } = preparation(algorithm, given)
  const demands = rules.faults === undefined ? properties : propertiesOf(algorithm, true)
  const options: CheckOptions = {
    ...defaultOptions(algorithm, conditions.starts.nodes),
    ...rules,
    properties: demands,
    limits: { states: MOST_STATES },
  }
  return checkWorld(world, options)
}

describe('a planted bug is found, and nothing where there is none', () => {
  it('in every algorithm of the catalogue', () => {
    const files = new Set(mutants.map(({ file }) => file))
    expect(files.size).toBeGreaterThanOrEqual(25)
    expect(mutants.length).toBeGreaterThanOrEqual(30)
  })

  it.each(sample(mutants, 3))('$file: $bug', async (mutant) => {
    const { violated, properties } = explore(await compiled(mutant, true), mutant)
    expect(violated?.property).toBe(mutant.breaks)
    expect(properties.find(({ name }) => name === mutant.breaks)?.holds).toBe(false)
    const right = await compiled(mutant, false)
    const { exhausted, violated: nothing } = explore(right, mutant)
    expect(nothing).toBeNull()
    // With numbered rounds of random choices there are infinitely many states.
    expect(exhausted).toBe(right.name !== 'itai-rodeh')
  })
})
