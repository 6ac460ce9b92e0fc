import { idOf, namingIn } from '../../core/language/world.ts'
import type { FaultTransition, HandlerTransition, Transition } from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'

/**
 * A move as a file holds it: in the words of the network, not in the numbers of one exploration.
 * Moves of one state that are written alike differ in nothing that a node could notice then.
 */
export type TransitionJson = Readonly<Record<string, unknown>> & {
  readonly event: Transition['event']
}

export function transitionJson(move: Transition, effects: TransitionCache): TransitionJson {
  if ('deeds' in move) return plainEffect(move, effects)
  return move.event === 'tick' ? { event: 'tick', time: move.time } : plainFault(move, effects)
}

/** Whether a move is the one that was written down. */
export function isTransitionJson(
  move: Transition,
  plain: TransitionJson,
  effects: TransitionCache,
): boolean {
  if (move.event !== plain.event) return false
  return JSON.stringify(transitionJson(move, effects)) === JSON.stringify(plain)
}

function plainEffect(effect: HandlerTransition, effects: TransitionCache): TransitionJson {
  const { node, occasion, draws } = effect
  return { ...plainOccasion(), ...(draws.length > 0 && { draws }) }

  function plainOccasion(): TransitionJson {
    const { world, roads } = effects
    switch (occasion.event) {
      case 'wake':
        return { event: 'wake', node }
      case 'receive':
        return { event: 'receive', node, ...arrival(occasion, effects) }
      case 'timeout':
        return { event: 'timeout', node, timer: world.algorithm.timers[occasion.alarm].name }
      case 'recover':
        return { event: 'recover', node, id: idOf(world, occasion.id) }
      default: {
        const { event, link } = occasion
        return { event, node, link, peer: roads.sight.neighbor(node, link) }
      }
    }
  }
}

function plainFault(fault: FaultTransition, effects: TransitionCache): TransitionJson {
  switch (fault.event) {
    case 'crash': {
      const { node, during } = fault
      if (during === null) return { event: 'crash', node }
      const { effect, sends } = during
      return { event: 'crash', node, during: plainEffect(effect, effects), sends }
    }
    case 'lose':
    case 'double': {
      const { event, channel, message, before } = fault
      const { from, to, out } = effects.channels[channel].route
      return { event, node: from, to, link: out, ...letter(message, effects), before }
    }
    case 'vanish': {
      const { to } = effects.channels[fault.channel].route
      return { event: 'vanish', node: to, ...arrival(fault, effects) }
    }
    case 'cut': {
      const { node, link } = fault
      return { event: 'cut', node, link, to: effects.world.topology.neighbor(node, link) }
    }
    case 'unheard':
      return { event: 'unheard' }
  }
}

function arrival(
  { channel, message }: { readonly channel: number; readonly message: number },
  effects: TransitionCache,
) {
  const { from, in: link } = effects.channels[channel].route
  return { from, link, ...letter(message, effects) }
}

function letter(message: number, { mail, world }: TransitionCache) {
  const { name, codec } = mail.kind(message)
  return { type: name, body: codec.json(mail.body(message), namingIn(world)) }
}
