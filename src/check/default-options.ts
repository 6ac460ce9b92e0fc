import type { Algorithm } from '../core/language/algorithm.ts'
import type { Mode, ModelOptions } from './options.ts'

/**
 * What is explored where nothing else is asked for: the weakest world in which the algorithm must
 * be right, derived from what it needs. `starts` are the nodes that a scenario starts; they count
 * only for an algorithm that needs all of them to start together.
 */
export function defaultOptions(
  algorithm: Algorithm,
  starts: Iterable<number>,
): Pick<ModelOptions, 'mode' | 'order' | 'wake'> {
  return {
    mode: defaultMode(algorithm),
    order: 'fifo',
    wake: algorithm.needs.start === 'together' ? [...starts] : 'any',
  }
}

/**
 * A round is one unit of time. Where delays are bounded, messages take one or two: without a clock
 * there is no bound, and in rounds all delays are the same.
 */
export function defaultMode({ needs }: Algorithm): Mode {
  if (needs.time === 'rounds') return { clocked: 1 }
  return needs.time === 'bounded delay' ? { clocked: 2 } : 'untimed'
}

/**
 * The delays of a scenario in which an algorithm that knows their bound is explored: those that the
 * mode allows, so that the bound that its nodes know is the one that holds.
 */
export function boundedDelay({ needs }: Algorithm, mode: Mode): { readonly delay?: string } {
  const bounded = typeof mode !== 'string' && needs.time === 'bounded delay'
  return bounded ? { delay: `uniform:1:${mode.clocked}` } : {}
}
