import { type Link, left } from '../../core/language/net.ts'
import { linksOf } from '../../core/language/topology.ts'
import { TypeViolation } from '../../core/language/value-types.ts'
import { constantsOf, type World } from '../../core/language/world.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import { Driver, type OutcomeChange } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { State } from '../../core/runtime/state.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type ArmedTimer, drawnBy, type LinkView, type LocalState } from './local-states.ts'
import type { MessageTable } from './message-table.ts'
import { notifiedLinks, type Routing } from './routing.ts'
import type { HandlerAction, HandlerEvent, HandlerResult, LinkNotice } from './transition.ts'

/** A handler with more choices, or with more ways to end, is taken to have no end of them. */
const MOST_DRAWS = 1000
const MOST_WAYS = 100_000

/** Runs the handlers of single nodes on copies of their states, and notes what they ask for. */
export class HandlerRunner extends Driver {
  my!: State
  /** Whether some handler wanted to know who is behind a link. */
  asked = false
  /** Whether some handler wanted to draw more than it may. */
  cut = false
  readonly n: number
  links: readonly Link[] = []
  protected node = 0
  private alarms: ArmedTimer[] = []
  private view!: LinkView
  private deeds: HandlerAction[] = []
  private sets: number[] = []
  private readonly coins = new ChoiceOdometer()
  /** Shows whether a state can be written. */
  private readonly trial = new ByteWriter()
  private readonly linksByNode: readonly (readonly Link[])[]

  constructor(
    private readonly world: World,
    private readonly roads: Routing,
    private readonly mail: MessageTable,
    private readonly timed: boolean,
    /** How often one node may draw; undefined: as often as it likes. */
    private readonly mostDraws: number | undefined,
  ) {
    super(world.algorithm, world.topology.firstLink)
    this.n = world.topology.n
    this.linksByNode = Array.from({ length: this.n }, (_, node) => linksOf(world.topology, node))
  }

  get degree(): number {
    return this.links.length
  }

  /** Every way in which the node can react: one for each sequence of choices. */
  perform(node: number, local: LocalState, occasion: HandlerEvent): HandlerResult[] {
    const ways: HandlerResult[] = []
    this.node = node
    this.links = this.linksByNode[node]
    this.coins.forget()
    do {
      if (ways.length === MOST_WAYS) throw this.endless(`more than ${MOST_WAYS} ways to end`)
      const way = this.once(local, occasion)
      if (way === null) this.cut = true
      else ways.push(way)
    } while (this.coins.turn())
    return ways
  }

  /** One way; null where the node would have to draw more often than it may. */
  private once(local: LocalState, occasion: HandlerEvent): HandlerResult | null {
    const { drawn: before = 0 } = local
    this.coins.begin((this.mostDraws ?? Number.POSITIVE_INFINITY) - before)
    this.my = this.algorithm.layout.copy(local.state)
    this.alarms = [...local.alarms]
    this.view = local
    this.deeds = []
    this.sets = []
    this.from = -1
    try {
      this.happen(occasion)
      this.algorithm.layout.write(this.trial, this.my)
      this.trial.take()
    } catch (error) {
      return error === CUT ? null : this.misfitting(local, error)
    }
    const { down, renamed } = this.view
    const drawn = this.mostDraws === undefined ? undefined : before + this.coins.drawn
    // Alarms of a node that has stopped would go off unheard; without them it is quiet at once.
    const alarms = this.my.stopped ? [] : this.alarms
    return {
      local: { state: this.my, alarms, down, renamed, ...drawnBy(drawn) },
      deeds: this.deeds,
      draws: this.coins.values,
      sets: this.sets,
    }
  }

  /** What handlers throw themselves is told to their author at once. */
  private misfitting(local: LocalState, error: unknown): HandlerResult {
    if (!(error instanceof TypeViolation)) throw error
    const { message: misfit } = error
    const { values: draws } = this.coins
    return { local: { ...local, misfit }, deeds: [], draws, sets: [], misfit }
  }

  private happen(occasion: HandlerEvent): void {
    switch (occasion.event) {
      case 'wake':
        this.from = occasion.link ?? -1
        this.wake()
        break
      case 'receive': {
        const { link, message } = occasion
        this.from = link
        this.receive(this.my, this.mail.kind(message).index, this.mail.body(message))
        break
      }
      case 'timeout':
        this.clearTimer(occasion.alarm)
        this.fireTimer(occasion.alarm)
        break
      case 'recover':
        this.my = this.algorithm.layout.recovered(
          this.my,
          occasion.id,
          constantsOf(this.world, this.node),
        )
        this.view = occasion.view
        // It joins the attempt that its coming back begins.
        if (this.algorithm.restarts) this.my.attempt = occasion.changes
        this.recoverNode()
        break
      default:
        this.hear(occasion)
    }
  }

  private hear(tidings: LinkNotice): void {
    const before = this.view
    this.learn(tidings)
    const links = notifiedLinks(this.roads, this.links, tidings, before, this.view)
    // An attempt is known by how much a node was told, wherever in the ring that was.
    if (this.algorithm.restarts) this.notice(tidings.event, links[0] ?? left)
    else for (const link of links) this.notice(tidings.event, link)
  }

  /** From now on the node has another view of a link and of who is behind it. */
  private learn({ event, link, id }: LinkNotice): void {
    const down = this.view.down.filter((other) => other !== link)
    const renamed = this.view.renamed.filter((other) => other.link !== link)
    const { ids } = this.world
    if (event === 'down') down.push(link)
    if (ids[this.roads.sight.neighbor(this.node, link)] !== id) renamed.push({ link, id })
    this.view = {
      down: down.sort((a, b) => a - b),
      renamed: renamed.sort((a, b) => a.link - b.link),
    }
  }

  choose(k: number): number {
    if (!(Number.isInteger(k) && k > 0))
      throw new UsageError(
        `check ${this.algorithm.name}`,
        `net.choose needs a whole number above 0, but it was given ${k}.`,
        'Correct the algorithm.',
      )
    if (this.coins.drawn === MOST_DRAWS)
      throw this.endless(`more than ${MOST_DRAWS} choices in one go`)
    return this.coins.draw(k)
  }

  random(): never {
    throw new UsageError(
      `check ${this.algorithm.name}`,
      'the explorer tries every outcome of a coin, but net.random() has too many.',
      'Use net.choose(k), or simulate it with `conclave run`.',
    )
  }

  pick(): Link | null {
    const { outLinks } = this.world.topology
    return this.degree === 0 ? null : this.links[this.choose(outLinks ?? this.degree)]
  }

  moment(span: number): number {
    return this.timed ? this.choose(span) : 0
  }

  peer(link: Link): number {
    this.asked = true
    const ahead = this.roads.ahead(link, this.view)
    const renamed = this.view.renamed.find((other) => other.link === ahead)
    return renamed?.id ?? this.world.ids[this.roads.sight.neighbor(this.node, ahead)]
  }

  up(link: Link): boolean {
    return !this.view.down.includes(this.roads.ahead(link, this.view))
  }

  weight(link: Link): number {
    return this.world.weights?.[this.world.topology.channel(this.node, link)] ?? 0
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    const message = this.mail.numberOf(this.algorithm.kinds[kind], body)
    this.deeds.push({ deed: 'send', link, message })
  }

  /** Alarms due at one moment go off in the order in which they were set. */
  protected setTimer(alarm: number, delay: number): void {
    this.clearTimer(alarm)
    this.sets.push(alarm)
    if (!this.timed) {
      this.alarms.push({ alarm, left: 0 })
      this.alarms.sort((a, b) => a.alarm - b.alarm)
      return
    }
    // An alarm that no clock could count up to never goes off.
    if (delay > Number.MAX_SAFE_INTEGER) return
    if (!Number.isInteger(delay))
      throw new UsageError(
        `check ${this.algorithm.name}`,
        `time goes in whole units in mode clocked, but a timer is set to ${delay}.`,
        'Use whole delays, or another mode.',
      )
    const later = this.alarms.findIndex((due) => due.left > delay)
    this.alarms.splice(later < 0 ? this.alarms.length : later, 0, { alarm, left: delay })
  }

  protected clearTimer(alarm: number): void {
    this.alarms = this.alarms.filter((due) => due.alarm !== alarm)
  }

  protected changed(what: OutcomeChange): void {
    if (what === 'follow') this.deeds.push({ deed: what, leader: this.my.leader })
    else this.deeds.push({ deed: what })
  }

  private endless(given: string): UsageError {
    return new UsageError(
      `check ${this.algorithm.name}`,
      `a handler must have a bounded number of outcomes, but one has ${given}.`,
      'Draw less in one handler.',
    )
  }
}

/** Thrown out of a handler that wants to draw more than it may. */
const CUT = Symbol('cut')

/** What the coins of one handler show, one sequence after the other until all were seen. */
class ChoiceOdometer {
  private shown: { value: number; readonly of: number }[] = []
  private next = 0
  private left = 0

  /** How many were drawn since the handler began. */
  get drawn(): number {
    return this.next
  }

  get values(): number[] {
    return this.shown.map(({ value }) => value)
  }

  /** Another handler is to be run. */
  forget(): void {
    this.shown = []
  }

  /** It is run once more, and may draw so many times. */
  begin(left: number): void {
    this.next = 0
    this.left = left
  }

  draw(k: number): number {
    if (this.next === this.left) throw CUT
    if (this.next === this.shown.length) this.shown.push({ value: 0, of: k })
    return this.shown[this.next++].value
  }

  /** Moves on to the next sequence, the last coin first; false when all are done. */
  turn(): boolean {
    while (this.shown.length > 0) {
      const last = this.shown[this.shown.length - 1]
      if (++last.value < last.of) return true
      this.shown.pop()
    }
    return false
  }
}
