import { UnmetCondition } from '../refusal.ts'
import { FLAG } from '../sorts.ts'
import type { Decider } from './record-reader.ts'

/** What a handler does to a set of links, as far as a proof can tell nodes apart. */
export interface SetContents {
  /** The place of the set among the fields of a node. */
  readonly field: number
  /** Nobody is in it but the sender, perhaps. */
  readonly cleared: boolean
  /** Whether the sender of the message is in it; undefined where that did not change. */
  readonly sender: boolean | undefined
}

export interface SetChange extends SetContents {
  /** Whether it is a majority afterwards. */
  readonly label: readonly [field: number, code: number]
}

/**
 * A set of links on a complete network. Of its members a handler can name only the sender of the
 * message; and it can ask whether they are a majority, together with the node itself. That answer
 * is a label of the set: adding somebody who is there keeps it, adding another one may raise it.
 */
export class LinkSet {
  private cleared = false
  private sender: boolean | undefined
  private senderBefore: boolean | undefined
  private labelBefore: boolean | undefined
  private label: boolean | undefined
  private replaced = false

  constructor(
    private readonly name: string,
    private readonly field: number,
    private readonly decider: Decider,
  ) {}

  add(link: unknown): this {
    this.named(link)
    if (this.has(link)) return this
    const before = this.isMajority()
    this.sender = true
    this.label = before || undefined
    return this
  }

  delete(link: unknown): boolean {
    this.named(link)
    if (!this.has(link)) return false
    this.sender = false
    this.label = undefined
    return true
  }

  has(link: unknown): boolean {
    this.named(link)
    if (this.sender !== undefined) return this.sender
    if (this.cleared) return false
    this.senderBefore ??= this.decider.decide(FLAG) === 1
    return this.senderBefore
  }

  clear(): void {
    this.use()
    this.cleared = true
    this.sender = false
    this.label = undefined
  }

  /** The set after an assignment; this one is not looked at any more. */
  replacedBy(value: unknown): LinkSet {
    if (value === this) return this
    if (!(value instanceof Set))
      throw new UnmetCondition(
        `${this.name} becomes something else than a new set.`,
        'Proofs follow sets of links through add, delete, clear and new Set().',
      )
    const { name, field, decider, senderBefore, labelBefore } = this
    const next = new LinkSet(name, field, decider)
    next.senderBefore = senderBefore
    next.labelBefore = labelBefore
    next.clear()
    for (const link of value) next.add(link)
    this.replaced = true
    return next
  }

  get size(): never {
    throw new UnmetCondition(
      `a handler asks for the size of ${this.name}.`,
      'Use net.majority: a proof for every n does not count.',
    )
  }

  [Symbol.iterator](): never {
    throw new UnmetCondition(
      `a handler goes through ${this.name}.`,
      'A proof for every n does not know who else is in it.',
    )
  }

  /** Whether it is a majority, together with the node itself. */
  isMajority(): boolean {
    this.use()
    if (this.label !== undefined) return this.label
    const answer = this.decider.decide(FLAG) === 1
    if (!this.changed) this.labelBefore = answer
    this.label = answer
    return answer
  }

  get contents(): SetContents {
    const { field, cleared, sender } = this
    return { field, cleared, sender }
  }

  private get changed(): boolean {
    return this.cleared || this.sender !== undefined
  }

  labelRead(): [number, number][] {
    return this.labelBefore === undefined ? [] : [[this.field, this.labelBefore ? 1 : 0]]
  }

  memberRead(): [number, number][] {
    return this.senderBefore === undefined ? [] : [[this.field, this.senderBefore ? 1 : 0]]
  }

  change(): SetChange[] {
    if (!this.changed) return []
    return [{ ...this.contents, label: [this.field, this.isMajority() ? 1 : 0] }]
  }

  private use(): void {
    if (!this.replaced) return
    throw new UnmetCondition(
      `${this.name} is used after another set has replaced it.`,
      'Read it from the state again.',
    )
  }

  private named(link: unknown): void {
    this.use()
    if (link === this.decider.senderLink) return
    throw new UnmetCondition(
      `${this.name} is asked for, or gets, another link than net.from.`,
      'A proof knows only the sender of the message.',
    )
  }
}
