import type { Algorithm } from '../../core/language/algorithm.ts'
import { type Link, left, right } from '../../core/language/net.ts'
import type { OutcomeChange } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { Status } from '../../core/runtime/state.ts'
import { UnmetCondition } from '../refusal.ts'
import { FROM, type Vocabulary } from '../vocabulary.ts'
import { LinkSet, type SetContents } from './link-sets.ts'
import { ALL, eventName, type LocalStep, REPLY, SELF, type StepEvent } from './local-step.ts'
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

/** Runs handlers on a node of a complete network, which knows only the sender of a message. */
class CompleteSteps extends StepRunner {
  /** The set that was last found to be a majority in this run. */
  private votes: SetContents | null = null

  protected arrival(): Link {
    return this.body === null ? -1 : this.senderLink
  }

  protected override begin(): void {
    this.votes = null
  }

  override hasLink(link: Link): boolean {
    if (link === this.senderLink && this.body !== null) return true
    throw new UnmetCondition(
      'a handler sends over a link that it does not have from net.from.',
      'A proof for every n knows the sender of a message, and all others together: net.sendAll.',
    )
  }

  override sendAll(message: { serial: number }, body: AnyBody): void {
    const kind = this.algorithm.kindBySerial[message.serial]!
    this.sends.push({ link: ALL, kind, fields: this.codesOf(kind, body, 0), votes: null })
  }

  override sendOthers(): never {
    throw unavailable('net.sendOthers', 'Use net.sendAll.')
  }

  protected dispatch(_link: Link, kind: number, body: AnyBody): void {
    this.sends.push({ link: REPLY, kind, fields: this.codesOf(kind, body, 0), votes: null })
  }

  peer(link: Link): number {
    this.hasLink(link)
    this.senderId ??= this.decide({ kind: 'id', nullable: false })
    return this.value({ kind: 'id', nullable: false }, this.senderId) as number
  }

  override majority(links: Iterable<Link>, own: boolean): boolean {
    if (!(links instanceof LinkSet) || !own)
      throw new UnmetCondition(
        'net.majority is asked about something else than a set of the state and the node itself.',
        'Write net.majority(my.votes, true).',
      )
    const answer = links.isMajority()
    if (answer) this.votes = links.contents
    return answer
  }

  /** Who leads in a term is kept for ever. */
  protected changed(what: OutcomeChange, _before: Status, term?: number): void {
    const { led } = this.vocabulary
    if (what !== 'lead' || led < 0) return
    const { votes } = this
    const fields = this.codesOf(led, { term, votes: votes !== null }, 0)
    this.sends.push({ link: SELF, kind: led, fields, votes })
  }

  pick(): never {
    throw unavailable('net.pick')
  }

  get links(): never {
    throw unavailable('net.links')
  }

  get degree(): never {
    throw unavailable('net.degree')
  }
}
