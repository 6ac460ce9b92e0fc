import { Complaint } from '../core/index.ts'
import type { Preparation } from '../scenario/index.ts'

/** Refuses what a simulated world can offer and real processes cannot. */
export function refuseSimulated({ world, conditions, scenario }: Preparation): void {
  const { name, needs } = world.algorithm
  if (needs.time === 'rounds') {
    throw new Complaint(
      'algorithm',
      `${name} needs synchronous rounds`,
      'real processes have none',
      `Simulate it with conclave run ${name}.`,
    )
  }
  if (conditions.starts.times.some((time) => time > 0)) {
    throw new Complaint(
      '--wake',
      'real processes start at the beginning or when a message comes',
      `${scenario.wake} was given`,
      'Leave the times out.',
    )
  }
}
