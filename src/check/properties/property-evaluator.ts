import type { GlobalState, Property } from '../../core/language/problem.ts'
import { idOf } from '../../core/language/world.ts'
import { components } from '../../core/networks/components.ts'
import type { TransitionSystem } from '../model/transition-system.ts'

/** What was found out about one property. */
interface Finding {
  readonly property: Property
  /** What is wrong, in words, in the first state found where something is. */
  broken: string | null
  /** Whether it holds only since hand-overs are no fault. */
  excused: boolean
}

export const NOBODY: readonly number[] = []

/** What is asked of every definition, and told only where it is broken. */
export const WITHIN_TYPES: Property = {
  name: 'every value stays within its type',
  says: 'What handlers leave in states and send in messages is of the types that were declared.',
  when: 'always',
  sees: 'single nodes',
  broken: (situation) => (situation as Surveyed).misfit(),
}

/** A state as the explorer shows it to properties. */
interface Surveyed extends GlobalState {
  leaders: readonly number[]
  deposed: readonly number[]
  /** Whose last handler left or sent what does not fit, and what; null where none did. */
  misfit(): string | null
}

/** Looks at states through the eyes of the properties. */
export class PropertyEvaluator {
  readonly findings: readonly Finding[]
  /** How many states were judged as the end of a run. */
  ends = 0
  private readonly situation: Surveyed
  private readonly withinTypes: Finding
  private readonly always: readonly Finding[]
  /** Those of them that look at more than at who leads. */
  private readonly farsighted: readonly Finding[]
  private readonly atTheEnd: readonly Finding[]
  /** What is to hold eventually and did not in some state where a run ends. */
  readonly missed = new Set<Property>()
  private readonly eventual: readonly Property[]
  private excuses = 0

  constructor(
    properties: readonly Property[],
    private readonly system: TransitionSystem,
  ) {
    const asked = properties.filter((property) => property !== WITHIN_TYPES)
    const findings = asked.map((property) => ({ property, broken: null, excused: false }))
    this.withinTypes = { property: WITHIN_TYPES, broken: null, excused: false }
    this.findings = [...findings, this.withinTypes]
    this.always = findings.filter(({ property }) => property.when === 'always')
    this.farsighted = this.always.filter(({ property }) => property.sees !== 'leaders')
    this.eventual = properties.filter(({ when }) => when === 'eventually')
    this.atTheEnd = findings.filter(({ property }) => property.when === 'at the end')
    const { world, locals } = system.effects
    const { cells } = system.vector
    const { faults } = system
    // Few ask for it.
    let whole: Int32Array | null = null
    const component = (node: number) => {
      whole ??= components(world.topology, () => true)
      return whole[node]
    }
    const state = (node: number) => locals[node].list[cells[node]].state
    this.situation = {
      n: world.topology.n,
      state,
      alive: (node) => faults === null || faults.alive(node),
      name(node) {
        const { id } = state(node)
        return id === undefined ? `at position ${node}` : `${idOf(world, id)} (position ${node})`
      },
      component: (node) => (faults === null ? component(node) : faults.component(node)),
      handover: (first, second) => {
        const excused = system.handovers?.excuse(first, second) ?? false
        if (excused) this.excuses++
        return excused
      },
      get idle() {
        return !system.inFlight
      },
      misfit() {
        const node = locals.findIndex(({ list }, it) => list[cells[it]].misfit !== undefined)
        return node < 0 ? null : `${this.name(node)}: ${locals[node].list[cells[node]].misfit}`
      },
      leaders: NOBODY,
      deposed: NOBODY,
    }
  }

  /**
   * Judges the state in the vector as if nobody had been there before. Where the same nodes lead as
   * in an approved state, what looks at nothing else need not be asked.
   */
  approvesState(deposed: readonly number[], sameLeaders = false): boolean {
    const { someMisfit } = this.system.effects
    if (someMisfit && !this.hold([this.withinTypes], this.situation)) return false
    const always = sameLeaders ? this.approvesTheRest() : this.approvesStep(deposed)
    if (!this.system.quiet) return always
    this.ends++
    this.situation.leaders = this.leaders()
    for (const property of this.eventual)
      if (property.broken(this.situation) !== null) this.missed.add(property)
    return this.hold(this.atTheEnd, this.situation) && always
  }

  /** What a property finds wrong with the state in the vector, however it was reached. */
  wrong(property: Property): string | null {
    this.situation.leaders = this.leaders()
    this.situation.deposed = NOBODY
    return property.broken(this.situation)
  }

  /** Judges a step to a state that was approved already, when somebody else came to it. */
  approvesStep(deposed: readonly number[]): boolean {
    this.situation.leaders = this.leaders()
    this.situation.deposed = deposed
    return this.hold(this.always, this.situation)
  }

  private approvesTheRest(): boolean {
    return this.farsighted.length === 0 || this.approvesStep(NOBODY)
  }

  private hold(findings: readonly Finding[], situation: GlobalState): boolean {
    let well = true
    for (const finding of findings) {
      const before = this.excuses
      const broken = finding.property.broken(situation)
      if (this.excuses > before) finding.excused = true
      if (broken === null) continue
      finding.broken = broken
      well = false
    }
    return well
  }

  /** In the order of positions: a state does not tell who took office first. */
  private leaders(): readonly number[] {
    let leaders = NOBODY
    for (let node = 0; node < this.situation.n; node++)
      if (this.situation.state(node).status === 'leader') leaders = [...leaders, node]
    return leaders
  }
}
