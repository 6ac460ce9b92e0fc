import type { Link } from '../../core/language/net.ts'
import type { OutcomeChange } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { Status } from '../../core/runtime/state.ts'
import { UnmetCondition } from '../refusal.ts'
import { LinkSet, type SetContents } from './link-sets.ts'
import { ALL, REPLY, SELF } from './local-step.ts'
import { StepRunner, unavailable } from './step-runner.ts'

/** Runs handlers on a node of a complete network, which knows only the sender of a message. */
export class CompleteSteps extends StepRunner {
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
