import type { Algorithm } from '../../core/index.ts'
import type { Aggregation } from '../aggregation.ts'

/** Caches the last algorithm for equal settings: V8 would compile a new one again in each run. */
export function latest(names: readonly string[], make: Aggregation['algorithm']): typeof make {
  let [made, from]: [Algorithm | null, string] = [null, '']
  return (settings) => {
    const key = names.map((name) => settings[name]).join()
    if (made === null || key !== from) made = make(settings)
    from = key
    return made
  }
}
