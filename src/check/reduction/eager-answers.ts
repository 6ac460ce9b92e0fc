import type { Property } from '../../core/language/problem.ts'
import type { HandlerTransition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { FastSuccessors } from '../search/fast-successors.ts'

/**
 * A reduction for lossy links. There a message that was sent can be received for ever, and need not
 * be received at all. So a state with more messages allows every run of the same state with fewer.
 * A step that changes no local state and only sends therefore leads to a state that is at least as
 * rich, and it is enough to expand that step alone: a repeated heartbeat, the answer to a message
 * that was answered before.
 */
export class EagerAnswers {
  constructor(private readonly system: TransitionSystem) {}

  /** Why it cannot be used for this system; null if it can. */
  static inapplicable(system: TransitionSystem, properties: readonly Property[]): string | null {
    const { lossy, mode, leaderless, bindable } = system
    if (!lossy || mode !== 'untimed' || leaderless !== null || bindable) return 'not applicable'
    if (FastSuccessors.of(system) !== null) return 'not applicable without terms'
    const other = properties.find(({ when, sees }) => when !== 'always' || sees === undefined)
    return other === undefined ? null : `"${other.name}" may read what is in flight`
  }

  /** A step of the loaded state that only sends something new; null if there is none. */
  next(): HandlerTransition | null {
    const { cache, vector, n } = this.system
    const { cells } = vector
    for (let node = 0; node < n; node++)
      for (const { timer } of cache.localStates[node].list[cells[node]].timers) {
        if (this.isFrozen(node)) continue
        const answer = this.onlySends(cache.onTimeout(node, cells[node], timer))
        if (answer !== null) return answer
      }
    for (const [i, channel] of cache.channels.entries()) {
      const receiver = channel.route.to
      if (cells[n + i] === 0 || this.isFrozen(receiver)) continue
      for (const { message } of channel.deliverable(cells[n + i])) {
        const answer = this.onlySends(cache.onReceive(i, cells[receiver], message))
        if (answer !== null) return answer
      }
    }
    return null
  }

  private isFrozen(node: number): boolean {
    const { faults } = this.system
    return faults !== null && (!faults.alive(node) || faults.paused(node))
  }

  private onlySends(outcomes: readonly HandlerTransition[]): HandlerTransition | null {
    if (outcomes.length !== 1) return null
    const [{ before, after, actions, sent, typeViolation }] = outcomes
    if (after !== before || typeViolation !== undefined) return null
    if (actions.some(({ action }) => action !== 'send')) return null
    return sent.some(({ channel, message }) => this.isNew(channel, message)) ? outcomes[0] : null
  }

  private isNew(channel: number, message: number): boolean {
    const { cache, vector, faults, n } = this.system
    if (faults?.drops(channel)) return false
    const content = vector.cells[n + channel]
    return cache.channels[channel].append(content, message) !== content
  }
}
