import type { NodeDisplay } from '../../../src/core/language/display.ts'
import { numberOf, STATUSES } from './events.ts'
import type { RunLog } from './run-log.ts'

const SEND = numberOf('send')
const DOUBLE = numberOf('double')
const LOSE = numberOf('lose')
const VANISH = numberOf('vanish')
const CUT = numberOf('cut')
const MEND = numberOf('mend')
const RECOVER = numberOf('recover')
const DEAD = STATUSES.indexOf('dead')
const LEADER = STATUSES.indexOf('leader')

type Pair = readonly [number, number]

/** Steps between two keyframes, at least. */
const INTERVAL = 512

/** The keyframes of each run, shared by all frames. */
const keyframesOf = new WeakMap<RunLog, Keyframe[]>()

interface Keyframe {
  readonly step: number
  readonly status: Uint8Array
  readonly leader: Float64Array
  readonly state: Int32Array
  readonly display: Int32Array
  readonly estimate: Float64Array
  readonly open: readonly number[]
  readonly cut: ReadonlyMap<string, Pair>
  readonly newIds: ReadonlyMap<number, number>
  readonly sent: Int32Array
  readonly lost: number
  readonly toDead: number
}

/**
 * The state of a run after `step` steps. Seeking forwards replays the steps between; seeking
 * backwards starts at a keyframe, so that neither replays more than one interval of steps.
 */
export class RunFrame {
  /** The number of steps that have happened. */
  step = 0
  readonly status: Uint8Array
  readonly leader: Float64Array
  /** Number of the text of each node's state; -1 before the first step of the node. */
  readonly state: Int32Array
  /** Number of the text of what is shown of each node; -1 for nothing. */
  private readonly displays: Int32Array
  readonly estimate: Float64Array
  /** Messages in flight, in the order of sending. */
  readonly open = new Set<number>()
  /** Links that are cut, as pairs of positions. */
  readonly cut = new Map<string, Pair>()
  /** The ids of nodes that have recovered under another one, by position. */
  private readonly newIds = new Map<number, number>()
  /** By message type. */
  readonly sent: Int32Array
  lost = 0
  toDead = 0
  private readonly keyframes: Keyframe[]
  private readonly interval: number

  constructor(readonly log: RunLog) {
    const { n, messageTypes } = log.world
    this.interval = Math.max(INTERVAL, n)
    this.status = new Uint8Array(n)
    this.leader = new Float64Array(n).fill(Number.NaN)
    this.state = new Int32Array(n).fill(-1)
    this.displays = new Int32Array(n).fill(-1)
    this.estimate = new Float64Array(n).fill(Number.NaN)
    this.sent = new Int32Array(messageTypes)
    const { absent = [] } = log.world
    for (let i = 0; i < absent.length; i += 2)
      if (absent[i] < absent[i + 1]) this.setCut(true, absent[i], absent[i + 1])
    this.keyframes = keyframesOf.get(log) ?? []
    keyframesOf.set(log, this.keyframes)
    if (this.keyframes.length === 0) this.addKeyframe()
  }

  get messages(): number {
    return this.sent.reduce((sum, count) => sum + count, 0)
  }

  get bits(): number {
    return this.step === 0 ? 0 : this.log.bits.at(this.step - 1)
  }

  /** The positions of the leaders. */
  get leaders(): number[] {
    return [...this.status.keys()].filter((node) => this.status[node] === LEADER)
  }

  /** The id of a node at this step; null where nodes are anonymous. */
  idOf(node: number): number | null {
    const { ids } = this.log.world
    return ids === null ? null : (this.newIds.get(node) ?? ids[node])
  }

  /** What is shown of a node besides its id and status; null where nothing is, as of the dead. */
  display(node: number): NodeDisplay | null {
    return this.status[node] === DEAD ? null : this.log.displayOf(this.displays[node])
  }

  seek(step: number): this {
    const target = Math.min(Math.max(step, 0), this.log.steps)
    const keyframe =
      this.keyframes[Math.min(Math.floor(target / this.interval), this.keyframes.length - 1)]
    if (target < this.step || keyframe.step > this.step) this.restore(keyframe)
    while (this.step < target) {
      this.advance()
      if (this.step === this.keyframes.length * this.interval) this.addKeyframe()
    }
    return this
  }

  private advance(): void {
    const { log, step } = this
    const node = log.nodeOf(step)
    this.status[node] = log.status.at(step)
    this.leader[node] = log.leader.at(step)
    this.state[node] = log.state.at(step)
    this.displays[node] = log.display.at(step)
    this.estimate[node] = log.estimate.at(step)
    const end = log.end(step)
    for (let event = log.first.at(step); event < end; event++) this.count(event)
    this.step++
  }

  private count(event: number): void {
    const { log } = this
    const kind = log.kind.at(event)
    const flight = log.flight.at(event)
    if (kind === SEND || kind === DOUBLE) this.open.add(flight)
    else if (flight >= 0) this.open.delete(flight)
    if (kind === SEND) this.sent[log.type.at(event)]++
    if (kind === LOSE) this.lost++
    if (kind === VANISH) this.toDead++
    if (kind === CUT || kind === MEND)
      this.setCut(kind === CUT, log.node.at(event), log.peer.at(event))
    if (kind === RECOVER) this.newIds.set(log.node.at(event), log.id.at(event))
  }

  private setCut(cut: boolean, from: number, to: number): void {
    if (cut) this.cut.set(`${from}-${to}`, [from, to])
    else this.cut.delete(`${from}-${to}`)
  }

  private addKeyframe(): void {
    this.keyframes.push({
      step: this.step,
      status: this.status.slice(),
      leader: this.leader.slice(),
      state: this.state.slice(),
      display: this.displays.slice(),
      estimate: this.estimate.slice(),
      open: [...this.open],
      cut: new Map(this.cut),
      newIds: new Map(this.newIds),
      sent: this.sent.slice(),
      lost: this.lost,
      toDead: this.toDead,
    })
  }

  private restore(keyframe: Keyframe): void {
    this.step = keyframe.step
    this.status.set(keyframe.status)
    this.leader.set(keyframe.leader)
    this.state.set(keyframe.state)
    this.displays.set(keyframe.display)
    this.estimate.set(keyframe.estimate)
    this.open.clear()
    for (const flight of keyframe.open) this.open.add(flight)
    this.cut.clear()
    for (const [link, pair] of keyframe.cut) this.cut.set(link, pair)
    this.newIds.clear()
    for (const [node, id] of keyframe.newIds) this.newIds.set(node, id)
    this.sent.set(keyframe.sent)
    this.lost = keyframe.lost
    this.toDead = keyframe.toDead
  }
}
