import type { NodeDisplay } from '../../core/language/display.ts'
import type { State } from '../../core/runtime/state.ts'
import { DisplayRecorder } from '../../core/trace/display-recorder.ts'
import type { LocalState } from '../model/local-states.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { Mode } from '../options.ts'

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
