import { UsageError } from '../../core/usage-error.ts'
import { membersAfter, type RequestedChange } from './change-rules.ts'
import {
  type Configuration,
  compareVersions,
  everybodyIn,
  highestTerms,
  isMajority,
  type MemberEntry,
  mostOf,
} from './configuration.ts'
import {
  Abandoned,
  type AnswersByName,
  type GatheringQuestion,
  type MembershipAnswer,
} from './gathering.ts'
import type { Membership } from './membership.ts'

/** After so many leases a new member that does not answer is not added. */
const PATIENCE = 10

/** A change that somebody waits for. */
export interface PendingChange extends RequestedChange {
  readonly id: string
  /** Called once, with the problem or an empty text. */
  settle(problem: string): void
}

/**
 * Changes the configuration while this member holds the role `members` in one term. It first
 * completes the newest configuration that a majority knows, under its own term; a change then goes
 * over a joint configuration, which ends when no lease of the old members alone can be left.
 */
export class Proposer {
  private current = false

  constructor(
    private readonly membership: Membership,
    readonly term: number,
  ) {}

  /** Resolves when nothing is left to do; rejects with Abandoned when the role is lost. */
  async run(next: () => PendingChange | undefined): Promise<void> {
    if (!this.current) {
      await this.read()
      const newest = this.configuration
      await this.write({ ...newest, version: { ...newest.version, term: this.term } })
      this.current = true
    }
    for (;;) {
      if (this.configuration.old !== null) await this.end(this.configuration)
      const change = next()
      if (change === undefined) return
      await this.carryOut(change)
    }
  }

  private get configuration(): Configuration {
    return this.membership.configuration!
  }

  private async carryOut(change: PendingChange): Promise<void> {
    try {
      const joint = await this.jointFor(change)
      if (joint !== null) await this.end(joint)
      change.settle('')
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      change.settle(error.message)
    } finally {
      this.membership.invite(new Map())
    }
  }

  /** A majority promises to refuse older leaders, and shows the newest configuration. */
  private async read(): Promise<void> {
    const { membership, term } = this
    const newestOf = (answers: AnswersByName<'promise'>) =>
      [...answers.values()]
        .map(({ configuration }) => configuration)
        .reduce((one, other) => (isNewer(other, one) ? other : one), this.configuration)
    const answers = await this.gather({
      answer: 'promise',
      message: (seq) => ({ type: 'read', seq, term }),
      to: () => namesIn(this.configuration),
      enough: (all) => {
        this.refuseRefusals(all)
        const newest = newestOf(all)
        if (isNewer(newest, this.configuration)) void membership.take(newest)
        return isMajority(newest, new Set(all.keys()))
      },
      counts: (all) => this.countsFor(all),
    })
    await membership.take(newestOf(answers))
  }

  /** Resolves when majorities have it on disk. Who is not in it any more is told, too. */
  private async write(configuration: Configuration): Promise<AnswersByName<'accepted'>> {
    const { membership } = this
    const { me } = membership.options
    const tell = new Set([...namesIn(this.configuration), ...namesIn(configuration)])
    if (!namesIn(configuration).includes(me)) tell.delete(me)
    const answers = await this.gather({
      answer: 'accepted',
      message: (seq) => ({ type: 'propose', seq, configuration }),
      to: () => tell,
      enough: (all) => {
        this.refuseRefusals(all)
        return isMajority(configuration, new Set(all.keys()))
      },
      counts: (all) => this.countsFor(all),
    })
    await membership.take(configuration)
    return answers
  }

  /** The joint configuration of a change, which is not proposed yet; null if nothing changes. */
  private async jointFor(change: PendingChange): Promise<Configuration | null> {
    const { configuration } = this
    const after = membersAfter(configuration, change)
    if (after === null) return null
    const stores = await this.storesOf(after.added)
    let { nextId } = configuration
    const added: MemberEntry[] = [...after.added].map(([name, { address, kind }]) => {
      return { name, id: nextId++, address, kind, store: stores.get(name)! }
    })
    return {
      ...configuration,
      version: { term: this.term, number: configuration.version.number + 1 },
      members: [...after.kept, ...added].sort((one, other) => (one.name < other.name ? -1 : 1)),
      old: configuration.members,
      nextId,
      floors: await this.floorsOf(configuration.members),
    }
  }

  /** New members must be there, and their storages must not belong to another cluster. */
  private async storesOf(
    added: ReadonlyMap<string, { readonly address: string }>,
  ): Promise<ReadonlyMap<string, string>> {
    const { membership } = this
    const { clock } = membership.environment
    const patience = clock.now() + PATIENCE * membership.options.lease
    membership.invite(new Map([...added].map(([name, { address }]) => [name, address])))
    const facts = await this.gather({
      answer: 'facts',
      message: (seq) => ({ type: 'query', seq }),
      to: () => added.keys(),
      enough: (answers) => {
        for (const [name, { mark, bootstrap }] of answers)
          if (bootstrap || (mark !== '' && mark !== this.configuration.mark))
            throw new UsageError(
              'add',
              `${name} belongs to another cluster, or was started to bootstrap one.`,
              'Start it with an empty storage and without bootstrap.',
            )
        const missing = [...added].filter(([name]) => !answers.has(name))
        if (missing.length === 0) return true
        const [name, { address }] = missing[0]
        if (clock.now() < patience) return false
        throw new UsageError(
          'add',
          `${name} does not answer at ${address}.`,
          'Start it first, without bootstrap; it waits to be added.',
        )
      },
    })
    return new Map([...facts].map(([name, { store }]) => [name, store]))
  }

  /** Ends a change: the longest lease after both majorities have the joint configuration. */
  private async end(joint: Configuration): Promise<void> {
    const { membership } = this
    const answers = await this.write(joint)
    const limits = [...answers.values()].map(({ limit }) => limit)
    await membership.times.sleep(
      membership.times.outlasting(Math.max(membership.times.limit, ...limits)),
    )
    await this.write({
      ...joint,
      version: { term: this.term, number: joint.version.number + 1 },
      old: null,
      floors: await this.floorsOf(joint.old!),
    })
  }

  /** The highest terms that were granted, from a majority of these voters. */
  private async floorsOf(voters: readonly MemberEntry[]): Promise<Map<string, number>> {
    const { version } = this.configuration
    const granted = (answers: AnswersByName<'terms'>) =>
      new Map([...answers].filter(([, answer]) => answer.granted))
    const answers = await this.gather({
      answer: 'terms',
      message: (seq) => ({ type: 'floors', seq, version }),
      to: () => voters.map(({ name }) => name),
      enough: (all) => mostOf(voters, new Set(granted(all).keys())),
      counts: () => this.membership.interval,
    })
    const terms = [...granted(answers).values()].map((answer) => answer.terms)
    return highestTerms(this.membership.highestTerms(), ...terms)
  }

  /** Asks as long as this member holds the role, in this very term. */
  private async gather<Type extends MembershipAnswer['type']>(
    question: GatheringQuestion<Type>,
  ): Promise<AnswersByName<Type>> {
    this.check()
    const answers = await this.membership.gather({
      ...question,
      to: () => {
        this.check()
        return question.to()
      },
    })
    this.check()
    return answers
  }

  private check(): void {
    const held = this.membership.host.heldTerm()
    if (held !== this.term) throw new Abandoned(`the role members is not held in ${this.term}`)
    if (this.membership.version.term > this.term) throw new Abandoned('there is a newer leader')
  }

  private refuseRefusals(answers: AnswersByName<'promise' | 'accepted'>): void {
    for (const [name, { granted, promised }] of answers)
      if (!granted) throw new Abandoned(`${name} has promised to follow term ${promised}`)
  }

  private countsFor(answers: AnswersByName<'promise' | 'accepted'>): number {
    const { limit, drift } = this.membership.options
    const limits = [...answers.values()].map((answer) => answer.limit)
    return Math.min(limit, ...limits) / (1 + drift)
  }
}

function namesIn(configuration: Configuration): string[] {
  return everybodyIn(configuration).map(({ name }) => name)
}

function isNewer(one: Configuration, other: Configuration): boolean {
  return compareVersions(one.version, other.version) > 0
}
