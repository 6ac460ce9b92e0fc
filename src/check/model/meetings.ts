import type { StateVector } from './state-vector.ts'
import type { HandlerTransition, Visit } from './transition.ts'
import { noteHappened, type TransitionCache } from './transition-cache.ts'

/** Where nodes meet: every directed link is a transition in every state. */
export class Meetings {
  /** The channels whose ends are different nodes. */
  private readonly channels: readonly number[]

  constructor(
    private readonly cache: TransitionCache,
    private readonly vector: StateVector,
  ) {
    this.channels = [...cache.channels.keys()].filter((channel) => {
      const { from, to } = cache.channels[channel].route
      return from !== to
    })
  }

  /** Applies each meeting to the loaded state; `emit` visits and reverts it. */
  successors(emit: Visit): void {
    const { vector } = this
    for (const channel of this.channels) {
      const outcomes = this.at(channel)
      noteHappened(outcomes)
      for (const transition of outcomes) {
        const { node, after, partner } = transition
        vector.set(node, after)
        vector.set(partner!.node, partner!.after)
        emit(transition)
      }
    }
  }

  /** Whether some meeting would change something. */
  get anyEffective(): boolean {
    return this.channels.some((channel) =>
      this.at(channel).some(
        ({ before, after, partner }) => before !== after || partner!.before !== partner!.after,
      ),
    )
  }

  private at(channel: number): readonly HandlerTransition[] {
    const { from, to } = this.cache.channels[channel].route
    const { cells } = this.vector
    return this.cache.onMeet(channel, cells[from], cells[to])
  }
}
