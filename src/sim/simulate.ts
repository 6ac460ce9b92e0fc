import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import type { Conditions, Watching } from './conditions.ts'
import { isTroubled, noTroubles } from './faults/faults.ts'
import { TroubledSimulation } from './faulty-simulation.ts'
import { Simulation } from './simulation.ts'

/** A run that has not begun. Where nothing can go wrong, nothing is spent on it. */
export function simulate(
  world: World,
  conditions: Conditions,
  properties: readonly Property[],
  watching?: Watching,
): Simulation {
  const { crashes, troubles = noTroubles } = conditions
  const troubled = crashes.nodes.length > 0 || isTroubled(troubles)
  const Run = troubled ? TroubledSimulation : Simulation
  return new Run(world, conditions, properties, watching)
}
