/** The names of all quantities that answers and goals may use. */
export const quantityNames = [
  'n',
  'links',
  'algorithm',
  'messages',
  'cost',
  'bits',
  'lost',
  'toDead',
  'time',
  'elected',
  'leader',
  'leaders',
  'leadersAtOnce',
  'elections',
  'term',
  'undecided',
  'holds',
  'violated',
  'crashes',
  'recoveries',
  'cuts',
  'alive',
  'changes',
  'weight',
  'converged',
  'reached',
  'error',
  'estimate',
  'truth',
  'variance',
  'factor',
  'states',
  'counterexample',
  'worst',
  'proved',
] as const

export type QuantityName = (typeof quantityNames)[number]

const OF_TYPE = /^messages\.[a-z][\w-]*$/i

export function isQuantity(name: string): boolean {
  return quantityNames.some((known) => known === name) || OF_TYPE.test(name)
}

/** Quantities that the checker computes, not the simulator. */
export function isOfChecker(name: string): name is (typeof OF_CHECKER)[number] {
  return OF_CHECKER.some((one) => one === name)
}

const OF_CHECKER = ['states', 'counterexample', 'worst', 'proved'] as const
