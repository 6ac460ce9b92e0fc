import type { MessageCounts } from '../../cluster/node/message-counter.ts'
import { NodeDriver } from '../../cluster/node/node-driver.ts'
import type { Link } from '../../core/language/net.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { Leader } from '../node.ts'
import { memberOfKey } from './candidates.ts'
import type { RoleDefinition } from './definition.ts'
import type { RoleHost } from './role-host.ts'

/** The timer of renewals, which are sent together with a beat. */
const RENEW = 'RENEW'
const PROMISE = 'PROMISE'
const NONCE = 'NONCE'
/** A renewal is due so many milliseconds after its beat, which fires it if nothing is late. */
const SLACK = 5

/** What the driver of a role tells the role. */
export interface DriverListener {
  outcomeChanged(): void
  /** Whether a member is connected and votes for the role. */
  isUp(member: string): boolean
  /** Whether requests for grants and renewals may leave. */
  mayAsk(): boolean
}

interface RoleDriverOptions {
  readonly role: string
  readonly definition: RoleDefinition
  readonly host: RoleHost
  readonly listener: DriverListener
  /** Differs for every driver of this role at this member. */
  readonly incarnation: string
  /** The key of this member in the nominating election, and those of the others by name. */
  readonly key: number
  readonly keys: ReadonlyMap<string, number>
}

/** Messages of the nominating election to each member in a quarter lease. */
const MOST_NOMINATIONS = 16

/** Executes the definition of a role at this node. Its links are the numbers of the members. */
export class RoleDriver {
  private readonly driver: NodeDriver
  /** The links whose neighbours the algorithm takes for up. */
  private readonly ups = new Set<Link>()
  private names: ReadonlyMap<Link, string>
  private readonly renew: number
  private readonly promise: number
  private readonly nonce: number
  private nominations = 0
  private nominatingSince = 0

  private readonly role: string
  private readonly definition: RoleDefinition
  private readonly host: RoleHost
  private readonly listener: DriverListener

  constructor(options: RoleDriverOptions) {
    const { role, definition, host, listener, key, keys, incarnation } = options
    this.role = role
    this.definition = definition
    this.host = host
    this.listener = listener
    const { links, beats, timing } = host
    const timerNamed = (name: string) =>
      definition.algorithm.timers.find(({ word }) => word === name)!.index
    this.renew = timerNamed(RENEW)
    this.promise = timerNamed(PROMISE)
    this.nonce = timerNamed(NONCE)
    this.names = namesOf(links)
    const record = host.stored(role)
    const n = links.size + 1
    const largestId = Math.max(host.ownNumber!, ...links.values())
    this.driver = new NodeDriver(
      {
        algorithm: definition.algorithm,
        position: host.ownNumber!,
        n,
        id: key,
        clock: beats.timers,
        links: [...links.values()],
        incarnation,
        unit: 1,
        random: host.random(),
        peers: new Map([...links].map(([name, link]) => [link, keys.get(name) ?? link])),
        params: definition.parameters(timing, { n, largestId }),
        majority: (voters, own) => this.majority(voters, own),
        storage: { commit: (fields) => host.store(role, definition.record(fields)) },
        stored: record === undefined ? null : definition.fieldsIn(record),
        align: (timer, delay) => (timer === RENEW ? beats.aligned(delay) + SLACK : delay),
      },
      {
        send: (link, bytes) => this.send(link, bytes),
        up: (link) => this.ups.has(link),
        outcomeChanged: () => listener.outcomeChanged(),
        failed: (error) => host.failed(error),
        run: (step) => this.run(step),
      },
    )
  }

  /** Starts or recovers; whoever is connected is up. */
  start(willing: boolean): void {
    for (const [name, link] of this.host.links) if (this.listener.isUp(name)) this.ups.add(link)
    this.run(() => {
      this.driver.start()
      this.request('FLOOR', { term: this.host.floor(this.role) })
      this.request('STAND', { willing })
    })
  }

  close(): void {
    this.driver.close()
  }

  /** A beat is sent: a renewal that is due now leaves with it, and nonces age with it. */
  beat(): void {
    const { timers } = this.driver
    timers.fireSoon(this.renew, 2 * SLACK)
    timers.fireSoon(this.nonce, this.host.timing.beat / 2)
  }

  /** Whether this process leads at this instant. */
  leads(): boolean {
    return this.driver.leads()
  }

  remaining(): number {
    return this.driver.remaining()
  }

  /** The milliseconds for which this voter has promised its vote; 0 where it has not. */
  promised(): number {
    const setting = this.driver.timers.setting(this.promise)
    return setting === undefined ? 0 : Math.max(0, setting.due - this.host.clock.now())
  }

  /** The term in which this node leads; null if it does not. */
  get term(): number | null {
    const { status, term } = this.driver.outcome
    return status === 'leader' ? term : null
  }

  /** The highest term that this voter has granted. */
  get granted(): number {
    return this.driver.my.term as number
  }

  get counts(): MessageCounts {
    return this.driver.counts
  }

  /** Who leads, as this node knows it. */
  get leader(): Leader | null {
    const { status, leader, term } = this.driver.outcome
    if (status === 'leader') return { id: this.host.me, term: term! }
    const id = leader === null ? undefined : this.names.get(memberOfKey(leader))
    return id === undefined ? null : { id, term: this.granted }
  }

  request(message: string, body: AnyBody): void {
    this.run(() => this.driver.request(message, body))
  }

  /** A message of another member; throws MalformedBytes unless it is one of this definition. */
  accept(member: string, definition: string, bytes: Uint8Array): void {
    const link = this.host.links.get(member)
    const message = this.definition.incoming(definition, bytes)
    if (link === undefined || message === null) return
    this.driver.acceptBytes(link, message)
  }

  /** The connection to a member has changed. */
  peerChanged(member: string): void {
    const link = this.host.links.get(member)
    if (link === undefined) return
    const up = this.listener.isUp(member)
    if (up === this.ups.has(link)) return
    if (up) this.ups.add(link)
    else this.ups.delete(link)
    this.run(() => this.driver.notify(up ? 'up' : 'down', link))
  }

  /** The process of a member with this incarnation is certainly gone. */
  gone(member: string, incarnation: string): void {
    const link = this.host.links.get(member)
    const { holder, holderIncarnation } = this.driver.my
    const held = String(holderIncarnation)
    if (link === undefined || holder !== link) return
    if (held === incarnation || held.startsWith(`${incarnation}.`))
      this.request('GONE', { link, incarnation: held })
  }

  /** The key of this member in the nominating election. */
  get key(): number {
    return this.driver.my.id as number
  }

  set key(key: number) {
    this.driver.my.id = key
  }

  /** Another member has announced its key. */
  learnKey(member: string, key: number): void {
    const link = this.host.links.get(member)
    if (link !== undefined) this.run(() => this.driver.learnKey(link, key))
  }

  /** The configuration has changed. */
  reconfigure(keys: ReadonlyMap<string, number>): void {
    const { links, ownNumber } = this.host
    const present = new Set(links.values())
    for (const link of this.driver.links.filter((known) => !present.has(known))) {
      if (this.ups.delete(link)) this.run(() => this.driver.notify('down', link))
      this.driver.removeLink(link)
    }
    this.names = namesOf(links)
    for (const [name, link] of links) {
      if (!this.driver.links.includes(link)) this.driver.addLink(link, keys.get(name) ?? link)
      this.peerChanged(name)
    }
    this.driver.n = links.size + (ownNumber === null ? 0 : 1)
    this.request('FLOOR', { term: this.host.floor(this.role) })
  }

  /** The own vote is asked for like the others. */
  private majority(links: Iterable<Link>, own: boolean): boolean {
    const names = [...links].flatMap((link) => this.names.get(link) ?? [])
    const counts = own && this.listener.mayAsk()
    return this.host.majority(counts ? [...names, this.host.me] : names)
  }

  private send(link: Link, bytes: Uint8Array): void {
    const member = this.names.get(link)
    if (member === undefined || (this.definition.asks(bytes) && !this.listener.mayAsk())) return
    const message = this.definition.outgoing(bytes)
    if (message.definition !== '' && !this.mayNominate()) return
    this.host.send(member, this.role, message.definition, message.bytes)
  }

  /**
   * Whether a message of the nominating election may leave. Members that do not know each other's
   * present keys may both take themselves for the best and answer each other without end. Their
   * messages only propose who should lead, so those beyond a limit are dropped.
   */
  private mayNominate(): boolean {
    const now = this.host.clock.now()
    if (now - this.nominatingSince > this.host.timing.beat) {
      this.nominatingSince = now
      this.nominations = 0
    }
    return ++this.nominations <= MOST_NOMINATIONS * this.names.size
  }

  /** A handler that throws by itself, not because of a message, is a defect: this node stops. */
  private run(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.host.failed(error)
    }
  }
}

function namesOf(links: ReadonlyMap<string, Link>): ReadonlyMap<Link, string> {
  return new Map([...links].map(([name, link]) => [link, name]))
}
