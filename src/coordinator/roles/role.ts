import { Emitter } from '../../cluster/emitter.ts'
import type { MessageCounts } from '../../cluster/node/message-counter.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type Duration, milliseconds } from '../duration.ts'
import type { RoleReport } from '../frames.ts'
import type { Leader, ResignOptions, Role, RoleEvents, WaitOptions } from '../node.ts'
import type { RoleOptions } from '../options.ts'
import { Candidates } from './candidates.ts'
import type { RoleDefinition } from './definition.ts'
import { HealthProbe } from './health.ts'
import { type DriverListener, RoleDriver } from './role-driver.ts'
import type { RoleHost } from './role-host.ts'
import { RunningTerm, type TermSource, termLoop, untilAborted } from './term.ts'

/** So many leases a leader stays, by default, before a better one takes over. */
const HOLD = 10

interface Ending {
  /** Who should stand next. */
  readonly to?: string | null
  readonly drain?: Duration | undefined
}

/** What status and metrics show of a role. */
interface RoleFacts {
  /** The highest term that this voter has granted. */
  readonly granted: number
  /** Milliseconds of the own lease. */
  readonly remaining: number
  /** Milliseconds for which this voter has promised its vote to whoever leads. */
  readonly promised: number
  readonly stands: boolean
  readonly counts: MessageCounts | null
}

/** A role at this node: its driver while this node votes, its terms, and who leads elsewhere. */
export class NodeRole extends Emitter<RoleEvents> implements Role, DriverListener, TermSource {
  /** Whether this process takes part otherwise than by voting. */
  declared = false
  current: RunningTerm | null = null
  closed = false
  private options: RoleOptions = {}
  private probe: HealthProbe
  private hold = 0
  private driver: RoleDriver | null = null
  /** How many drivers this role had: each has an incarnation of its own. */
  private starts = 0
  /** Whether the user wants this process to stand, and what the driver was told last. */
  private wanted = false
  private stands = false
  private readonly candidates: Candidates
  /** Terms that are over, and whose work has not ended. */
  private outlived = 0
  private openLoops = 0
  private readonly watchers = new Set<() => void>()
  /** The leader that others name, for nodes that do not vote, and the one that listeners know. */
  private named: Leader | null = null
  private told: Leader | null = null
  private lastProblem: string | null = null

  /** A role for which this node only votes, until it is declared. */
  constructor(
    readonly name: string,
    private definition: RoleDefinition,
    private readonly host: RoleHost,
  ) {
    super()
    this.candidates = new Candidates(name, host)
    this.probe = this.probeOf({})
  }

  /** This process takes part in the role. */
  declare(definition: RoleDefinition, options: RoleOptions): void {
    const { hold, stand = true, priority } = options
    this.options = options
    this.declared = true
    this.wanted = stand
    this.candidates.priority = priority
    this.hold = hold === undefined ? HOLD * this.host.timing.lease : milliseconds('hold', hold)
    this.probe = this.probeOf(options)
    this.probe.refresh()
    const other = definition.name !== this.definition.name
    this.definition = definition
    if (other && this.driver !== null) this.halt('this process takes part in the role')
    this.reconfigure()
  }

  private probeOf({ healthy }: RoleOptions): HealthProbe {
    return new HealthProbe(healthy, this.host, () => this.healthChanged())
  }

  leads(): boolean {
    return this.current !== null && this.current.ending === null && this.current.valid
  }

  get leader(): Leader | null {
    const leader = this.driver?.leader ?? null
    // A voter that follows without a grant does not know the term; others name it.
    if (leader !== null && leader.id === this.named?.id && leader.term < this.named.term)
      return this.named
    if (this.driver !== null) return leader
    return this.closed || this.named?.id === this.host.me ? null : this.named
  }

  get term(): RunningTerm | null {
    return this.current?.valid ? this.current : null
  }

  terms({ signal }: WaitOptions = {}): AsyncGenerator<RunningTerm, void, undefined> {
    return termLoop(this, signal)
  }

  resign(options: ResignOptions = {}): Promise<boolean> {
    return this.handOver(null, 'it was asked to resign', options)
  }

  async transfer(to: string, options: ResignOptions = {}): Promise<boolean> {
    if (to === this.host.me) return false
    if (this.candidates.stands(to))
      return this.handOver(to, `it was asked to hand over to ${to}`, options)
    const others = [...this.host.links.keys()]
    throw new UsageError(
      'transfer',
      others.includes(to) ? `${to} does not stand for ${this.name}.` : `there is no member ${to}.`,
      'Choose a member that stands.',
    ).withCandidates(to, others)
  }

  private async handOver(to: string | null, why: string, options: ResignOptions): Promise<boolean> {
    const { signal, drain } = options
    signal?.throwIfAborted()
    return untilAborted(this.end(this.current, why, { to, drain }), signal)
  }

  stand(willing: boolean): void {
    this.wanted = willing
    this.update()
  }

  /* For the node. */

  /** Resigns, and lets the loops over terms end; resolves when the work has ended, or too late. */
  async close(why: string, drain?: Duration): Promise<void> {
    this.closed = true
    await this.end(this.current, why, { drain })
    this.update()
    for (const look of [...this.watchers]) look()
  }

  /** This node stops at once: it has failed, or votes no more. */
  halt(why: string): void {
    const { driver } = this
    this.driver = null
    driver?.close()
    this.stands = false
    this.conclude(why)
    this.tellLeader()
    // The others learn that this node does not vote any more.
    if (driver !== null) this.host.report(this.name)
  }

  /** This node may vote or may not any more, or its configuration has changed. */
  reconfigure(): void {
    if (!this.host.mayGrant()) this.halt('this node does not vote')
    else if (this.driver === null) this.start()
    else this.driver.reconfigure(this.candidates.keys)
    this.update()
  }

  private start(): void {
    const { name: role, definition, host, candidates, starts } = this
    const { incarnation } = host
    candidates.begin()
    this.stands = this.eligible
    this.driver = new RoleDriver({
      role,
      definition,
      host,
      listener: this,
      keys: candidates.keys,
      key: candidates.key(this.willing),
      incarnation: starts === 0 ? incarnation : `${incarnation}.${starts}`,
    })
    this.starts++
    this.driver.start(this.stands)
    host.report(role)
  }

  accept(member: string, definition: string, bytes: Uint8Array): void {
    this.driver?.accept(member, definition, bytes)
  }

  peerChanged(member: string): void {
    if (!this.host.isUp(member)) this.candidates.lost(member)
    this.driver?.peerChanged(member)
    this.update()
  }

  /** The process of a member is certainly gone. */
  gone(member: string, incarnation: string): void {
    this.driver?.gone(member, incarnation)
  }

  /** Another member says how it takes part in this role. */
  heard(member: string, report: RoleReport): void {
    if (this.candidates.heard(member, report)) this.driver?.learnKey(member, report.key)
    this.peerChanged(member)
  }

  /** For nodes that do not vote: who leads, as those say who do. */
  heardOfLeader(leader: Leader | null): void {
    this.named = leader
    this.tellLeader()
  }

  /** What others should know. */
  get reported(): RoleReport {
    const { driver, candidates, willing } = this
    return {
      definition: this.definition.name,
      votes: driver !== null,
      key: driver?.key ?? candidates.key(false),
      present: willing ? candidates.key(true) : 0,
      leader: this.leader,
    }
  }

  /** This process became able to lead, or unable: a leader that is not resigns. */
  healthChanged(): void {
    this.update()
  }

  /** A quarter lease has passed. */
  beat(): void {
    this.probe.refresh()
    this.update()
    this.preempt()
    this.current?.lookAtLease()
    this.driver?.beat()
    if (this.options.priority !== undefined && this.willing) this.host.report(this.name)
  }

  get facts(): RoleFacts {
    const { driver, stands } = this
    const [granted, remaining] = [driver?.granted ?? 0, driver?.remaining() ?? 0]
    const promised = driver?.promised() ?? 0
    return { granted, remaining, promised, stands, counts: driver?.counts ?? null }
  }

  /* For the driver. */

  isUp(member: string): boolean {
    return this.candidates.isUp(member)
  }

  mayAsk(): boolean {
    return this.problem === null && this.current?.abandoned !== true
  }

  outcomeChanged(): void {
    const token = this.driver?.term ?? null
    if (this.current !== null && this.current.token !== token) this.conclude('the lease has ended')
    if (token !== null && this.current === null) this.begin(token)
    if (this.leader === null) this.renewKey()
    this.update()
    this.tellLeader()
  }

  /* For the loops over terms. */

  watch(run: () => void): () => void {
    this.watchers.add(run)
    return () => this.watchers.delete(run)
  }

  async loops(more: 1 | -1): Promise<void> {
    this.openLoops += more
    this.stand(this.openLoops > 0)
    if (more < 0) await this.current?.ended
  }

  /** Tells the work to end; the lease is given back once it has. */
  async end(term: RunningTerm | null, why: string, ending: Ending = {}): Promise<boolean> {
    const { clock, timing } = this.host
    const { to = null, drain } = ending
    const limit = drain === undefined ? timing.drain : milliseconds('drain', drain)
    if (term === null || term !== this.current) return false
    const released = await term.end(why, limit, clock, () => this.release(term, to))
    this.update()
    return released
  }

  private release(term: RunningTerm, to: string | null): boolean {
    if (this.current !== term || this.driver === null) return false
    const next = to ?? this.candidates.best()
    this.host.count('released', this.name)
    this.driver.request('RESIGN', { next: this.candidates.keys.get(next ?? '') ?? null })
    return true
  }

  private begin(token: number): void {
    const { clock, timing, log, beats } = this.host
    const { name: role } = this
    const term = new RunningTerm(role, token, clock.now(), {
      holds: (of) => this.driver?.term === of && this.driver.leads(),
      remaining: (of) => (this.driver?.term === of ? this.driver.remaining() : 0),
    })
    this.current = term
    this.host.count('elected', role)
    log.info('elected', `this process leads ${role}`, { role, term: token })
    const tooLate = () => void this.end(term, 'it was not renewed in time')
    term.watchLease(beats.timers, timing.notice, tooLate)
    this.emit('elected', term)
    for (const look of [...this.watchers]) look()
  }

  /** The present term is over. */
  private conclude(why: string): void {
    const { current, name: role } = this
    if (current === null) return
    this.current = null
    current.conclude(why)
    const reason = current.ending ?? why
    const fields = { role, term: current.token }
    this.host.count('deposed', role)
    this.host.log.info('deposed', `this process leads ${role} no more: ${reason}`, fields)
    if (current.working) this.outlive(current)
    this.emit('deposed', current, reason)
  }

  /** Work goes on although its term is over: this process does not stand until it has ended. */
  private outlive(term: RunningTerm): void {
    const { name: role } = this
    const message = `the work of ${role} has outlived its term`
    this.host.count('outlived', role)
    this.host.log.warn('work-outlived-term', message, { role, term: term.token })
    this.outlived++
    term.whenIdle(() => {
      this.outlived--
      this.update()
    })
  }

  /** Why this process must not lead; null if it may. */
  private get problem(): string | null {
    return this.host.problem() ?? this.probe.problem
  }

  /** Whether this process stands, if it does not lead. */
  private get willing(): boolean {
    const able = this.wanted && !this.closed && this.outlived === 0
    return able && this.host.mayLead(this.name) && this.problem === null
  }

  private get eligible(): boolean {
    return this.willing && this.candidates.mayStand()
  }

  /** Stands or does not, as it should; a leader that should not lead resigns first. */
  private update(): void {
    const { willing, current, driver } = this
    this.logProblem()
    if (driver === null) return
    if (current !== null) {
      if (willing || current.ending !== null) return
      void this.end(current, this.problem ?? 'this process does not stand any more')
      return
    }
    const stands = willing && this.candidates.mayStand()
    if (stands === this.stands) return
    this.stands = stands
    this.renewKey()
    driver.request('STAND', { willing: stands })
    this.host.report(this.name)
  }

  private logProblem(): void {
    const { problem, lastProblem, name: role } = this
    this.lastProblem = problem
    if (problem === null || lastProblem !== null || !this.wanted) return
    this.host.log.warn('unhealthy', `this process does not stand for ${role}: ${problem}`, { role })
  }

  /** A better candidate takes over, after the hold time, where this leader permits it. */
  private preempt(): void {
    const { current } = this
    if (this.options.preempt !== true || current === null || current.ending !== null) return
    if (this.host.clock.now() - current.since < this.hold) return
    const better = this.candidates.better()
    if (better !== null) void this.end(current, `${better} is better`, { to: better })
  }

  /** Between terms the key of this member follows its priority. */
  private renewKey(): void {
    const { driver } = this
    const key = this.candidates.key(this.willing)
    if (driver === null || driver.key === key) return
    driver.key = key
    this.host.report(this.name)
  }

  private tellLeader(): void {
    const { leader, told } = this
    if (leader?.id === told?.id && leader?.term === told?.term) return
    this.told = leader
    this.host.report(this.name)
    this.emit('leader', leader)
  }
}
