import { CodeFromText } from '../code-from-text.ts'
import type { Algorithm } from '../language/algorithm.ts'
import type { Message, Timer } from '../language/message.ts'
import type { Link, Office, RandomDelay } from '../language/net.ts'
import { UsageError } from '../usage-error.ts'
import type { Proposal } from './composition.ts'
import type { Driver, OutcomeChange } from './driver.ts'
import type { AnyBody } from './message-codec.ts'
import type { State } from './state.ts'

/** Names of fields as a part has them, and as the whole has them. */
type FieldNames = readonly (readonly [own: string, whole: string])[]

/**
 * The net that a part of a composition sees: that of the engine, but what it says about the outcome
 * concerns this part alone. It also shows the part its own state.
 */
export class PartNet {
  private driver!: Driver
  private raw!: State
  private readonly my: State

  constructor(
    private readonly part: { readonly name: string; readonly algorithm: Algorithm },
    fields: FieldNames,
    private readonly propose: (proposal: Proposal, my: State, net: unknown) => void,
  ) {
    this.my = viewOf(this, fields)
  }

  /** Runs something for this part; an engine may handle a message while another is handled. */
  readonly run = (raw: State, driver: Driver, act: (my: State, net: unknown) => void): void => {
    const { raw: outerState, driver: outerDriver } = this
    this.raw = raw
    this.driver = driver
    try {
      act(this.my, this)
    } finally {
      this.raw = outerState
      this.driver = outerDriver
    }
  }

  lead(office?: Office): void {
    if (office?.while !== undefined) throw this.unbound()
    const { my } = this
    if (my.status === 'leader' && office === undefined) return
    my.status = 'leader'
    my.leader = my.id ?? null
    this.changed('lead', office?.term)
  }

  follow(leader: number | null): void {
    const { my } = this
    if (my.status === 'lost' && my.leader === leader) return
    my.status = 'lost'
    my.leader = leader
    this.changed('follow')
  }

  withdraw(): void {
    const { my } = this
    if (my.status === 'unknown' && !my.stopped) return
    my.status = 'unknown'
    my.leader = null
    my.stopped = false
    this.changed('withdraw')
  }

  /** The others go on. */
  stop(): void {
    const { my } = this
    if (my.stopped) return
    my.stopped = true
    for (const [serial, timer] of this.part.algorithm.timerBySerial.entries())
      if (timer !== undefined) this.driver.cancel({ serial })
    this.changed('stop')
  }

  private changed(what: OutcomeChange, term?: number): void {
    const proposal = { part: this.part.name, what, leader: this.my.leader }
    this.propose(term === undefined ? proposal : { ...proposal, term }, this.raw, this.driver)
  }

  after(delay: number | RandomDelay, timer: Timer): void {
    if (!this.my.stopped) this.driver.after(delay, timer)
  }

  cancel(timer: Timer): void {
    this.driver.cancel(timer)
  }

  defer(): void {
    this.driver.defer()
  }

  send(link: Link, message: Message, body: AnyBody): void {
    this.driver.send(link, message, body)
  }

  sendAll(message: Message, body: AnyBody): void {
    this.driver.sendAll(message, body)
  }

  sendOthers(message: Message, body: AnyBody): void {
    this.driver.sendOthers(message, body)
  }

  get from(): Link {
    return this.driver.from
  }

  get onward(): Link {
    return this.driver.onward
  }

  get n(): number {
    return this.driver.n
  }

  get degree(): number {
    return this.driver.degree
  }

  get links(): readonly Link[] {
    return this.driver.links
  }

  get incarnation(): string {
    return this.driver.incarnation
  }

  get diameter(): number {
    return this.my.diameter as number
  }

  get position(): number {
    return this.driver.position
  }

  get time(): number | null {
    return this.driver.time
  }

  readonly hasLink = (link: Link): boolean => this.driver.hasLink(link)
  readonly peer = (link: Link): number => this.driver.peer(link)
  readonly up = (link: Link): boolean => this.driver.up(link)
  readonly weight = (link: Link): number => this.driver.weight(link)
  readonly along = (places: number): Link => this.driver.along(places)
  readonly places = (link: Link): number => this.driver.places(link)
  readonly choose = (k: number): number => this.driver.choose(k)
  readonly chance = (p: number): boolean => this.driver.chance(p)
  readonly random = (): number => this.driver.random()
  readonly pick = (): Link | null => this.driver.pick()
  readonly moment = (span: number): number => this.driver.moment(span)
  readonly majority = (links: Iterable<Link>, own: boolean): boolean =>
    this.driver.majority(links, own)

  private unbound(): UsageError {
    return new UsageError(
      this.part.algorithm.name,
      'it binds leadership to a timer, but it does not lead in this composition.',
      'Let it lead, or propose without a timer.',
    )
  }
}

/** The state of a part: its own names for the fields that it has in the state of the whole. */
function viewOf(holder: unknown, fields: FieldNames): State {
  const key = JSON.stringify
  const accessors = fields.map(
    ([own, whole]) =>
      `get [${key(own)}]() { return holder.raw[${key(whole)}] },
       set [${key(own)}](value) { holder.raw[${key(whole)}] = value }`,
  )
  return new CodeFromText('holder', `return { ${accessors.join(', ')} }`)(holder) as State
}
