import type { TraceEvent } from '../../../src/core/trace.ts'
import { idOf, namingIn } from '../../../src/core/world.ts'
import type { Simulation } from '../../../src/sim/index.ts'
import type { Chunk, Violation } from './chunk.ts'
import { bytes, integers, reals } from './columns.ts'
import { beginsStep, numberOf, STATUSES } from './events.ts'

const NOBODY = -1

/** Writes a simulation down in columns, step by step. */
export class Scribe {
  steps = 0
  private readonly at = reals()
  private readonly kind = bytes()
  private readonly node = integers()
  private readonly peer = integers()
  private readonly id = reals()
  private readonly message = integers()
  private readonly type = bytes()
  private readonly body = integers()
  private readonly first = integers()
  private readonly status = bytes()
  private readonly leader = reals()
  private readonly state = integers()
  private readonly estimate = reals()
  private readonly bits = reals()
  private readonly numbers = new Map<string, number>()
  private texts: string[] = []
  private violations: Violation[] = []
  private readonly broken = new Set<string>()
  private events = 0
  private current: TraceEvent | null = null

  constructor(
    private readonly simulation: () => Simulation,
    /** Names of message types, then of timers. */
    private readonly types: readonly string[],
  ) {}

  record(event: TraceEvent): void {
    const kind = numberOf(event.event)
    const { current } = this
    if (beginsStep(kind) || event.node !== current?.node || event.at !== current.at) {
      this.closeStep()
      this.first.push(this.events)
      this.current = event
    }
    this.events++
    this.at.push(event.at)
    this.kind.push(kind)
    this.node.push(event.node)
    this.peer.push('to' in event ? event.to : 'from' in event ? event.from : peerOf(event))
    this.id.push(
      'leader' in event ? (event.leader ?? Number.NaN) : 'id' in event ? event.id : Number.NaN,
    )
    this.message.push('message' in event ? event.message : NOBODY)
    const type = 'type' in event ? event.type : 'timer' in event ? event.timer : ''
    this.type.push(this.types.indexOf(type) & 255)
    this.body.push('body' in event ? this.numberOf(JSON.stringify(event.body)) : NOBODY)
  }

  /** The step under way is over: notes how its node is now. */
  closeStep(): void {
    if (this.current === null) return
    const { world, states, referee, algorithm, meter } = this.simulation()
    const { node } = this.current
    const state = states.of(node)
    this.status.push(STATUSES.indexOf(referee.alive(node) ? state.status : 'dead'))
    this.leader.push(state.leader === null ? Number.NaN : idOf(world, state.leader))
    this.state.push(this.numberOf(JSON.stringify(algorithm.form.plain(state, namingIn(world)))))
    this.estimate.push(Number.NaN)
    this.bits.push(meter.bits)
    this.steps++
    this.current = null
    for (const { name, holds, detail } of referee.judge('so far')) {
      if (holds !== false || this.broken.has(name)) continue
      this.broken.add(name)
      this.violations.push({ step: this.steps, property: name, detail })
    }
  }

  /** What was written since the last time. */
  take(): Chunk {
    const chunk = {
      events: {
        at: this.at.take(),
        kind: this.kind.take(),
        node: this.node.take(),
        peer: this.peer.take(),
        id: this.id.take(),
        message: this.message.take(),
        type: this.type.take(),
        body: this.body.take(),
      },
      steps: {
        first: this.first.take(),
        status: this.status.take(),
        leader: this.leader.take(),
        state: this.state.take(),
        estimate: this.estimate.take(),
        bits: this.bits.take(),
      },
      texts: this.texts,
      violations: this.violations,
    }
    this.texts = []
    this.violations = []
    return chunk
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.texts.push(text)
    const number = this.numbers.size
    this.numbers.set(text, number)
    return number
  }
}

function peerOf(event: TraceEvent): number {
  return 'peer' in event ? event.peer : NOBODY
}
