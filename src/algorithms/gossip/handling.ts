import {
  type AggregateField,
  type AggregateFieldName,
  aggregateFieldName,
  type NodeInput,
} from '../../core/index.ts'
import type { PairRule } from '../../core/language/aggregate.ts'

type Held = Record<AggregateFieldName, number>

/** The operations of the handlers on the numbers, part by part, by the rules of the aggregate. */
export function handling(parts: readonly AggregateField[], literal: boolean) {
  const names = parts.map((_, i) => aggregateFieldName(i))
  return {
    names,

    restart(my: Held & NodeInput): void {
      for (let i = 0; i < parts.length; i++) my[names[i]] = parts[i].start(my)
    },

    evaporate(my: Held & NodeInput, share: number): void {
      for (let i = 0; i < parts.length; i++)
        my[names[i]] += share * (parts[i].start(my) - my[names[i]])
    },

    /** Applies the received numbers and replaces them by the answer for the other node. */
    exchange(my: Held, received: Held): void {
      for (let i = 0; i < parts.length; i++) {
        const { change, better } = parts[i].rule as PairRule
        const part = names[i]
        const mine = my[part]
        if (change === undefined) {
          my[part] = better(mine, received[part])
          received[part] = my[part]
        } else {
          const moved = change(mine, received[part])
          my[part] = mine + moved
          received[part] = literal ? mine : 0 - moved
        }
      }
    },

    conclude(my: Held, answer: Held): void {
      for (let i = 0; i < parts.length; i++) {
        const { change, better } = parts[i].rule as PairRule
        const part = names[i]
        if (change === undefined) my[part] = better(my[part], answer[part])
        else my[part] += literal ? change(my[part], answer[part]) : answer[part]
      }
    },
  }
}
