import type { ExplainedRun } from '../../check/index.ts'
import type { Fields } from '../../core/language/value-types.ts'
import { initialState, realIds, resultNaming, type World } from '../../core/language/world.ts'
import type { StateChange } from '../../core/trace/state-changes.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'

/** One step of a run: a sentence, its events, and what changed in the state of its node. */
export interface RunStep {
  readonly at: number
  /** The node that takes the step; null where time passes or a link fails. */
  readonly node: number | null
  readonly text: string
  readonly events: readonly TraceEvent[]
  readonly changes: readonly StateChange[]
}

type OwnState = Readonly<Record<string, unknown>>

/** A run that can be followed step by step, in both directions. */
export interface SteppedRun {
  readonly title: string
  readonly unit: 'step' | 'round' | 'time' | 'interaction' | 'cycle'
  readonly n: number
  /** The real ids by position; null where nodes have none. */
  readonly ids: ArrayLike<number> | null
  /** The own fields of the state of a node at the beginning, as JSON. */
  initial(node: number): OwnState
  readonly types: Fields
  /** Events before the first step: nodes that are dead from the start. */
  readonly before: readonly TraceEvent[]
  readonly steps: readonly RunStep[]
  /** The steps from this one, counted from 1, repeat forever. */
  readonly loop?: number
  /** What is said after the last step. */
  readonly end: string
}

export type ShownStatus = 'asleep' | 'unknown' | 'leader' | 'lost' | 'dead'

/** A message that is on its way. */
export interface FlyingMessage {
  readonly from: number
  readonly to: number
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
  readonly copies: number
}

/** A node as it is after some steps. */
export interface NodeMoment {
  readonly id: number | null
  readonly status: ShownStatus
  readonly leader: number | null
  readonly stopped: boolean
  readonly state: OwnState
}

/** The nodes and the messages after the first steps of a run. */
export class RunMoment {
  private readonly nodes = new Map<number, NodeMoment>()
  private readonly flying = new Map<number, FlyingMessage>()

  constructor(
    private readonly run: SteppedRun,
    steps: number,
  ) {
    for (const event of run.before) this.apply(event)
    for (const step of run.steps.slice(0, steps)) {
      for (const event of step.events) this.apply(event)
      if (step.node !== null && step.changes.length > 0) this.change(step.node, step.changes)
    }
  }

  node(node: number): NodeMoment {
    const { run } = this
    return (
      this.nodes.get(node) ?? {
        id: run.ids?.[node] ?? null,
        status: 'asleep',
        leader: null,
        stopped: false,
        state: run.initial(node),
      }
    )
  }

  /** In the order of sending. */
  get inFlight(): readonly FlyingMessage[] {
    return [...this.flying.values()]
  }

  private change(node: number, changes: readonly StateChange[]): void {
    const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]))
    const before = this.node(node)
    this.nodes.set(node, { ...before, state: { ...before.state, ...changed } })
  }

  private apply(event: TraceEvent): void {
    this.carry(event)
    const outcome = outcomeOf(event, this.node(event.node))
    if (outcome !== null) this.nodes.set(event.node, { ...this.node(event.node), ...outcome })
  }

  /** Follows the messages. */
  private carry(event: TraceEvent): void {
    if (!('message' in event)) return
    const { message, type, body } = event
    const { copies } = this.flying.get(message) ?? { copies: 0 }
    const left = copies + (COPIES[event.event] ?? 0)
    if (event.event === 'send')
      this.flying.set(message, { from: event.node, to: event.to, type, body, copies: 1 })
    else if (left > 0) this.flying.set(message, { ...this.flying.get(message)!, copies: left })
    else this.flying.delete(message)
  }
}

/** How an event changes the number of copies of its message. */
const COPIES: Readonly<Partial<Record<TraceEvent['event'], number>>> = {
  receive: -1,
  vanish: -1,
  lose: -1,
  double: 1,
}

/** What an event changes in the outcome of its node; null for nothing. */
function outcomeOf(event: TraceEvent, { id }: NodeMoment): Partial<NodeMoment> | null {
  switch (event.event) {
    case 'wake':
      return { status: 'unknown' }
    case 'receive':
      return event.woken ? { status: 'unknown' } : null
    case 'lead':
      return { status: 'leader', leader: id }
    case 'follow':
      return { status: 'lost', leader: event.leader }
    case 'withdraw':
      return { status: 'unknown', leader: null }
    case 'stop':
      return { stopped: true }
    case 'crash':
      return { status: 'dead', leader: null, stopped: false }
    case 'recover':
      return { status: 'unknown', leader: null, id: event.id }
    default:
      return null
  }
}

/** A run of the checker, such as a counterexample. */
export function explainedSteps(
  run: ExplainedRun & { readonly loop?: number },
  world: World,
  title: string,
  end: string,
): SteppedRun {
  const { trace, events, eventCounts, unit, loop } = run
  const { layout, needs } = world.algorithm
  const before = events.length - eventCounts.reduce((sum, count) => sum + count, 0)
  let next = before
  const take = (count: number) => {
    next += count
    return events.slice(next - count, next)
  }
  return {
    title,
    unit,
    n: world.topology.n,
    ids: needs.ids === undefined ? null : realIds(world),
    initial: (node) => layout.json(initialState(world, node), resultNaming(world, node)),
    types: layout.own,
    before: events.slice(0, before),
    steps: trace.map(({ at, node, event, text, changes = [] }, i) => ({
      at,
      node: event === 'cut' ? null : (node ?? null),
      text,
      events: take(eventCounts[i]),
      changes,
    })),
    ...(loop !== undefined && { loop }),
    end,
  }
}
