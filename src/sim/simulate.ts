import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import type { Conditions, Observers } from './conditions.ts'
import { hasFaults, noFaults } from './faults/faults.ts'
import { FaultySimulation } from './faulty-simulation.ts'
import { Simulation } from './simulation.ts'

/** A run that has not begun. Runs without faults pay nothing for the code that handles faults. */
export function simulate(
  world: World,
  conditions: Conditions,
  properties: readonly Property[],
  observers?: Observers,
): Simulation {
  const { crashes, faults = noFaults } = conditions
  const faulty = crashes.nodes.length > 0 || hasFaults(faults)
  const Run = faulty ? FaultySimulation : Simulation
  const run = new Run(world, conditions, properties, observers)
  for (const message of world.corrupted?.messages ?? []) run.inject(message)
  return run
}
