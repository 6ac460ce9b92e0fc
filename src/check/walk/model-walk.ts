import type { Property } from '../../core/language/problem.ts'
import type { Naming } from '../../core/language/value-types.ts'
import { namingIn, type World } from '../../core/language/world.ts'
import { type ExplainedRun, explainRun } from '../counterexample/explain.ts'
import { PathDisplays } from '../counterexample/path-displays.ts'
import { PathReplay } from '../counterexample/path-replay.ts'
import type { Snapshot } from '../counterexample/replay.ts'
import { type TransitionJson, transitionJson } from '../counterexample/transition-json.ts'
import type { Transition } from '../model/transition.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import type { ModelOptions } from '../options.ts'
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
const LONGEST = 1000

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
    for (const json of path.slice(this.path.length, LONGEST)) if (!this.take(json)) break
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
