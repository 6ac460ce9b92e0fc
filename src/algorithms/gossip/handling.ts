import {
  type Aggregate,
  type AggregateField,
  type AggregateFieldName,
  type AggregateRow,
  aggregateFieldName,
  bytes,
  type Fields,
  type NodeInput,
  ROW,
  type Row,
  type RowInput,
  real,
  vector,
} from '../../core/index.ts'
import { evaporateRow, type PairRule } from '../../core/language/aggregate.ts'

type Held = Record<AggregateFieldName, number>
type HeldRow = { [ROW]: Row }

/** What handlers do with the numbers of a node. */
export interface Handling {
  /** The numbers, in states and messages. */
  readonly fields: Fields
  restart(my: NodeInput, random: () => number): void
  evaporate(my: NodeInput, share: number): void
  /** Takes in the received numbers and replaces them by the answer; returns whether it is news. */
  exchange(my: object, received: object): boolean
  /** Takes in the answer; returns whether it is news. */
  conclude(my: object, answer: object): boolean
  /** Goes on to the next stage, on its own or with what a node in that stage has sent. */
  advance(my: NodeInput, received: object | null): void
  /** Whether a node knows more than another. */
  exceeds(my: object, other: object): boolean
  copy(my: object): object
  /** The number that stands for all, in sentences. */
  figure(my: object): number
}

/** The operations of the handlers, by the rules of the aggregate. */
export function handling({ parts, row, estimate }: Aggregate, literal: boolean): Handling {
  return (row ? ofRows(row, estimate) : ofParts(parts, literal)) as Handling
}

/** A row is never changed in a message: engines may keep its body. */
function ofRows(row: AggregateRow, estimate: Aggregate['estimate']) {
  const { length, rule, stages } = row
  return {
    fields: { [ROW]: row.bytes ? bytes(length) : vector(real, length) } as Fields,

    restart(my: HeldRow & RowInput, random: () => number): void {
      row.start(my[ROW], 0, my, random)
    },

    evaporate(my: HeldRow & RowInput, share: number): void {
      const own = my[ROW].slice()
      row.start(own, 0, my, noCoins)
      evaporateRow(row, my[ROW], 0, own, share)
    },

    exchange(my: HeldRow, received: HeldRow): boolean {
      const answer = received[ROW].slice()
      const news = rule.answer(my[ROW], 0, answer, 0)
      received[ROW] = answer
      return news
    },

    conclude: (my: HeldRow, answer: HeldRow): boolean => rule.conclude(my[ROW], 0, answer[ROW], 0),

    advance(my: HeldRow & RowInput, received: HeldRow | null): void {
      if (received === null) stages!.next(my[ROW], 0, my)
      else stages!.enter(my[ROW], 0, received[ROW], 0, my)
    },

    exceeds: (my: HeldRow, other: HeldRow): boolean =>
      rule.conclude(other[ROW].slice(), 0, my[ROW], 0),

    copy: (my: HeldRow): HeldRow => ({ [ROW]: my[ROW].slice() }),

    figure: (my: HeldRow): number => estimate(my[ROW]),
  }
}

/** Only rows without coins evaporate. */
function noCoins(): never {
  throw new Error('a row that evaporates is drawn')
}

/** Part by part. */
function ofParts(parts: readonly AggregateField[], literal: boolean) {
  const names = parts.map((_, i) => aggregateFieldName(i))
  return {
    fields: Object.fromEntries(names.map((part) => [part, real])) as Fields,

    restart(my: Held & NodeInput): void {
      for (let i = 0; i < parts.length; i++) my[names[i]] = parts[i].start(my)
    },

    evaporate(my: Held & NodeInput, share: number): void {
      for (let i = 0; i < parts.length; i++)
        my[names[i]] += share * (parts[i].start(my) - my[names[i]])
    },

    /** Applies the received numbers and replaces them by the answer for the other node. */
    exchange(my: Held, received: Held): boolean {
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
      return true
    },

    conclude(my: Held, answer: Held): boolean {
      for (let i = 0; i < parts.length; i++) {
        const { change, better } = parts[i].rule as PairRule
        const part = names[i]
        if (change === undefined) my[part] = better(my[part], answer[part])
        else my[part] += literal ? change(my[part], answer[part]) : answer[part]
      }
      return true
    },

    /** Parts have neither stages nor floods. */
    advance(): void {},
    exceeds: () => false,

    copy: (my: Held): Held => Object.fromEntries(names.map((part) => [part, my[part]])) as Held,

    figure: (my: Held): number => my[names[0]],
  }
}
