import type { NodeDisplay } from '../../core/language/display.ts'
import type { Property, Verdict } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { Random } from '../../core/runtime/random.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type CycleStep, cycleInWords, isFairCycle } from '../liveness/weak-fairness.ts'
import type { Transition } from '../model/transition.ts'
import type { ModelOptions } from '../options.ts'
import { TERMINATION, WITHIN_TYPES } from '../properties/property-evaluator.ts'

import { validateOptions } from '../validate-options.ts'
import { type ExplainedRun, explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import { type TransitionJson, transitionJson } from './transition-json.ts'

/** Some runs do not end. */
const MAX_STEPS = 300
/** About one step in 8 is a fault: with all faults at the beginning a run shows little. */
const FAULT_ONE_IN = 8

/** A re-executed run of the checker and the verdicts on it. */
export interface ReplayResult extends ExplainedRun {
  readonly properties: readonly Verdict[]
  /** A lasso: the steps from this one, counted from 1, repeat forever. */
  readonly loop?: number
}

/** A step and the state before it. */
interface ReplayedStep extends CycleStep {
  readonly stateKey: string | null
}

/**
 * Re-executes serialised transitions with the handlers of the algorithm and evaluates the
 * properties on every state. If the last state was visited before, the run is a lasso; termination
 * is reported only if such a lasso violates it.
 */
export function replay(
  world: World,
  options: ModelOptions,
  properties: readonly Property[],
  transitions: readonly TransitionJson[],
): ReplayResult {
  validateOptions(world, options)
  const path = new PathReplay(world, options, properties)
  const findings = new FindingsOfRun(path, properties)
  const steps: ReplayedStep[] = []
  for (const json of transitions) {
    const before = { stateKey: path.stateKey, ...path.expand() }
    const taken = path.take(json)
    if (taken === null) throw notEnabled(steps.length + 1, json)
    steps.push({ ...before, taken })
    findings.update()
  }
  const cycle = fairCycleAtEnd(steps, path)
  const verdicts = findings.verdicts(cycle)
  if (cycle > 0 && world.algorithm.quiet !== 'never')
    verdicts.push({ name: TERMINATION, holds: false, detail: cycleInWords(cycle) })
  const { cache } = path.system
  const taken = steps.map((step) => step.taken)
  const run = explainRun(taken, options.mode, cache, options.faults?.dead)
  const loop = cycle > 0 && { loop: run.trace.length - cycle + 1 }
  return { ...run, properties: verdicts, ...loop }
}

/** What the properties say of the states of a run, up to the present one. */
class FindingsOfRun {
  private states = 0
  private readonly violations = new Map<Property, string>()
  /** The `eventually` properties that have not held yet. */
  private readonly awaited: Set<Property>
  /** What breaks those that must hold from some time on, after each step. */
  private readonly lasting: ReadonlyMap<Property, (string | null)[]>

  constructor(
    private readonly path: PathReplay,
    private readonly properties: readonly Property[],
  ) {
    const due = (when: Property['when']) => properties.filter((one) => one.when === when)
    this.awaited = new Set(due('eventually'))
    this.lasting = new Map(due('from some time on').map((property) => [property, []]))
    this.update()
  }

  update(): void {
    const { path, violations, awaited } = this
    this.states++
    for (const [property, history] of this.lasting) history.push(path.violationOf(property))
    for (const { property, broken: violation } of path.evaluator.findings)
      if (violation !== null && !violations.has(property)) violations.set(property, violation)
    for (const property of awaited)
      if (path.violationOf(property) === null) awaited.delete(property)
  }

  /** Where the run ends with a fair cycle of this length; 0: without one. */
  verdicts(cycle: number): Verdict[] {
    const { properties } = this
    const reported = this.violations.has(WITHIN_TYPES) ? [...properties, WITHIN_TYPES] : properties
    return reported.map((property) => ({ name: property.name, ...this.found(property, cycle) }))
  }

  private found(property: Property, cycle: number): Pick<Verdict, 'holds' | 'detail'> {
    const { path, awaited, lasting } = this
    const { when } = property
    const violation = this.violations.get(property)
    if (violation !== undefined) return { holds: false, detail: violation }
    if (when === 'always')
      return { holds: true, detail: `in each of the ${this.states} states of this run` }
    if (when === 'eventually' && !awaited.has(property))
      return { holds: true, detail: 'in some state of this run' }
    if (when === 'eventually' && cycle > 0) return { holds: false, detail: cycleInWords(cycle) }
    const again = lasting.get(property)?.slice(-Math.max(cycle, 1)) ?? []
    const repeated = again.find((broken) => broken !== null)
    if (lasting.has(property) && cycle > 0)
      return repeated === undefined
        ? { holds: true, detail: 'in every state that repeats' }
        : { holds: false, detail: `${repeated}, again and again: ${cycleInWords(cycle)}` }
    if (!path.quiescent)
      return { holds: null, detail: 'not decided because this run does not end here' }
    if (repeated) return { holds: false, detail: `${repeated} when this run ends` }
    if (awaited.has(property))
      return { holds: false, detail: `${path.violationOf(property)} when this run ends` }
    return { holds: true, detail: 'where this run ends' }
  }
}

/** The length of the fair cycle at the end of the run; 0 if there is none. */
function fairCycleAtEnd(
  steps: readonly ReplayedStep[],
  { stateKey: end, system }: PathReplay,
): number {
  const start = steps.findIndex(({ stateKey }) => stateKey !== null && stateKey === end)
  const cycle = start < 0 ? [] : steps.slice(start)
  return cycle.length > 0 && isFairCycle(cycle, system) ? cycle.length : 0
}

function notEnabled(number: number, json: TransitionJson): UsageError {
  return new UsageError(
    `move ${number}`,
    `${JSON.stringify(json)} is not enabled here.`,
    'The algorithm or the file has changed. Create the trace again.',
  )
}

/** The states of all nodes after a number of events. */
export interface Snapshot {
  readonly events: number
  /** By position, in readable form. */
  readonly states: readonly Readonly<Record<string, unknown>>[]
  /** What pictures show of them; null where the algorithm says nothing about it. */
  readonly displays?: readonly (NodeDisplay | null)[]
  /** Why the node of the last event acted; null where that is not said. */
  readonly reason?: string | null
}

/** One random run of the model, up to its end or a limit of steps. */
export function randomRun(world: World, options: ModelOptions, seed: number): ExplainedRun {
  const random = Random.from(seed).split('sample')
  const path = new PathReplay(world, options, [])
  const { cache } = path.system
  const taken: Transition[] = []
  while (taken.length < MAX_STEPS && !path.quiescent) {
    const transitions = path.enabled()
    const steps = transitions.filter(isStep)
    const faults = transitions.filter((transition) => !isStep(transition))
    const preferred = steps.length === 0 || random.below(FAULT_ONE_IN) === 0 ? faults : steps
    const candidates = preferred.length > 0 ? preferred : steps
    if (candidates.length === 0) break
    taken.push(path.take(transitionJson(candidates[random.below(candidates.length)], cache))!)
  }
  return explainRun(taken, options.mode, cache, options.faults?.dead)
}

/** Whether a transition belongs to a run without faults. */
function isStep(transition: Transition): boolean {
  return 'actions' in transition || transition.event === 'tick'
}
