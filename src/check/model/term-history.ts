import type { TermLeader } from '../../core/language/problem.ts'
import { Interner } from './interner.ts'
import type { StateVector } from './state-vector.ts'
import type { HandlerAction, Transition } from './transition.ts'

/**
 * Who has led in which term: a history variable, held in one cell of the state vector. A state does
 * not show it otherwise, since a leader that was deposed or has crashed still counts for its term.
 */
export class TermHistory {
  private readonly interner = new Interner<readonly TermLeader[]>()

  constructor(
    private readonly vector: StateVector,
    private readonly cell: number,
  ) {
    this.interner.intern('', [])
  }

  /** In order of terms, then of positions. */
  get leads(): readonly TermLeader[] {
    return this.interner.list[this.vector.cells[this.cell]]
  }

  /** Adds the terms in which the node of a transition began to lead. */
  update(transition: Transition): void {
    for (const term of termsOf(transition)) this.add({ node: nodeOf(transition), term })
  }

  private add(lead: TermLeader): void {
    const { leads } = this
    if (leads.some(({ node, term }) => node === lead.node && term === lead.term)) return
    const longer = [...leads, lead].sort((a, b) => a.term - b.term || a.node - b.node)
    const key = longer.map(({ node, term }) => `${term}:${node}`).join()
    this.vector.set(this.cell, this.interner.intern(key, longer))
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
