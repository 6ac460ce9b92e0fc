import {
  type AggregateField,
  type AggregateFieldName,
  aggregateFieldName,
  type NodeInput,
} from '../../core/index.ts'

type Held = Record<AggregateFieldName, number>

/** What the handlers do with the numbers, part by part, by the rules of the aggregate. */
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

    /** What it has heard becomes its own; what the other must do about it takes its place. */
    exchange(my: Held, heard: Held): void {
      for (let i = 0; i < parts.length; i++) {
        const { change, better } = parts[i].rule
        const part = names[i]
        const mine = my[part]
        if (change === undefined) {
          my[part] = better(mine, heard[part])
          heard[part] = my[part]
        } else {
          const moved = change(mine, heard[part])
          my[part] = mine + moved
          heard[part] = literal ? mine : 0 - moved
        }
      }
    },

    conclude(my: Held, told: Held): void {
      for (let i = 0; i < parts.length; i++) {
        const { change, better } = parts[i].rule
        const part = names[i]
        if (change === undefined) my[part] = better(my[part], told[part])
        else my[part] += literal ? change(my[part], told[part]) : told[part]
      }
    },
  }
}
