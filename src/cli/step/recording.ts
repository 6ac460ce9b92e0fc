import { initialState, realIds, resultNaming, type World } from '../../core/language/world.ts'
import type { StateReader } from '../../core/runtime/states.ts'
import { changeText, stateChanges } from '../../core/trace/state-changes.ts'
import { stepText } from '../../core/trace/step-text.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import type { RunStep, SteppedRun } from './stepped-run.ts'

/** The most steps that are kept of a run; nobody goes through more. */
const MOST_STEPS = 10_000

/** What a node does in a handler, and what happens to its message. All else begins a step. */
const ACTIONS = 'send lead follow stop withdraw'.split(' ')
const FATES = 'lose double'.split(' ')
/** Events after which no handler runs. */
const UNHANDLED = 'vanish crash cut mend lose double pause resume'.split(' ')

type OwnState = Readonly<Record<string, unknown>>

/** Records the steps of a simulation: the events, and how the state of their node changes. */
export class StepRecorder {
  private readonly steps: RunStep[] = []
  private record: TraceEvent[] = []
  private readonly known = new Map<number, OwnState>()
  private readonly ids: Float64Array
  private states!: StateReader
  private left = false

  constructor(private readonly world: World) {
    this.ids = realIds(world).slice()
  }

  /** Called before the first event. */
  readonly begin = (states: StateReader): void => {
    this.states = states
  }

  /** The event is over when the next one begins a step: then the state can be compared. */
  see(event: TraceEvent): void {
    if (!this.continues(event)) this.finishStep()
    if (event.event === 'recover') this.ids[event.node] = event.id
    if (!this.left) this.record.push(event)
  }

  run(title: string, unit: SteppedRun['unit']): SteppedRun {
    this.finishStep()
    const { world, steps } = this
    const { layout, needs } = world.algorithm
    return {
      title,
      unit,
      n: world.topology.n,
      ids: needs.ids === undefined ? null : realIds(world),
      initial: (node) => this.initial(node),
      types: layout.own,
      before: [],
      steps,
      end: this.left
        ? `The run goes on; the first ${MOST_STEPS} steps were kept.`
        : 'The run ends here.',
    }
  }

  private initial(node: number): OwnState {
    const { world } = this
    return world.algorithm.layout.json(initialState(world, node), resultNaming(world, node))
  }

  private continues({ event, node, at, ...rest }: TraceEvent): boolean {
    const last = this.record.at(-1)
    if (last === undefined || last.at !== at || last.node !== node) return false
    if (ACTIONS.includes(event)) return true
    const message = 'message' in rest ? rest.message : null
    return FATES.includes(event) && last.event === 'send' && last.message === message
  }

  private finishStep(): void {
    const { record, world } = this
    const [cause] = record
    if (cause === undefined) return
    this.record = []
    const { node, at, draws } = cause
    const { layout, needs } = world.algorithm
    const handled = !UNHANDLED.includes(cause.event)
    const before = this.known.get(node) ?? this.initial(node)
    const after = layout.json(this.states.of(node), resultNaming(world, node))
    const changes = stateChanges(before, after)
    this.known.set(node, after)
    const subject = needs.ids === undefined ? '' : ` (id ${this.ids[node]})`
    const effects = changes.map((change) => changeText(change, layout.own)).join(', ')
    this.steps.push({
      at,
      node: cause.event === 'cut' || cause.event === 'mend' ? null : node,
      text: stepText(record, {
        subject: `Position ${node}${subject}`,
        ...(draws && { draws }),
        effects: handled ? (effects === '' ? [] : [effects]) : null,
      }),
      events: record,
      changes,
    })
    if (this.steps.length >= MOST_STEPS) this.left = true
  }
}
