import { byName, type Configuration, type MemberEntry } from './configuration.ts'
import { Abandoned, type AnswersByName } from './gathering.ts'
import { hex } from './member-store.ts'
import type { Membership } from './membership.ts'
import type { MembershipMessageOf } from './messages.ts'

type Facts = MembershipMessageOf<'facts'>

const MARK_BYTES = 8

/**
 * The first start of a cluster. If any other member remembers one, this member takes its
 * configuration and recovers instead. The member with the smallest name waits until all others have
 * answered, each with an empty storage, draws a mark, and has it written to all disks together
 * with the first configuration. Then one longest lease passes before anybody votes: processes of an
 * earlier cluster, whose disks were emptied, may still lead so long.
 */
export class Bootstrap {
  private stopped = false
  private readying = false

  constructor(private readonly membership: Membership) {}

  begin(): void {
    this.run().catch((error) => {
      if (!(error instanceof Abandoned)) this.membership.fail((error as Error).message)
    })
  }

  stop(): void {
    this.stopped = true
  }

  refuse(why: string): void {
    this.stopped = true
    const { me } = this.membership.options
    this.membership.settleAs('refused', `${me} must not bootstrap: ${why}`)
  }

  /** The mark and the first configuration arrive; resolves to why they are refused, or nothing. */
  async mark(configuration: Configuration): Promise<string> {
    const { store, options } = this.membership
    const mine = configuration.members.find(({ name }) => name === options.me)
    const marked = store.marked
    if (marked !== null && marked.mark !== configuration.mark)
      return `${options.me} has the mark of another bootstrap; ${EMPTY_ALL}`
    if (mine?.store !== store.id)
      return `the storage of ${options.me} was replaced meanwhile; ${EMPTY_ALL}`
    const differing = difference(this.given, configuration.members)
    if (differing !== '') return `${options.me} ${differing}`
    if (marked === null) await store.mark(configuration)
    return ''
  }

  /** All disks have the mark. */
  ready(mark: string, wait: number): void {
    const { membership } = this
    const { marked } = membership.store
    if (this.readying || this.stopped || marked?.mark !== mark) return
    this.readying = true
    const pause = membership.times.outlasting(Math.max(wait, membership.times.limit))
    membership.settleAs('bootstrapping', `all have answered; the first grant comes in ${pause} ms`)
    void membership.times.sleep(pause).then(() => {
      if (!this.stopped) void membership.take(marked)
    })
  }

  private get given() {
    return this.membership.options.members
  }

  private get others(): string[] {
    return [...this.given.keys()].filter((name) => name !== this.membership.options.me)
  }

  private async run(): Promise<void> {
    const { membership } = this
    const { me } = membership.options
    const first = [...this.given.keys()].sort()[0]
    const query = {
      answer: 'facts' as const,
      message: (seq: number) => ({ type: 'query' as const, seq }),
      to: () => this.goOn(this.others),
    }
    if (first !== me) {
      await membership.gather({ ...query, enough: (facts) => this.allAgree(facts) && false })
      return
    }
    const facts = await membership.gather({ ...query, enough: (all) => this.allAgree(all) })
    await membership.inTurn(async () => {
      const { store } = membership
      if (store.marked === null) await store.mark(this.firstConfiguration(facts))
    })
    await this.markAll()
  }

  /** Has the mark written everywhere, then tells everybody that it is. */
  private async markAll(): Promise<void> {
    const { membership } = this
    const configuration = membership.store.marked
    if (configuration === null) return
    const answers = await membership.gather({
      answer: 'marked',
      message: (seq) => ({ type: 'mark', seq, configuration }),
      to: () => this.goOn(this.others),
      enough: (marked) => this.allMarked(marked),
    })
    const limits = [...answers.values()].map(({ limit }) => limit)
    const wait = Math.max(membership.times.limit, ...limits)
    this.ready(configuration.mark, wait)
    while (!this.stopped && membership.configuration === null) {
      for (const name of this.others)
        membership.send(name, { type: 'ready', mark: configuration.mark, wait })
      await membership.times.sleep(membership.interval)
    }
  }

  private goOn<T>(value: T): T {
    if (this.stopped) throw new Abandoned('the bootstrap is over')
    return value
  }

  private allMarked(answers: AnswersByName<'marked'>): boolean {
    for (const { granted, problem } of answers.values()) {
      if (granted) continue
      this.refuse(problem)
      throw new Abandoned(problem)
    }
    return answers.size === this.others.length
  }

  /** Whether all are ready for the mark. Says what is missing; refuses where there is a memory. */
  private allAgree(facts: AnswersByName<'facts'>): boolean {
    const { membership } = this
    if (this.stopped || this.readying) return false
    for (const [name, fact] of facts) {
      const memory = this.memoryOf(name, fact)
      if (memory === '') continue
      this.refuse(memory)
      throw new Abandoned(memory)
    }
    const problem = this.others
      .map((name) => this.missingFrom(name, facts.get(name)))
      .find((text) => text !== '')
    const why = problem ?? 'all voters have answered; the mark is being written'
    membership.settleAs('bootstrapping', `${membership.options.me} bootstraps: ${why}`)
    return problem === undefined
  }

  /** What forbids a bootstrap; empty if nothing does. */
  private memoryOf(name: string, { mark, configuration }: Facts): string {
    const marked = this.membership.store.marked
    if (configuration !== null && (marked === null || marked.mark === configuration.mark)) {
      void this.membership.take(configuration)
      return ''
    }
    if (mark === '' || mark === marked?.mark) return ''
    // Only the member with the smallest name draws a mark; this one may not have got it yet.
    const [first] = [...this.given.keys()].sort()
    if (marked === null && this.membership.options.me !== first) return ''
    return `${name} has the mark of another bootstrap; ${EMPTY_ALL}`
  }

  private missingFrom(name: string, fact: Facts | undefined): string {
    if (fact === undefined) return `it waits for ${name}, since all voters must answer`
    if (fact.configuration !== null) return `it takes the configuration of ${name}`
    const { members, me } = this.membership.options
    const entries = [...fact.given].map(([member, { kind }]) => ({ name: member, kind }))
    const differing = difference(members, entries)
    if (differing !== '') return `${me} ${differing} than ${name}`
    return fact.bootstrap || fact.mark !== '' ? '' : `${name} was not started to bootstrap`
  }

  private firstConfiguration(facts: AnswersByName<'facts'>): Configuration {
    const { environment, options, store } = this.membership
    const members: MemberEntry[] = [...this.given]
      .map(([name, member]) => ({ name, ...member }))
      .sort(byName)
      .map(({ name, address, kind }, i) => {
        const fact = facts.get(name)
        return { name, id: i + 1, address, kind, store: fact?.store ?? store.id }
      })
    const mark = hex(environment.randomBytes(MARK_BYTES))
    const version = { term: 0, number: 1 }
    const nextId = options.members.size + 1
    return { mark, version, members, old: null, nextId, floors: new Map() }
  }
}

const EMPTY_ALL = 'if nothing of it is needed, empty the storage of all members and start again'

/** How the given members differ from those of another member; empty if they do not. */
function difference(
  given: ReadonlyMap<string, { readonly kind: string }>,
  theirs: readonly { readonly name: string; readonly kind: string }[],
): string {
  const list = (members: Iterable<{ readonly name: string; readonly kind: string }>) =>
    [...members]
      .sort(byName)
      .map(({ name, kind }) => (kind === 'witness' ? `${name} (witness)` : name))
      .join(', ')
  const here = list([...given].map(([name, { kind }]) => ({ name, kind })))
  const there = list(theirs)
  return here === there ? '' : `was started with other members (${here}, not ${there})`
}
