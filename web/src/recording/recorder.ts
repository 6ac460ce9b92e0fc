import { idOf, namingIn } from '../../../src/core/language/world.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import type { Simulation } from '../../../src/sim/index.ts'
import { typesOf } from '../engine/world-facts.ts'
import type { Chunk } from './chunk.ts'
import { ColumnWriter } from './column-writer.ts'
import { beginsStep, numberOf, STATUSES } from './events.ts'

/** Simulated events up to the first chunk, so that something is seen soon, and between others. */
export const FIRST_SLICE = 500
export const SLICE = 20_000
/** Steps after which a run is cut. */
export const MOST_STEPS = 1_000_000

/** Writes a simulation down step by step. */
export class ColumnRecorder {
  steps = 0
  private readonly ledger = new ColumnWriter()
  private readonly broken = new Set<string>()
  private current: TraceEvent | null = null
  private types: readonly string[] | null = null
  /** A simulation tells of those who are never up while it is still being made. */
  private readonly early: TraceEvent[] = []

  constructor(
    /** It is made after the scribe, which it tells its events. */
    private readonly simulation: () => Simulation | undefined,
    private readonly estimate: (node: number) => number = () => Number.NaN,
  ) {}

  record(event: TraceEvent): void {
    if (this.simulation() === undefined) {
      this.early.push(event)
      return
    }
    if (this.early.length > 0) this.writeEarly()
    this.write(event)
  }

  private writeEarly(): void {
    for (const event of this.early.splice(0)) this.write(event)
  }

  private write(event: TraceEvent): void {
    const kind = numberOf(event.event)
    const { current, ledger } = this
    if (beginsStep(kind) || event.node !== current?.node || event.at !== current.at) {
      this.endStep()
      ledger.beginStep()
      this.current = event
    }
    this.types ??= typesOf(this.simulation()!.algorithm)
    ledger.addEvent({ at: event.at, kind, node: event.node, ...detailsOf(event, this.types) })
  }

  /** The step under way is over: notes how its node is now. */
  closeStep(): void {
    this.writeEarly()
    this.endStep()
  }

  private endStep(): void {
    if (this.current === null) return
    const { world, states, monitor, algorithm, counters } = this.simulation()!
    const { node } = this.current
    const state = states.of(node)
    this.ledger.endStep({
      status: STATUSES.indexOf(monitor.alive(node) ? state.status : 'dead'),
      leader: state.leader === null ? Number.NaN : idOf(world, state.leader),
      state: JSON.stringify(algorithm.layout.json(state, namingIn(world))),
      estimate: this.estimate(node),
      bits: counters.bits,
    })
    this.steps++
    this.current = null
    for (const { name, detail } of monitor.violations) {
      if (this.broken.has(name)) continue
      this.broken.add(name)
      this.ledger.addViolation({ step: this.steps, property: name, detail })
    }
  }

  take(): Chunk {
    return this.ledger.take()
  }
}

/** What an event says besides when, where and what; types are numbered as in this list. */
export function detailsOf(event: TraceEvent, types: readonly string[]) {
  switch (event.event) {
    case 'follow':
      return { id: event.leader ?? Number.NaN }
    case 'recover':
      return { id: event.id }
    case 'timeout':
      return { type: types.indexOf(event.timer) }
    case 'down':
    case 'up':
      return { peer: event.peer }
    case 'cut':
    case 'mend':
      return { peer: event.to }
    case 'send':
    case 'lose':
    case 'double':
      return { peer: event.to, ...letterOf(event, types) }
    case 'receive':
    case 'vanish':
      return { peer: event.from, ...letterOf(event, types) }
    default:
      return {}
  }
}

function letterOf(
  { message, type, body }: { message: number; type: string; body: object },
  types: readonly string[],
) {
  return { message, type: types.indexOf(type), body: JSON.stringify(body) }
}
