import type { TimerHandle } from '../../cluster/clock.ts'
import type { Membership, OrderedMessage } from './membership.ts'
import type { MembershipMessageOf } from './messages.ts'

type AnswerType = 'facts' | 'promise' | 'accepted' | 'terms' | 'marked'
/** An answer to a question of a gathering. */
export type MembershipAnswer = MembershipMessageOf<AnswerType>
export type AnswersByName<Type extends AnswerType> = ReadonlyMap<string, MembershipMessageOf<Type>>

/** What is asked of whom, and until when. */
export interface GatheringQuestion<Type extends AnswerType> {
  readonly answer: Type
  message(seq: number): OrderedMessage
  to(): Iterable<string>
  /** Called after each answer and each repetition; an error that it throws ends the gathering. */
  enough(answers: AnswersByName<Type>): boolean
  /**
   * How long an answer counts, in milliseconds since its question was sent; for ever without it.
   * A voter that lost its memory meanwhile must not be counted with what it said before.
   */
  counts?(answers: AnswersByName<Type>): number
}

/** A gathering, whatever it asks for. */
export interface AnyGathering {
  /** Asks one member at once: a connection to it is there. */
  repeatTo(member: string): void
  answered(from: string, answer: MembershipAnswer): void
  stop(why: Error): void
}

/** Answers to older questions are not waited for any more. */
const MOST_QUESTIONS = 256

/** The reason why a gathering, or everything that this member did as the leader, is given up. */
export class Abandoned extends Error {}

/** Asks members the same question, again and again, until enough of them have answered. */
export class Gathering<Type extends AnswerType> implements AnyGathering {
  readonly done: Promise<AnswersByName<Type>>
  private resolve!: (answers: AnswersByName<Type>) => void
  private reject!: (error: Error) => void
  private readonly sentAt = new Map<number, number>()
  private readonly answers = new Map<
    string,
    { readonly answer: MembershipMessageOf<Type>; readonly at: number }
  >()
  private timer: TimerHandle = null
  private over = false

  constructor(
    private readonly membership: Membership,
    private readonly question: GatheringQuestion<Type>,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.done.catch(() => {})
  }

  /** Asks everybody whose answer is missing or will soon not count any more. */
  repeat(): void {
    const { clock } = this.membership.environment
    clock.clearTimeout(this.timer)
    const recent = this.within(0.5)
    this.askAll((name) => !recent.has(name))
    if (this.over) return
    this.timer = clock.setTimeout(() => this.repeat(), this.membership.interval)
    this.look()
  }

  repeatTo(member: string): void {
    this.askAll((name) => name === member)
  }

  answered(from: string, answer: MembershipAnswer): void {
    const at = this.sentAt.get(answer.seq)
    if (this.over || at === undefined || answer.type !== this.question.answer) return
    const known = this.answers.get(from)
    if (known === undefined || known.at <= at)
      this.answers.set(from, { answer: answer as MembershipMessageOf<Type>, at })
    this.look()
  }

  stop(why: Error): void {
    if (this.finish()) this.reject(why)
  }

  private askAll(isAsked: (name: string) => boolean): void {
    if (this.over) return
    const seq = this.membership.nextSequence()
    this.sentAt.set(seq, this.membership.environment.clock.now())
    const [oldest] = this.sentAt.keys()
    if (this.sentAt.size > MOST_QUESTIONS) this.sentAt.delete(oldest)
    const message = this.question.message(seq)
    try {
      for (const name of this.question.to()) if (isAsked(name)) this.membership.ask(name, message)
    } catch (error) {
      this.stop(error as Error)
    }
  }

  private look(): void {
    if (this.over) return
    try {
      const answers = this.within(1)
      if (this.question.enough(answers) && this.finish()) this.resolve(answers)
    } catch (error) {
      this.stop(error as Error)
    }
  }

  /** The answers of which no more than this fraction of their time is over. */
  private within(fraction: number): AnswersByName<Type> {
    const all = new Map([...this.answers].map(([name, { answer }]) => [name, answer]))
    const counts = this.question.counts?.(all)
    if (counts === undefined) return all
    const since = this.membership.environment.clock.now() - fraction * counts
    return new Map([...all].filter(([name]) => this.answers.get(name)!.at >= since))
  }

  private finish(): boolean {
    if (this.over) return false
    this.over = true
    this.membership.environment.clock.clearTimeout(this.timer)
    this.membership.gatherings.delete(this)
    return true
  }
}
