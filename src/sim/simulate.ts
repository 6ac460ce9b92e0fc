import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import type { Conditions, Observers } from './conditions.ts'
import { hasFaults, noFaults } from './faults/faults.ts'
import { FaultySimulation } from './faulty-simulation.ts'
import { Simulation } from './simulation.ts'

/** A run that has not begun. Where nothing can go wrong, nothing is spent on it. */
export function simulate(
  world: World,
  conditions: Conditions,
  properties: readonly Property[],
  watching?: Observers,
): Simulation {
  const { crashes, faults = noFaults } = conditions
  const troubled = crashes.nodes.length > 0 || hasFaults(faults)
  const Run = troubled ? FaultySimulation : Simulation
  return new Run(world, conditions, properties, watching)
}
