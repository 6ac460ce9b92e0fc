import type { Algorithm } from '../core/language/algorithm.ts'
import { CompleteSteps } from './complete-steps.ts'
import { RingSteps } from './ring-steps.ts'
import type { LocalStep, StepEvent } from './step-runner.ts'
import type { Vocabulary } from './vocabulary.ts'

/** All ways through all handlers of a definition. */
export function localSteps(vocabulary: Vocabulary): LocalStep[] {
  const { algorithm, topology } = vocabulary
  const events: StepEvent[] = [
    { event: 'wake' },
    ...algorithm.kinds.map(({ index }) => ({ event: 'receive', kind: index }) as const),
    ...algorithm.timers.map(({ index }) => ({ event: 'timeout', timer: index }) as const),
    ...(recovers(algorithm) ? [{ event: 'recover' } as const] : []),
  ]
  const runner = topology === 'ring' ? new RingSteps(vocabulary) : new CompleteSteps(vocabulary)
  return events.flatMap((event) => runner.all(event))
}

/** Whether nodes recover from crashes: something is in stable storage. */
export function recovers({ layout }: Algorithm): boolean {
  return Object.values(layout.own).some(({ stable }) => stable === true)
}
