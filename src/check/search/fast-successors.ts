import { grown } from '../../core/runtime/growable-array.ts'
import { changeOf } from '../model/state-vector.ts'
import type { HandlerTransition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { holds } from '../reduction/sleep-sets.ts'
import { IntPairMap, Rows } from './int-pair-map.ts'

/*
 * What happens, as rows of numbers. A change of a cell: its new value, and what that adds to the
 * halves of the hash. A taking: the change of the channel and the message. A deed: the change of
 * the node, where it is, the first and the last of its sends, how many deeds from here on are ways
 * of the same, and what is true of it: it is tangled, sending twice into one channel or where the
 * message came from; it is a waking; its node begins or ceases to lead, or only the latter.
 */
const [LOW, HIGH] = [1, 2]
const CHANGE = 4
const [MESSAGE, CELL, TAKINGS] = [3, 4, 5]
const TAKING = 8
const [NODE, SENDS, END, WAYS, TRUTHS] = [3, 4, 5, 6, 7]
const [TANGLED, WAKES, SEATS, DEPOSES] = [1, 2, 4, 8]
const DEED = 8
const [SEND_CELL, SEND_MESSAGE] = [0, 1]
const SEND = 2

/** In place of a taking or of deeds where there are none; and where a node does nothing. */
const NONE = 0
const IDLE = -1

/** A search that begins again need not find out everything again. */
const made = new WeakMap<TransitionSystem, FastSuccessors>()

/**
 * The moves of a system in which nothing goes wrong and time does not count: almost all moves of a
 * search lead to a state that was seen before, so their hashes are computed without making them.
 * The order of the moves is that of `System.moves`.
 */
export class FastSuccessors {
  /** How many moves were found, and the hashes of where they lead, where asked for. */
  count = 0
  /** How many were left out since it is known where they lead. */
  passed = 0
  /** The number of a move among all that the state allows. */
  ordinals = new Int32Array(64)
  lows = new Int32Array(64)
  highs = new Int32Array(64)
  private takingOf = new Int32Array(64)
  private deedOf = new Int32Array(64)

  private readonly changes = new Rows(CHANGE)
  private readonly takings = new Rows(TAKING)
  private readonly deeds = new Rows(DEED)
  private readonly sends = new Rows(SEND)
  private readonly effects: HandlerTransition[] = []
  /** Where every message is received in one way and no step has to be judged, for none deposes. */
  private countable = true

  /** The first deed of what a node may do by itself, by its local state. */
  private readonly own: number[][]
  /** The first taking from a channel, by its content. */
  private readonly taken: number[][]
  /** By number of a starter: what counts it, and the first of its deeds by its local state. */
  private readonly starts: { readonly next: number; readonly deeds: number[] }[] = []
  private readonly received: IntPairMap[]
  private readonly appended: IntPairMap[]
  private readonly receivers: Int32Array

  private constructor(private readonly system: TransitionSystem) {
    const { locals, channels } = system.effects
    this.own = locals.map(() => [])
    this.taken = channels.map(() => [])
    this.received = channels.map(() => new IntPairMap())
    this.appended = channels.map(() => new IntPairMap())
    this.receivers = Int32Array.from(channels, ({ route }) => route.to)
  }

  /** Those of a system, made once; null where its moves cannot be found in this way. */
  static of(system: TransitionSystem): FastSuccessors | null {
    const { faults, mode } = system
    if (faults !== null || mode === 'clocked') return null
    const moves = made.get(system) ?? new FastSuccessors(system)
    made.set(system, moves)
    return moves
  }

  /** Finds the moves that the loaded state allows; those out of some cells are only counted. */
  find(known: Int32Array | null = null): void {
    const { system, receivers } = this
    const { cells } = system.vector
    const { n, starters, stageCell } = system
    const passable = this.countable ? known : null
    this.count = this.passed = 0
    if (cells[stageCell] < starters.length) {
      this.findStart(cells[stageCell])
      return
    }
    const alarmsMayRing = system.mode === 'untimed' || !system.inFlight
    for (let node = 0; node < n; node++) {
      const own = this.own[node][cells[node]] ?? this.findOwn(node, cells[node])
      if (own === IDLE) continue
      if (passable === null || !holds(passable, node)) this.offerWays(NONE, own, alarmsMayRing)
      else this.passed += this.deeds.words[own * DEED + WAYS]
    }
    for (let channel = 0; channel < receivers.length; channel++) {
      const content = cells[n + channel]
      if (content === 0) continue
      if (passable !== null && holds(passable, n + channel)) {
        this.passed++
        continue
      }
      const first = this.taken[channel][content] ?? this.findTakings(channel, content)
      const last = first + this.takings.words[first * TAKING + TAKINGS]
      for (let taking = first; taking < last; taking++) {
        const message = this.takings.words[taking * TAKING + MESSAGE]
        const local = cells[receivers[channel]]
        const noted = this.received[channel].get(local, message)
        this.offerWays(taking, noted > 0 ? noted : this.findReceipt(channel, local, message), true)
      }
    }
  }

  /** Computes the hash of where a move leads, which many ask for only a few of. */
  hash(i: number): void {
    const { vector } = this.system
    const deeds = this.deeds.words
    const takings = this.takings.words
    const [from, at] = [this.takingOf[i] * TAKING, this.deedOf[i] * DEED]
    let low = (vector.low + ((takings[from + LOW] + deeds[at + LOW]) | 0)) | 0
    let high = (vector.high + ((takings[from + HIGH] + deeds[at + HIGH]) | 0)) | 0
    if ((deeds[at + TRUTHS] & TANGLED) !== 0) {
      this.make(i)
      low = vector.low
      high = vector.high
      vector.undo()
    } else {
      const sends = this.sends.words
      for (let send = deeds[at + SENDS]; send < deeds[at + END]; send++) {
        const cell = sends[send * SEND + SEND_CELL]
        const change = this.append(cell, vector.cells[cell], sends[send * SEND + SEND_MESSAGE])
        low = (low + this.changes.words[change * CHANGE + LOW]) | 0
        high = (high + this.changes.words[change * CHANGE + HIGH]) | 0
      }
    }
    this.lows[i] = low
    this.highs[i] = high
  }

  move(i: number): HandlerTransition {
    return this.effects[this.deedOf[i]]
  }

  /** What it comes out of: the channel that a message leaves, or the node itself. */
  cell(i: number): number {
    const taking = this.takingOf[i]
    return taking === NONE ? this.node(i) : this.takings.words[taking * TAKING + CELL]
  }

  /** Where it happens. */
  node(i: number): number {
    return this.deeds.words[this.deedOf[i] * DEED + NODE]
  }

  wakes(i: number): boolean {
    return this.isTrue(i, WAKES)
  }

  /** Whether somebody begins or ceases to lead. */
  seats(i: number): boolean {
    return this.isTrue(i, SEATS)
  }

  /** The number of that effect, the same wherever it can happen. */
  number(i: number): number {
    return this.deedOf[i]
  }

  /** Whether the node that moves led before and does not any more. */
  deposes(i: number): boolean {
    return this.isTrue(i, DEPOSES)
  }

  /** Makes a move that was found; the vector takes it back. */
  make(i: number): void {
    const { vector } = this.system
    const deeds = this.deeds.words
    const takings = this.takings.words
    const [from, at] = [this.takingOf[i] * TAKING, this.deedOf[i] * DEED]
    if (this.takingOf[i] !== NONE) vector.changeAs(takings[from + CELL], takings, from)
    vector.changeAs(deeds[at + NODE], deeds, at)
    const sends = this.sends.words
    for (let send = deeds[at + SENDS]; send < deeds[at + END]; send++) {
      const cell = sends[send * SEND + SEND_CELL]
      const change = this.append(cell, vector.cells[cell], sends[send * SEND + SEND_MESSAGE])
      vector.changeAs(cell, this.changes.words, change * CHANGE)
    }
  }

  private isTrue(i: number, truth: number): boolean {
    return (this.deeds.words[this.deedOf[i] * DEED + TRUTHS] & truth) !== 0
  }

  private offerWays(taking: number, first: number, alarmsMayRing: boolean): void {
    const last = first + this.deeds.words[first * DEED + WAYS]
    for (let deed = first; deed < last; deed++)
      if (alarmsMayRing || this.effects[deed].event === 'wake') this.offer(taking, deed)
  }

  private offer(taking: number, deed: number): void {
    const { count } = this
    if (count === this.lows.length) this.growLists()
    this.ordinals[count] = count + this.passed
    this.takingOf[count] = taking
    this.deedOf[count] = deed
    this.count++
  }

  /** What a message makes of a channel's content. */
  private append(cell: number, content: number, message: number): number {
    const channel = cell - this.system.n
    const known = this.appended[channel].get(content, message)
    if (known > 0) return known
    const { channels } = this.system.effects
    const longer = channels[channel].append(content, message)
    const change = this.changes.push(...changeOf(cell, content, longer))
    this.appended[channel].set(content, message, change)
    return change
  }

  /** One of those who were told to start, in their order. */
  private findStart(stage: number): void {
    const { starters, stageCell, vector, effects } = this.system
    const node = starters[stage]
    const local = vector.cells[node]
    this.starts[stage] ??= {
      next: this.takings.push(...changeOf(stageCell, stage, stage + 1), -1, stageCell, 1),
      deeds: [],
    }
    const { next, deeds } = this.starts[stage]
    deeds[local] ??= this.note(effects.ofWaking(node, local), -1)
    this.offerWays(next, deeds[local], true)
  }

  private findOwn(node: number, local: number): number {
    const { anyWake, effects } = this.system
    const { asleep, list } = effects.locals[node]
    const waking = anyWake && asleep[local] ? effects.ofWaking(node, local) : []
    const alarms = list[local].alarms.flatMap(({ alarm }) => effects.ofTimeout(node, local, alarm))
    const deeds = [...waking, ...alarms]
    const own = deeds.length === 0 ? IDLE : this.note(deeds, -1)
    this.own[node][local] = own
    return own
  }

  private findTakings(channel: number, content: number): number {
    const cell = this.system.n + channel
    const takes = this.system.effects.channels[channel].next(content)
    const [first] = takes.map(({ message, rest }) =>
      this.takings.push(...changeOf(cell, content, rest), message, cell, takes.length),
    )
    this.taken[channel][content] = first
    return first
  }

  private findReceipt(channel: number, local: number, message: number): number {
    const effects = this.system.effects.ofReceipt(channel, local, message)
    const deed = this.note(effects, this.system.n + channel)
    if (effects.length !== 1) this.countable = false
    this.received[channel].set(local, message, deed)
    return deed
  }

  /** Writes ways of one thing down; the number of the first. */
  private note(ways: readonly HandlerTransition[], from: number): number {
    const { n } = this.system
    if (ways.length === 0) return NONE
    const first = this.deeds.size
    for (const effect of ways) {
      const { node, before, after, sent } = effect
      const start = this.sends.size
      for (const { channel, message } of sent) this.sends.push(n + channel, message)
      const cells = new Set(sent.map(({ channel }) => n + channel))
      const tangled = cells.size < sent.length || cells.has(from) ? TANGLED : 0
      const office = (effect.seats ? SEATS : 0) | (effect.deposes ? DEPOSES : 0)
      const truths = tangled | (effect.event === 'wake' ? WAKES : 0) | office
      const change = changeOf(node, before, after)
      const deed = this.deeds.push(...change, node, start, this.sends.size, ways.length, truths)
      this.effects[deed] = effect
      if (effect.deposes) this.countable = false
    }
    return first
  }

  private growLists(): void {
    this.lows = grown(this.lows)
    this.highs = grown(this.highs)
    this.ordinals = grown(this.ordinals)
    this.takingOf = grown(this.takingOf)
    this.deedOf = grown(this.deedOf)
  }
}
