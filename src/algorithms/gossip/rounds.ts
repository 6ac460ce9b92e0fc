import { type Aggregate, type Algorithm, nat, real, type Theory } from '../../core/index.ts'
import { partName } from '../../core/language/aggregate.ts'

/** The parameters of aggregations by messages: how long a round takes, and how many there are. */
export const roundParams = {
  period: { says: 'time units in which every node begins one exchange', value: () => 10 },
  exchanges: { says: 'the number of exchanges that a node begins; 0: no limit', value: () => 0 },
}

/** What an aggregation in rounds by messages is made of. */
export interface RoundForm {
  readonly name: string
  readonly aggregate: Aggregate
  readonly theory: Theory
}

/** Makes the algorithm that computes an aggregate in rounds by messages. */
export type RoundAlgorithm = (form: RoundForm) => Algorithm

/** The numbers of an aggregate, by the names of their fields. */
export function numberFields(aggregate: Aggregate) {
  const names = aggregate.parts.map((_, part) => partName(aggregate, part))
  const fields = Object.fromEntries(names.map((name) => [name, real] as const))
  return { names, fields, state: { ...fields, begun: nat } }
}

/** Whether a node begins another round after the present one. */
export function goesOn(my: { readonly exchanges: number; begun: number }): boolean {
  return my.exchanges === 0 || ++my.begun < my.exchanges
}

/** A number as reasons say it. */
export function fourDigits(number: number): string {
  return String(Number(number.toPrecision(4)))
}
