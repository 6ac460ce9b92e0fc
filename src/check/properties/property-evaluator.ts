import type {
  GlobalState,
  MessageInFlight,
  Property,
  Verdict,
} from '../../core/language/problem.ts'
import { idOf } from '../../core/language/world.ts'
import { components } from '../../core/networks/components.ts'
import type { CheckResult } from '../check.ts'
import { NO_NODES } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { BreadthFirstSearch } from '../search/breadth-first.ts'

/** The current result for one property. */
interface PropertyFinding {
  readonly property: Property
  /** The first violation, in words. */
  broken: string | null
  /** Whether it holds only because hand-overs are tolerated. */
  tolerated: boolean
}

/** Checked for every algorithm, and reported only if violated. */
export const WITHIN_TYPES: Property = {
  name: 'every value stays within its type',
  says: 'The values that handlers store and send are within their declared types.',
  when: 'always',
  sees: 'single nodes',
  symmetric: true,
  broken: (state) => (state as ExploredState).typeViolation(),
}

/** Whether a property is about whole runs, which the state graph decides. */
export function isLiveness(when: Property['when']): boolean {
  return when === 'eventually' || when === 'from some time on'
}

/** The loaded state as properties read it. */
interface ExploredState extends GlobalState {
  leaders: readonly number[]
  deposed: readonly number[]
  gained: number
  /** The node and the value of a type violation; null if there is none. */
  typeViolation(): string | null
}

/** Evaluates properties on the loaded state. */
export class PropertyEvaluator {
  readonly findings: readonly PropertyFinding[]
  /** The number of quiescent states. */
  ends = 0
  private readonly state: ExploredState
  private readonly withinTypes: PropertyFinding
  private readonly always: readonly PropertyFinding[]
  /** Those of them that read more than who leads. */
  private readonly beyondLeaders: readonly PropertyFinding[]
  private readonly final: readonly PropertyFinding[]
  /** The liveness properties that did not hold in some quiescent state. */
  readonly notAtEnd = new Set<Property>()
  private readonly eventual: readonly Property[]
  private toleranceCount = 0
  /** Properties that demanded nothing in all states that they were to be judged in, and why. */
  readonly moot = new Map<Property, string>()
  /** Properties that may demand nothing, and have not demanded anything yet. */
  private idle: Property[]

  constructor(
    properties: readonly Property[],
    private readonly system: TransitionSystem,
  ) {
    const findings = properties
      .filter((property) => property !== WITHIN_TYPES)
      .map((property) => ({ property, broken: null, tolerated: false }))
    this.withinTypes = { property: WITHIN_TYPES, broken: null, tolerated: false }
    this.findings = [...findings, this.withinTypes]
    this.always = findings.filter(({ property }) => property.when === 'always')
    this.beyondLeaders = this.always.filter(({ property }) => property.sees !== 'leaders')
    this.eventual = properties.filter(({ when }) => isLiveness(when))
    this.final = findings.filter(({ property }) => property.when === 'at the end')
    this.idle = properties.filter(({ moot, unpromised }) => moot ?? unpromised)
    const { world, localStates } = system.cache
    const { cells } = system.vector
    const { faults } = system
    // Computed on demand: few properties need it.
    let labels: Int32Array | null = null
    const component = (node: number) => {
      labels ??= components(world.topology, () => true)
      return labels[node]
    }
    const state = (node: number) => localStates[node].list[cells[node]].state
    this.state = {
      n: world.topology.n,
      state,
      alive: (node) => faults === null || faults.alive(node),
      name(node) {
        const { id } = state(node)
        return id === undefined ? `at position ${node}` : `${idOf(world, id)} (position ${node})`
      },
      component: (node) => (faults === null ? component(node) : faults.component(node)),
      handover: (first, second) => {
        const tolerated = system.handovers?.tolerates(first, second) ?? false
        if (tolerated) this.toleranceCount++
        return tolerated
      },
      get idle() {
        return !system.inFlight
      },
      get inFlight() {
        return messagesIn(system)
      },
      get leaderless() {
        return system.leaderless?.time ?? 0
      },
      paused: (node) => faults?.paused(node) === true,
      get leads() {
        return system.terms?.leads ?? []
      },
      get followed() {
        return localStates.flatMap(({ list }, node) =>
          (list[cells[node]].followed ?? []).map((leader) => ({ node, leader })),
        )
      },
      typeViolation() {
        const node = localStates.findIndex(
          ({ list }, i) => list[cells[i]].typeViolation !== undefined,
        )
        return node < 0
          ? null
          : `${this.name(node)}: ${localStates[node].list[cells[node]].typeViolation}`
      },
      leaders: NO_NODES,
      deposed: NO_NODES,
      gained: 0,
    }
  }

  /** Whether no property has to be evaluated again while the leaders stay the same. */
  get readsLeadersOnly(): boolean {
    return this.beyondLeaders.length === 0
  }

  /**
   * Evaluates all properties on a new state. With the same leaders as in a state that passed,
   * properties that read only leaders are skipped.
   */
  checkState(deposed: readonly number[], sameLeaders = false, gained = 0): boolean {
    const { typeViolated } = this.system.cache
    if (typeViolated && !this.evaluate([this.withinTypes], this.state)) return false
    const always = sameLeaders ? this.checkBeyondLeaders() : this.checkStep(deposed, gained)
    if (!this.system.quiescent) return always
    this.ends++
    this.state.leaders = this.leaders()
    if (this.idle.length > 0) this.idle = this.idle.filter((it) => this.demandsNothing(it))
    for (const property of this.eventual)
      if (property.broken(this.state) !== null) this.notAtEnd.add(property)
    return this.evaluate(this.final, this.state) && always
  }

  private demandsNothing(property: Property): boolean {
    const why = property.moot?.(this.state) ?? property.unpromised?.(this.state) ?? null
    if (why === null) this.moot.delete(property)
    else this.moot.set(property, why)
    return why !== null
  }

  /** The violation of one property in the loaded state; null if it holds. */
  violationOf(property: Property): string | null {
    this.state.leaders = this.leaders()
    this.state.deposed = NO_NODES
    this.state.gained = 0
    return property.broken(this.state)
  }

  /** Evaluates the `always` properties on a step to a state that was evaluated before. */
  checkStep(deposed: readonly number[], gained = 0): boolean {
    this.state.leaders = this.leaders()
    this.state.gained = gained
    this.state.deposed = deposed
    return this.evaluate(this.always, this.state)
  }

  private checkBeyondLeaders(): boolean {
    return this.beyondLeaders.length === 0 || this.checkStep(NO_NODES)
  }

  private evaluate(findings: readonly PropertyFinding[], state: GlobalState): boolean {
    let holds = true
    for (const finding of findings) {
      const before = this.toleranceCount
      const broken = finding.property.broken(state)
      if (this.toleranceCount > before) finding.tolerated = true
      if (broken === null) continue
      finding.broken = broken
      holds = false
    }
    return holds
  }

  /** In order of positions: a state does not show which node became leader first. */
  private leaders(): readonly number[] {
    let leaders = NO_NODES
    for (let node = 0; node < this.state.n; node++)
      if (this.state.state(node).status === 'leader') leaders = [...leaders, node]
    return leaders
  }
}

/** The messages in flight of the loaded state. */
function messagesIn({ cache, vector, n }: TransitionSystem): MessageInFlight[] {
  return cache.channels.flatMap((channel, i) => {
    const { from, to, in: link } = channel.route
    return channel.messages(vector.cells[n + i]).map((message) => ({
      from,
      to,
      link,
      kind: cache.messages.kind(message).index,
      body: cache.messages.body(message),
    }))
  })
}

export const TERMINATION = 'every fair run ends'
const HANDOVERS = 'a hand-over is short'

/** Names of built-in properties; a user's property must not have one of these. */
export const RESERVED_PROPERTY_NAMES: readonly string[] = [
  TERMINATION,
  HANDOVERS,
  WITHIN_TYPES.name,
]

/**
 * true: every property holds in every run. false: one is violated. null: some property is not
 * decided, or not all runs were explored.
 */
export function overallVerdict({
  properties,
  violated,
  exhausted,
  draws,
}: Pick<CheckResult, 'properties' | 'violated' | 'exhausted' | 'draws'>): boolean | null {
  if (violated !== null || properties.some(({ holds }) => holds === false)) return false
  const whole = exhausted && draws?.enough !== false
  return whole && properties.every(({ holds }) => holds) ? true : null
}

export function verdicts({ evaluator, reason, states }: BreadthFirstSearch): Verdict[] {
  const reported = evaluator.findings.filter(
    ({ property, broken }) =>
      !isLiveness(property.when) && (property !== WITHIN_TYPES || broken !== null),
  )
  return reported.map(({ property: { name, when }, broken, tolerated }) => {
    if (broken !== null) return { name, holds: false, detail: broken }
    if (reason !== null) return { name, holds: null, detail: `not decided because ${reason}` }
    if (when === 'always') {
      const except = tolerated ? ', except for hand-overs after a recovery' : ''
      return { name, holds: true, detail: `in each of ${states} states${except}` }
    }
    if (evaluator.ends === 0)
      return { name, holds: null, detail: 'not checked because no run ends' }
    const ends = evaluator.ends === 1 ? 'the one state' : `each of ${evaluator.ends} states`
    return { name, holds: true, detail: `in ${ends} where runs end` }
  })
}

/** The bound of hand-overs, if some occurred and there is no clock to measure them. */
export function handoverVerdicts(
  { handovers }: TransitionSystem,
  { evaluator }: BreadthFirstSearch,
): Verdict[] {
  if (!handovers?.unmeasured || !evaluator.findings.some(({ tolerated }) => tolerated)) return []
  const detail = 'not checked because this mode has no clock; use clocked'
  return [{ name: HANDOVERS, holds: null, detail }]
}
