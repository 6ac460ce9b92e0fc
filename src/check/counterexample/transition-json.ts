import { idOf, namingIn } from '../../core/language/world.ts'
import type { FaultTransition, HandlerTransition, Transition } from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'

/**
 * A serialised transition, as trace files contain it: in terms of the network, not in the interned
 * numbers of one exploration. Transitions of one state with the same form differ in nothing that a
 * node can observe.
 */
export type TransitionJson = Readonly<Record<string, unknown>> & {
  readonly event: Transition['event']
}

export function transitionJson(transition: Transition, cache: TransitionCache): TransitionJson {
  if ('actions' in transition) return handlerTransitionJson(transition, cache)
  return transition.event === 'tick'
    ? { event: 'tick', time: transition.time }
    : faultJson(transition, cache)
}

/** Whether a transition has this serialised form. */
export function isTransitionJson(
  transition: Transition,
  json: TransitionJson,
  cache: TransitionCache,
): boolean {
  if (transition.event !== json.event) return false
  return JSON.stringify(transitionJson(transition, cache)) === JSON.stringify(json)
}

function handlerTransitionJson(
  transition: HandlerTransition,
  cache: TransitionCache,
): TransitionJson {
  const { node, trigger, draws } = transition
  return { ...triggerJson(), ...(draws.length > 0 && { draws }) }

  function triggerJson(): TransitionJson {
    const { world, routing } = cache
    switch (trigger.event) {
      case 'wake':
        return { event: 'wake', node }
      case 'receive':
        return { event: 'receive', node, ...arrivalJson(trigger, cache) }
      case 'timeout':
        return { event: 'timeout', node, timer: world.algorithm.timers[trigger.timer].name }
      case 'expire':
        return { event: 'expire', node }
      case 'meet': {
        const { to, out: link } = cache.channels[trigger.channel].route
        const answers = transition.partner?.draws ?? []
        return { event: 'meet', node, to, link, ...(answers.length > 0 && { answers }) }
      }
      case 'recover': {
        const { id, amnesia } = trigger
        return { event: 'recover', node, id: idOf(world, id), ...(amnesia && { amnesia }) }
      }
      default: {
        const { event, link } = trigger
        return { event, node, link, peer: routing.detectorGraph.neighbor(node, link) }
      }
    }
  }
}

function faultJson(fault: FaultTransition, cache: TransitionCache): TransitionJson {
  switch (fault.event) {
    case 'crash': {
      const { node, during } = fault
      if (during === null) return { event: 'crash', node }
      const { transition, sends } = during
      return { event: 'crash', node, during: handlerTransitionJson(transition, cache), sends }
    }
    case 'lose':
    case 'double': {
      const { event, channel, message, before } = fault
      const { from, to, out } = cache.channels[channel].route
      return { event, node: from, to, link: out, ...messageJson(message, cache), before }
    }
    case 'vanish': {
      const { to } = cache.channels[fault.channel].route
      return { event: 'vanish', node: to, ...arrivalJson(fault, cache) }
    }
    case 'cut': {
      const { node, link, oneWay } = fault
      const to = cache.world.topology.neighbor(node, link)
      return { event: 'cut', node, link, to, ...(oneWay && { oneWay }) }
    }
    case 'part':
      return { event: 'part', ...fault.partition }
    case 'heal':
      return { event: 'heal', ...fault.partition, index: fault.index }
    case 'pause':
    case 'resume':
      return { event: fault.event, node: fault.node }
    case 'unheard':
      return { event: 'unheard' }
  }
}

function arrivalJson(
  { channel, message }: { readonly channel: number; readonly message: number },
  cache: TransitionCache,
) {
  const { from, in: link } = cache.channels[channel].route
  return { from, link, ...messageJson(message, cache) }
}

function messageJson(message: number, { messages, world }: TransitionCache) {
  const { name, codec } = messages.kind(message)
  return { type: name, body: codec.json(messages.body(message), namingIn(world)) }
}
