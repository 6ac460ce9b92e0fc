import { type Link, left, right } from '../core/language/net.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import { StepRunner, unavailable } from './step-runner.ts'
import { FROM } from './vocabulary.ts'

const LINKS: readonly Link[] = [left, right]

/** Runs handlers on a node of a ring, which has two links whatever n is. */
export class RingSteps extends StepRunner {
  readonly links = LINKS
  readonly degree = 2

  protected arrival(): Link {
    return (this.body?.read(FROM) ?? -1) as Link
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    this.sends.push({ link, kind, fields: this.codesOf(kind, body, 1 - link), votes: null })
  }

  protected changed(): void {}

  pick(): Link {
    return LINKS[this.choices.one(2)]
  }

  peer(): never {
    throw unavailable('net.peer', 'Send ids in messages.')
  }

  override majority(): never {
    throw unavailable('net.majority', 'Proofs have majorities on complete networks.')
  }
}
