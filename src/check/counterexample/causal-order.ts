import type { Transition } from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'
import type { ModelOptions } from '../options.ts'
import { TraceWriter } from './trace-writer.ts'

/**
 * The happens-before predecessors of each transition, by index: the previous step of its node, and
 * the step that sent its message. Faults, ticks and timers that wait for quiet channels are
 * barriers: they keep their place among all others.
 */
export function causalPredecessors(
  transitions: readonly Transition[],
  cache: TransitionCache,
  options: ModelOptions,
): number[][] {
  const writer = new TraceWriter(cache)
  const senders = new Map<number, number>()
  const lastOf = new Map<number, number>()
  let barrier = -1
  return transitions.map((transition, i) => {
    const record =
      'actions' in transition
        ? writer.record(0, transition)
        : transition.event === 'tick' || transition.event === 'unheard'
          ? []
          : writer.recordFault(0, transition)
    for (const event of record) if (event.event === 'send') senders.set(event.message, i)
    if (!('actions' in transition) || isBarrier(transition, options)) {
      const since = Array.from({ length: i - 1 - barrier }, (_, k) => barrier + 1 + k)
      const causes = barrier < 0 ? since : [barrier, ...since]
      barrier = i
      lastOf.clear()
      return causes
    }
    const [cause] = record
    const sender = cause.event === 'receive' ? senders.get(cause.message) : undefined
    const causes = [barrier, lastOf.get(transition.node) ?? -1, sender ?? -1].filter(
      (cause) => cause >= 0,
    )
    lastOf.set(transition.node, i)
    return causes
  })
}

function isBarrier({ event }: Transition, { mode, wake }: ModelOptions): boolean {
  if (event === 'timeout') return mode === 'patient'
  return event === 'wake' ? wake !== 'any' : event !== 'receive'
}

/**
 * A linear extension of the causal order that follows one chain of causes after another: each
 * transition comes as soon as possible after its last cause. Transitions outside the causal past of
 * the last one come first.
 */
export function chainOrder(causes: readonly (readonly number[])[]): number[] {
  const order: number[] = []
  const appended = new Set<number>()
  const needed = causalPast(causes.length - 1, causes)
  for (const i of causes.keys()) if (!needed.has(i)) append(i)
  if (causes.length > 0) append(causes.length - 1)
  return order

  function append(i: number): void {
    if (appended.has(i)) return
    appended.add(i)
    for (const cause of causes[i]) append(cause)
    order.push(i)
  }
}

function causalPast(last: number, causes: readonly (readonly number[])[]): Set<number> {
  const past = new Set<number>()
  const worklist = [last]
  for (let i = worklist.pop(); i !== undefined; i = worklist.pop()) {
    if (i < 0 || past.has(i)) continue
    past.add(i)
    worklist.push(...causes[i])
  }
  return past
}
