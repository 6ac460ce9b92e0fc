import type { Algorithm } from '../../../src/core/index.ts'
import { idOf, shownNaming } from '../../../src/core/language/world.ts'
import { DisplayRecorder } from '../../../src/core/trace/display-recorder.ts'
import { showsSomething } from '../../../src/core/trace/node-display.ts'
import type { TraceEvent } from '../../../src/core/trace/trace-event.ts'
import type { Observers } from '../../../src/sim/conditions.ts'
import type { Simulation } from '../../../src/sim/index.ts'
import { typesOf } from '../engine/world-facts.ts'
import { type Chunk, ColumnWriter } from './columns.ts'
import { beginsStep, numberOf, STATUSES } from './events.ts'

/** Simulated events of the first chunk, which is small in order to come soon, and of others. */
export const FIRST_SLICE = 500
export const SLICE = 20_000
/** The limit of steps of a run. */
export const MOST_STEPS = 1_000_000
/** Of more nodes than this only the status is shown. */
const MOST_SHOWN = 20_000

/** Records a simulation step by step. */
export class ColumnRecorder {
  steps = 0
  private readonly writer = new ColumnWriter()
  private readonly broken = new Set<string>()
  /** Follows what pictures show, as an observer of the simulation. */
  readonly shown: DisplayRecorder
  private told = 0
  private current: TraceEvent | null = null
  private types: readonly string[] | null = null
  /** Events before the simulation is constructed: crashes of nodes that are never up. */
  private readonly early: TraceEvent[] = []

  constructor(
    /** It is constructed after the recorder, which receives its events. */
    private readonly simulation: () => Simulation | undefined,
    private readonly estimate: (node: number) => number = () => Number.NaN,
  ) {
    this.shown = new DisplayRecorder(simulation)
  }

  /** The observers of a run with this algorithm: only what it has to show is followed. */
  observers(algorithm: Algorithm, n: number): Observers {
    const trace = (event: TraceEvent) => this.record(event)
    return n <= MOST_SHOWN && showsSomething(algorithm)
      ? { trace, handling: this.shown }
      : { trace }
  }

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
    const { current, writer } = this
    if (startsStep(event, current)) {
      this.endStep()
      writer.beginStep()
      this.current = event
    }
    this.shown.record(event)
    this.types ??= typesOf(this.simulation()!.algorithm)
    writer.addEvent({ at: event.at, kind, node: event.node, ...detailsOf(event, this.types) })
  }

  /** Ends the current step and records the state of its node. */
  closeStep(): void {
    this.writeEarly()
    this.endStep()
  }

  private endStep(): void {
    if (this.current === null) return
    const { world, states, monitor, algorithm, counters } = this.simulation()!
    const { node } = this.current
    const state = states.of(node)
    this.writer.endStep({
      status: STATUSES.indexOf(monitor.alive(node) ? state.status : 'dead'),
      leader: state.leader === null ? Number.NaN : idOf(world, state.leader),
      state: JSON.stringify(algorithm.layout.json(state, shownNaming(world, node))),
      display: world.topology.n > MOST_SHOWN ? null : this.shown.display(node, state),
      reason: this.shown.takeReason(),
      estimate: this.estimate(node),
      bits: counters.bits,
    })
    this.steps++
    this.current = null
    for (const { name, detail } of monitor.violations) {
      if (this.broken.has(name)) continue
      this.broken.add(name)
      this.writer.addViolation({ step: this.steps, property: name, detail })
    }
  }

  take(): Chunk {
    const problems = [...this.shown.problems].slice(this.told)
    this.told += problems.length
    return { ...this.writer.take(), problems }
  }
}

/** Whether an event begins a step, rather than being an action in the step of `former`. */
export function startsStep({ event, node, at }: TraceEvent, former: TraceEvent | null): boolean {
  return beginsStep(numberOf(event)) || node !== former?.node || at !== former.at
}

/** The columns of an event besides time, kind and node; `types` numbers the message types. */
export function detailsOf(event: TraceEvent, types: readonly string[]) {
  switch (event.event) {
    case 'follow':
      return { id: event.leader ?? Number.NaN }
    case 'lead':
      // The term shares the column of ids.
      return { id: event.term ?? Number.NaN }
    case 'recover':
      return { id: event.id }
    case 'timeout':
      return { type: types.indexOf(event.timer) }
    case 'down':
    case 'up':
      return { peer: event.peer }
    case 'meet':
    case 'cut':
    case 'mend':
      return { peer: event.to }
    case 'respond':
      return { peer: event.from }
    case 'send':
    case 'lose':
    case 'double':
      return { peer: event.to, ...messageOf(event, types) }
    case 'receive':
    case 'vanish':
      return { peer: event.from, ...messageOf(event, types) }
    default:
      return {}
  }
}

function messageOf(
  { message, type, body }: { message: number; type: string; body: object },
  types: readonly string[],
) {
  return { message, type: types.indexOf(type), body: JSON.stringify(body) }
}
