import { exp, ln } from '../../../core/runtime/elementary.ts'
import type { Random } from '../../../core/runtime/random.ts'
import type { Delay } from '../../conditions.ts'

/** Draws the delay of a message that is sent now over a channel. */
export type DelaySampler = (channel: number, now: number) => number

/** The sampler of a model; null for the models that `Arrivals` draws in batches of its own. */
export function delaySampler(delay: Delay, random: Random): DelaySampler | null {
  switch (delay.model) {
    case 'lognormal':
      return lognormal(delay.mu, delay.sigma, random)
    case 'pareto':
      // The logarithm of a Pareto variable above its minimum is exponential.
      return () => delay.min * exp(random.exponential(1) / delay.alpha)
    case 'empirical':
      return () => delay.delays[random.below(delay.delays.length)]
    case 'serial':
      return serial(delay.delay, delay.senders)
    case 'links':
      return (channel) => delay.delays[channel]
    default:
      return null
  }
}

/** Normal variables come in pairs, by Marsaglia's polar method (1962). */
function lognormal(mu: number, sigma: number, random: Random): DelaySampler {
  let spare: number | null = null
  return () => {
    if (spare !== null) {
      const second = spare
      spare = null
      return exp(mu + sigma * second)
    }
    for (;;) {
      const u = 2 * random.unit() - 1
      const v = 2 * random.unit() - 1
      const square = u * u + v * v
      if (square >= 1 || square === 0) continue
      const scale = Math.sqrt((-2 * ln(square)) / square)
      spare = v * scale
      return exp(mu + sigma * u * scale)
    }
  }
}

/** A message waits until those that its sender sent before are under way. */
function serial(delay: number, senders: Int32Array): DelaySampler {
  const busyUntil = new Map<number, number>()
  return (channel, now) => {
    const sender = senders[channel]
    const done = Math.max(now, busyUntil.get(sender) ?? 0) + delay
    busyUntil.set(sender, done)
    return done - now
  }
}
