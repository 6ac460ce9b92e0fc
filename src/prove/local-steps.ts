import type { Algorithm } from '../core/language/algorithm.ts'
import { CompleteSteps } from './complete-steps.ts'
import { Refusal } from './refusal.ts'
import { RingSteps } from './ring-steps.ts'
import { eventName, type LocalStep, type StepEvent } from './step-runner.ts'
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
  const steps = events.map((event) => runner.all(event))
  // Whatever a handler leaves behind for others, they find it now.
  for (const [i, event] of [...events.entries()].reverse())
    if (JSON.stringify(runner.all(event)) !== JSON.stringify(steps[i]))
      throw new Refusal(
        `${eventName(vocabulary, event)} does something else when it is run again.`,
        'Handlers must not depend on anything outside: no variables beside the state.',
      )
  return steps.flat()
}

/** Whether nodes recover from crashes: something is in stable storage. */
export function recovers({ layout }: Algorithm): boolean {
  return Object.values(layout.own).some(({ stable }) => stable === true)
}
