import type { Algorithm } from '../../core/language/algorithm.ts'
import { type Link, left, right } from '../../core/language/net.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import { UnmetCondition } from '../refusal.ts'
import { FROM, type Vocabulary } from '../vocabulary.ts'
import { CompleteSteps } from './complete-steps.ts'
import { eventName, type LocalStep, type StepEvent } from './local-step.ts'
import { StepRunner, unavailable } from './step-runner.ts'

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
  // Before any node has started: a message that wakes a node starts it, too.
  const awake = events.map((event) => (event.event === 'wake' ? [] : runner.awake(event)))
  // The start comes last: what a handler leaves behind outside, others find in the second turn.
  const first = [...events.entries()].reverse().map(([i, event]) => runner.all(event, i))
  const steps = events.map((event, i) => runner.all(event, i))
  for (const [i, event] of events.entries()) {
    const known = new Set(steps[i].map((step) => JSON.stringify(step)))
    const again = JSON.stringify(first[events.length - 1 - i]) === JSON.stringify(steps[i])
    if (!again || awake[i].some((step) => !known.has(JSON.stringify(step))))
      throw new UnmetCondition(
        `${eventName(vocabulary, event)} does something else when it is run again.`,
        'Handlers must not depend on anything outside: no variables beside the state.',
      )
  }
  return steps.flat()
}

/** Whether nodes recover from crashes: something is in stable storage. */
export function recovers({ layout }: Algorithm): boolean {
  return Object.values(layout.own).some(({ stable }) => stable === true)
}

const RING_LINKS: readonly Link[] = [left, right]

/** Runs handlers on a node of a ring, which has two links whatever n is. */
class RingSteps extends StepRunner {
  readonly links = RING_LINKS
  readonly degree = 2

  protected arrival(): Link {
    return (this.body?.read(FROM) ?? -1) as Link
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    this.sends.push({ link, kind, fields: this.codesOf(kind, body, 1 - link), votes: null })
  }

  protected changed(): void {}

  pick(): Link {
    return RING_LINKS[this.choices.one(2)]
  }

  peer(): never {
    throw unavailable('net.peer', 'Send ids in messages.')
  }

  override majority(): never {
    throw unavailable('net.majority', 'Proofs have majorities on complete networks.')
  }
}
