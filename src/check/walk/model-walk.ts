import type { NodeDisplay } from '../../core/language/display.ts'
import type { Property } from '../../core/language/problem.ts'
import type { Naming } from '../../core/language/value-types.ts'
import { namingIn, type World } from '../../core/language/world.ts'
import type { State } from '../../core/runtime/state.ts'
import { DisplayRecorder } from '../../core/trace/display-recorder.ts'
import { type ExplainedRun, explainRun } from '../counterexample/explain.ts'
import { PathReplay } from '../counterexample/path-replay.ts'
import type { Snapshot } from '../counterexample/replay.ts'
import { type TransitionJson, transitionJson } from '../counterexample/transition-json.ts'
import type { LocalState } from '../model/local-states.ts'
import type { Transition } from '../model/transition.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import type { Mode, ModelOptions } from '../options.ts'
import { type DrawnGraph, drawnGraph, leadersIn } from './drawn-graph.ts'

/** The first violation on a walk: after this many transitions. */
export interface WalkViolation {
  readonly property: string
  readonly detail: string
  readonly after: number
}

/** A path from the initial state, and what can happen at its end. */
export interface WalkedPath extends ExplainedRun {
  readonly snapshots: Snapshot[]
  /** The number of events after each transition, and before the first one. */
  readonly eventsAfter: readonly number[]
  readonly next: readonly TransitionJson[]
  /** Whether the run can end here. */
  readonly ends: boolean
  readonly violated: WalkViolation | null
  /** Equal for equal states of one walk. */
  readonly key: string
  /** The positions of the leaders that are alive. */
  readonly leaders: readonly number[]
}

/** The largest path; a run that goes on for ever is left there. */
const PATH_LENGTH_MAX = 1000

type StateRecord = Readonly<Record<string, unknown>>

/** Walks through the model: takes transitions one by one, forwards and back. */
export class ModelWalk {
  private readonly system: TransitionSystem
  private replay: PathReplay
  private readonly path: TransitionJson[] = []
  private readonly taken: Transition[] = []
  private readonly snapshots: Omit<Snapshot, 'events'>[] = []
  private shown: PathDisplays
  private violated: WalkViolation | null = null

  constructor(
    readonly world: World,
    private readonly options: ModelOptions,
    private readonly properties: readonly Property[],
    /** How ids and links in the states of nodes are written. */
    private readonly naming: (world: World, node: number) => Naming | undefined = namingIn,
  ) {
    this.system = new TransitionSystem(world, options)
    this.shown = new PathDisplays(this.system, this.options.mode)
    this.replay = this.begin()
  }

  /** Goes to the end of a path, or as far as its transitions are enabled. */
  goTo(path: readonly TransitionJson[]): WalkedPath {
    if (!this.isAhead(path)) this.replay = this.begin()
    for (const json of path.slice(this.path.length, PATH_LENGTH_MAX)) if (!this.take(json)) break
    return this.here()
  }

  /** All states and transitions; null if there are more states than the limit. */
  graph(most: number): DrawnGraph | null {
    return drawnGraph(this.system, this.properties, most, (node) => this.stateOf(node))
  }

  private begin(): PathReplay {
    this.path.length = 0
    this.taken.length = 0
    this.snapshots.length = 0
    this.violated = null
    this.system.reset()
    this.shown = new PathDisplays(this.system, this.options.mode)
    const replay = new PathReplay(this.world, this.options, this.properties, this.system)
    this.replay = replay
    this.noteViolation()
    return replay
  }

  /** Whether a path goes on from where the walk is. */
  private isAhead(path: readonly TransitionJson[]): boolean {
    return this.path.every((json, i) => JSON.stringify(json) === JSON.stringify(path[i]))
  }

  private take(json: TransitionJson): boolean {
    const transition = this.replay.take(json)
    if (transition === null) return false
    this.path.push(json)
    this.taken.push(transition)
    this.replay.loadOne()
    const states = Array.from({ length: this.system.n }, (_, node) => this.stateOf(node))
    const reason = this.shown.take(transition)
    this.snapshots.push({ states, displays: this.shown.displays(), reason })
    this.noteViolation()
    return true
  }

  private noteViolation(): void {
    if (this.violated !== null) return
    const { findings } = this.replay.evaluator
    const broken = findings.find((finding) => finding.broken !== null)
    if (broken === undefined) return
    const { property, broken: detail } = broken
    this.violated = { property: property.name, detail: detail!, after: this.path.length }
  }

  private here(): WalkedPath {
    const { options, replay, system, taken } = this
    const { mode, faults } = options
    const run = explainRun(taken, mode, system.cache, faults?.dead)
    const eventsAfter = cumulated(run, taken)
    const serialised = replay
      .enabled()
      .map((transition) => transitionJson(transition, system.cache))
    const next = new Map(serialised.map((json) => [JSON.stringify(json), json]))
    const { quiescent: ends } = replay
    replay.loadOne()
    return {
      ...run,
      eventsAfter,
      snapshots: this.snapshots.map((one, i) => ({ events: eventsAfter[i + 1], ...one })),
      next: [...next.values()],
      ends,
      violated: this.violated,
      key: system.vector.cells.join(),
      leaders: leadersIn(system),
    }
  }

  /** The state of a node in the loaded state, in readable form. */
  private stateOf(node: number): StateRecord {
    const { cache, vector } = this.system
    const { state } = cache.localStates[node].list[vector.cells[node]]
    return this.world.algorithm.layout.json(state, this.naming(this.world, node))
  }
}

/** The states of all nodes after each transition of a run of the checker, as far as it goes. */
export function snapshotsOf(
  world: World,
  options: ModelOptions,
  transitions: readonly TransitionJson[],
  naming?: ConstructorParameters<typeof ModelWalk>[3],
): Snapshot[] {
  return new ModelWalk(world, options, [], naming).goTo(transitions).snapshots
}

/** Events before the first step are no part of one; a notice that nobody hears is no step. */
function cumulated(
  { events, eventCounts }: ExplainedRun,
  taken: readonly Transition[],
): readonly number[] {
  const inSteps = eventCounts.reduce((sum, count) => sum + count, 0)
  const after = [events.length - inSteps]
  let step = 0
  for (const { event } of taken)
    after.push(after.at(-1)! + (event === 'unheard' ? 0 : eventCounts[step++]))
  return after
}

/** Follows a path of the checker for its pictures, as the simulator does for its own runs. */
export class PathDisplays {
  private readonly recorder: DisplayRecorder
  private time: number

  constructor(
    private readonly system: TransitionSystem,
    private readonly mode: Mode,
  ) {
    this.time = typeof mode !== 'string' && mode.clocked === 1 ? 1 : 0
    const isSet = (node: number, timer: number) => this.remaining(node, timer) !== undefined
    const { world } = system.cache
    this.recorder = new DisplayRecorder(() => ({
      world,
      timeline: { isSet },
      time: this.time,
      now: this.time,
    }))
  }

  /** A transition has led to the loaded state; returns why its node acted. */
  take(transition: Transition): string | null {
    if (transition.event === 'tick') this.time += transition.time
    if (!('actions' in transition)) return null
    const { node, trigger, before, armed } = transition
    const { world, messages, localStates } = this.system.cache
    const { state: my } = localStates[node].list[before]
    const from = 'link' in trigger ? (trigger.link ?? -1) : -1
    const net = { position: node, from, up: () => true, wasDeferred: false }
    if (trigger.event === 'recover') this.recorder.forget(node)
    // A node that a message wakes first starts: the state that its handler sees is not kept.
    const starts = world.algorithm.wakes && my.status === 'asleep'
    if (trigger.event === 'receive' && !starts && !my.stopped) {
      const { message } = trigger
      this.recorder.message(messages.kind(message), my, messages.body(message), net)
    }
    if (trigger.event === 'meet') this.recorder.meets(my, trigger.other as State)
    if (trigger.event === 'timeout')
      this.recorder.fires(world.algorithm.timers[trigger.timer], my, net)
    if (typeof this.mode !== 'string') this.setTimers(node, armed)
    return this.recorder.takeReason()
  }

  /** Without a clock nobody knows when a timer fires. */
  private setTimers(node: number, armed: readonly number[]): void {
    for (const timer of armed) {
      const remaining = this.remaining(node, timer)
      if (remaining !== undefined) this.recorder.timerSet(node, timer, this.time + remaining)
    }
  }

  /** What is shown of all nodes in the loaded state. */
  displays(): (NodeDisplay | null)[] {
    return this.system.cache.localStates.map((_, node) =>
      this.recorder.display(node, this.local(node).state),
    )
  }

  private remaining(node: number, timer: number): number | undefined {
    return this.local(node).timers.find((one) => one.timer === timer)?.remaining
  }

  private local(node: number): LocalState {
    const { cache, vector } = this.system
    return cache.localStates[node].list[vector.cells[node]]
  }
}
