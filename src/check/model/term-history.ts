import type { TermLeader } from '../../core/language/problem.ts'
import { Interner } from './interner.ts'
import type { StateVector } from './state-vector.ts'
import type { HandlerAction, Transition } from './transition.ts'
import type { TransitionCache } from './transition-cache.ts'

/**
 * Who has led in which term: a history variable, held in one cell of the state vector. A state does
 * not show it otherwise, since a leader that was deposed or has crashed still counts for its term.
 */
export class TermHistory {
  private readonly interner = new Interner<readonly TermLeader[]>()

  constructor(
    private readonly vector: StateVector,
    private readonly cell: number,
    /** Whether terms stand in the order of time. */
    private readonly ordered = false,
  ) {
    this.interner.intern('', [])
  }

  /** In the order of time, or else of terms, then of positions. */
  get leads(): readonly TermLeader[] {
    return this.interner.list[this.vector.cells[this.cell]]
  }

  /** The largest number of different leaderships in a run. */
  get mostLeaders(): number {
    const leaderships = (leads: readonly TermLeader[]) =>
      new Set(leads.map(({ node, term }) => `${term}:${node}`)).size
    return this.interner.list.reduce((most, leads) => Math.max(most, leaderships(leads)), 0)
  }

  /** Adds the terms in which the node of a transition began to lead. */
  update(transition: Transition): void {
    for (const term of termsOf(transition)) this.add({ node: nodeOf(transition), term })
  }

  private add(lead: TermLeader): void {
    const { leads } = this
    const known = leads.some(({ node, term }) => node === lead.node && term === lead.term)
    // In the order of time a leadership in the same term is another one: renewals are no news.
    if (known && !this.ordered) return
    const longer = [...leads, lead]
    if (!this.ordered) longer.sort((a, b) => a.term - b.term || a.node - b.node)
    const key = longer.map(({ node, term }) => `${term}:${node}`).join()
    this.vector.set(this.cell, this.interner.intern(key, longer))
  }
}

/**
 * For how long no node has led since the last fault: a history variable, too. Only where it is
 * asked for, since it makes more states.
 */
export class LeaderlessTime {
  constructor(
    private readonly vector: StateVector,
    private readonly cell: number,
    private readonly cache: TransitionCache,
    /** Longer times are not told apart. */
    private readonly longest: number,
  ) {}

  get time(): number {
    return this.vector.cells[this.cell]
  }

  update(transition: Transition): void {
    const { cells } = this.vector
    const led = this.cache.localStates.some(
      ({ list, dead }, node) => !dead[cells[node]] && list[cells[node]].state.status === 'leader',
    )
    const fault = !('actions' in transition) && transition.event !== 'tick'
    const passed = transition.event === 'tick' ? transition.time : 0
    const time = Math.min(this.time + passed, this.longest + 1)
    this.vector.set(this.cell, led || fault || transition.event === 'recover' ? 0 : time)
  }
}

function nodeOf(transition: Transition): number {
  return 'node' in transition ? transition.node : -1
}

const NO_TERMS: readonly number[] = []

function termsOf(transition: Transition): readonly number[] {
  if ('actions' in transition) return ledIn(transition.actions, Number.POSITIVE_INFINITY)
  const during = 'during' in transition ? transition.during : null
  return during === null ? NO_TERMS : ledIn(during.transition.actions, during.sends)
}

/** The terms of the actions up to the last of so many sends. */
function ledIn(actions: readonly HandlerAction[], sends: number): readonly number[] {
  let [terms, sent] = [NO_TERMS, 0]
  for (const action of actions) {
    if (sent === sends) break
    if (action.action === 'send') sent++
    if (action.action === 'lead' && action.term !== undefined) terms = [...terms, action.term]
  }
  return terms
}
