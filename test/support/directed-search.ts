import type { Asked } from '../../src/api/check-model.ts'
import { checkModel } from '../../src/api/check-model.ts'
import type { Transition, Visit } from '../../src/check/model/transition.ts'
import { TransitionSystem } from '../../src/check/model/transition-system.ts'
import type { ModelOptions } from '../../src/check/options.ts'
import { BreadthFirstSearch } from '../../src/check/search/breadth-first.ts'
import type { Algorithm, Property, World } from '../../src/core/index.ts'
import type { State } from '../../src/core/runtime/state.ts'
import type { ScenarioInput } from '../../src/scenario/index.ts'

const STATES = 500_000

/** The turn of what may happen at any time. */
const ANY = -1

/** A message on its way, between positions. */
export interface Passage {
  readonly word: string
  readonly from: number
  readonly to: number
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * What an adversary does of all that it could do. Within this every schedule is explored: a search
 * is exhaustive for the adversary, and a violation that it finds is real.
 */
export interface Adversary {
  /** How many units of time a message may take: one, any number, or it never arrives. */
  readonly takes: (message: Passage) => 'one' | 'any' | 'never'
  /** The node that crashes, and in which of its states. It recovers at once. */
  readonly crashes: number
  readonly when: (state: State) => boolean
  /**
   * The node at which messages of one moment are handled in any order; elsewhere in the order of
   * their senders.
   */
  readonly unordered?: number
}

/** All that can happen, but for what the adversary does not do. The mode is clocked:any. */
class DirectedSystem extends TransitionSystem {
  private readonly known: ReturnType<Adversary['takes']>[][] = []

  constructor(
    world: World,
    options: ModelOptions,
    private readonly adversary: Adversary,
  ) {
    super(world, options)
  }

  override successors(visit: Visit): void {
    const { crashes, when } = this.adversary
    const crash = when(this.cache.localStates[crashes].list[this.vector.cells[crashes]].state)
    let turn = this.nextReceipt()
    super.successors((transition) => {
      turn = Math.max(turn, this.turn(transition, crash))
    })
    super.successors((transition) => {
      const own = this.turn(transition, crash)
      if (own === ANY || (own > 0 && own === turn)) visit(transition)
    })
  }

  /**
   * What happens at one moment at different nodes commutes, so it happens in a fixed order: the
   * largest turn comes first. What the adversary does not do has turn 0.
   */
  private turn(transition: Transition, crash: boolean): number {
    if (transition.event === 'tick') return 1
    if (transition.event === 'crash')
      return crash && transition.node === this.adversary.crashes && transition.during === null
        ? ANY
        : 0
    if (!('trigger' in transition)) return ANY
    const { trigger, node } = transition
    if (trigger.event === 'timeout') return 2 + node
    if (trigger.event === 'recover') return Number.POSITIVE_INFINITY
    return trigger.event === 'receive' ? this.receipt(trigger.channel, trigger.message) : ANY
  }

  /** Where a bound keeps the next message from being handled, the run is cut: time stands still. */
  private nextReceipt(): number {
    const turns = this.cache.channels.flatMap((channel, i) =>
      channel
        .deliverable(this.vector.cells[this.n + i])
        .map(({ message }) => this.receipt(i, message)),
    )
    return Math.max(0, ...turns)
  }

  private receipt(channel: number, message: number): number {
    const takes = this.takes(channel, message)
    if (takes !== 'one') return takes === 'any' ? ANY : 0
    const { from, to } = this.cache.channels[channel].route
    const before = to === this.adversary.unordered ? 0 : this.n - from
    return (to + 1) * (this.n + 1) + before + 2
  }

  private takes(channel: number, message: number): ReturnType<Adversary['takes']> {
    this.known[channel] ??= []
    this.known[channel][message] ??= this.asked(channel, message)
    return this.known[channel][message]
  }

  private asked(channel: number, message: number): ReturnType<Adversary['takes']> {
    const { messages, channels } = this.cache
    const { from, to } = channels[channel].route
    const { word } = messages.kind(message)
    return this.adversary.takes({ word, from, to, body: messages.body(message) })
  }
}

/** A world, what may go wrong in it, and what must hold. */
interface Question {
  readonly scenario: ScenarioInput
  readonly asked: Asked
  readonly adversary: Adversary
  /** Instead of the properties of the definition. */
  readonly property?: Property
  /** How long properties see that nobody leads. */
  readonly patience?: number
}

/** Explores every schedule of an adversary. */
export function directedSearch(
  definition: Algorithm,
  { scenario, asked, adversary, property, ...patience }: Question,
): { readonly exhausted: boolean; readonly violated: string | null; readonly states: number } {
  const anyDelay = { mode: 'clocked:any', ...asked }
  const { target, model } = checkModel({ definition, ownProperties: [] }, scenario, anyDelay, {
    where: (option) => option,
  })
  const system = new DirectedSystem(target.world, { ...model, ...patience }, adversary)
  const properties = property === undefined ? target.properties(true) : [property]
  const search = new BreadthFirstSearch(system, properties, { states: STATES })
  search.run()
  const broken = search.evaluator.findings.find((finding) => finding.broken !== null)
  return {
    exhausted: search.reason === null,
    violated: broken?.property.name ?? null,
    states: search.states,
  }
}
