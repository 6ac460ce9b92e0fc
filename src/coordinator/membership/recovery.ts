import {
  type Configuration,
  compareVersions,
  everybodyIn,
  highestTerms,
  isMajority,
} from './configuration.ts'
import { Abandoned, type AnswersByName } from './gathering.ts'
import type { Membership } from './membership.ts'

/**
 * A start without memory. Promises of the time before may still run, and terms that were granted
 * are forgotten: so the longest lease passes first, and only what enough others answer after that
 * counts. Each majority that this member was part of has somebody among them.
 */
export class Recovery {
  private stopped = false
  private readonly since: number
  /** When the longest lease was over, and the others were asked once more. */
  private learningSince = Number.NEGATIVE_INFINITY

  constructor(private readonly membership: Membership) {
    this.since = membership.environment.clock.now()
  }

  begin(): void {
    this.run().catch((error) => {
      if (!(error instanceof Abandoned)) this.membership.fail((error as Error).message)
    })
  }

  stop(): void {
    this.stopped = true
  }

  private async run(): Promise<void> {
    const { membership } = this
    await this.ask((facts) => this.now >= this.due(facts))
    this.learningSince = this.now
    const answers = await this.ask(() => true)
    const facts = [...answers.values()].filter(({ memory }) => memory)
    await membership.recovered(
      Math.max(...facts.map(({ promised }) => promised)),
      highestTerms(...facts.map(({ terms }) => terms)),
    )
  }

  private get now(): number {
    return this.membership.environment.clock.now()
  }

  /** When the longest lease is over, as far as the answers tell. */
  private due(facts: AnswersByName<'facts'>): number {
    const { times } = this.membership
    const limits = [...facts.values()].map(({ limit }) => limit)
    return this.since + times.outlasting(Math.max(times.limit, ...limits))
  }

  private ask(done: (facts: AnswersByName<'facts'>) => boolean): Promise<AnswersByName<'facts'>> {
    return this.membership.gather({
      answer: 'facts',
      message: (seq) => ({ type: 'query', seq }),
      to: () => this.others(),
      enough: (facts) => this.enough(facts) && done(facts),
      counts: () => this.membership.options.limit / (1 + this.membership.options.drift),
    })
  }

  private others(): string[] {
    if (this.stopped) throw new Abandoned('the recovery is over')
    const { configuration, options } = this.membership
    const names = configuration === null ? [...options.members.keys()] : namesIn(configuration)
    return names.filter((name) => name !== options.me)
  }

  /** Whether the others that have a memory are a majority without this member. */
  private enough(facts: AnswersByName<'facts'>): boolean {
    const { membership } = this
    if (this.stopped) throw new Abandoned('the recovery is over')
    const newest = newestOf(facts)
    if (newest !== null && compareVersions(newest.version, membership.version) > 0) {
      void membership.take(newest)
      return false
    }
    const { configuration, mine } = membership
    if (configuration === null || mine === undefined) {
      membership.settleAs('recovering', this.lonely())
      return false
    }
    const trusted = [...facts].filter(
      ([name, { memory }]) => memory && membership.memories.trusts(name),
    )
    const knowing = new Set(trusted.map(([name]) => name))
    const enough = isMajority(configuration, knowing)
    // Those that have just been asked again are not missing yet.
    if (!enough && this.now - this.learningSince < membership.interval) return false
    membership.settleAs('recovering', this.progress(configuration, knowing, enough))
    return enough
  }

  private lonely(): string {
    const { me, members } = this.membership.options
    const { lost } = this.membership.store.record
    const others = [...members.keys()].filter((name) => name !== me)
    const whom = others.length === 0 ? 'there is nobody else' : `waits for ${others.join(', ')}`
    if (lost !== '') return `${this.loss()}, and ${whom}`
    return `${me} has no memory and ${whom}; the first start of a cluster needs bootstrap`
  }

  private progress(
    configuration: Configuration,
    knowing: ReadonlySet<string>,
    enough: boolean,
  ): string {
    const { me } = this.membership.options
    const known = [...knowing].join(', ')
    if (enough) return `${this.loss()}; when the longest lease is over it learns from ${known}`
    const others = namesIn(configuration).filter((name) => name !== me)
    if (others.length === 0)
      return (
        `${this.loss()}, and there is nobody to learn from: empty the storage and bootstrap a ` +
        'new cluster, whose tokens begin anew'
      )
    const missing = others.filter((name) => !knowing.has(name)).join(', ')
    if (missing === '')
      return `${this.loss()}, and without it ${others.length + 1} voters have no majority`
    return `${this.loss()}: it waits for ${missing}, since it must learn from a majority without it`
  }

  private loss(): string {
    const { options, store } = this.membership
    const { lost } = store.record
    return `${options.me} has lost its memory${lost === '' ? '' : ` (${lost})`}`
  }
}

function namesIn(configuration: Configuration): string[] {
  return everybodyIn(configuration).map(({ name }) => name)
}

function newestOf(facts: AnswersByName<'facts'>): Configuration | null {
  let newest: Configuration | null = null
  for (const { configuration } of facts.values())
    if (configuration !== null)
      if (newest === null || compareVersions(configuration.version, newest.version) > 0)
        newest = configuration
  return newest
}
