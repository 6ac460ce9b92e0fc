import { UsageError } from '../../../../src/core/usage-error.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import type { GoalCondition, GoalValue, LessonGoal } from './lesson.ts'

const COMPARISONS = ['atLeast', 'atMost', 'above', 'below', 'near', 'by'] as const
const CONDITIONS = [...COMPARISONS, 'equals', 'not']

/** Reads the goal of a task. */
export function readGoal(given: ScenarioInput, where: string): LessonGoal {
  const goal = Object.entries(given).map(([quantity, condition]) => {
    if (!isQuantity(quantity))
      throw new UsageError(
        where,
        `there is no quantity ${quantity}.`,
        `Quantities are ${quantityNames.join(', ')}.`,
      ).withCandidates(quantity, quantityNames)
    return [quantity, conditionIn(condition, quantity, where)] as const
  })
  if (goal.length === 0)
    throw new UsageError(where, 'the goal is empty.', 'Write for example {"messages": 36}.')
  return goal
}

function conditionIn(value: unknown, quantity: string, where: string): GoalCondition {
  if (isValue(value)) return { equals: value }
  if (typeof value !== 'object' || Array.isArray(value))
    throw new UsageError(where, `${quantity} has no condition.`, 'Write a value or {"atLeast": 2}.')
  const entries = Object.entries(value as object)
  for (const [name, limit] of entries) {
    if (!CONDITIONS.includes(name))
      throw new UsageError(
        where,
        `there is no condition ${name}.`,
        `Use ${CONDITIONS.join(', ')}.`,
      ).withCandidates(name, CONDITIONS)
    const number = COMPARISONS.some((one) => one === name)
    if (number ? typeof limit !== 'number' : !isValue(limit))
      throw new UsageError(where, `${name} of ${quantity} is not a number.`, 'Correct it.')
  }
  const condition = value as GoalCondition
  if ((condition.near === undefined) !== (condition.by === undefined))
    throw new UsageError(where, `${quantity}: near and by go together.`, 'Add the other one.')
  if (entries.length === 0)
    throw new UsageError(where, `${quantity} has no condition.`, 'Write {"atLeast": 2}.')
  return condition
}

function isValue(value: unknown): value is GoalValue {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value)
}

/** Whether a value satisfies a condition; a quantity that is not known does not. */
export function satisfies(value: GoalValue | readonly string[], condition: GoalCondition): boolean {
  const { equals, not, atLeast, atMost, above, below, near, by } = condition
  const same = (other: GoalValue) =>
    Array.isArray(value) ? value.includes(other as string) : value === other
  const number = typeof value === 'number' ? value : Number.NaN
  return (
    (equals === undefined || same(equals)) &&
    (not === undefined || !same(not)) &&
    (atLeast === undefined || number >= atLeast) &&
    (atMost === undefined || number <= atMost) &&
    (above === undefined || number > above) &&
    (below === undefined || number < below) &&
    (near === undefined || by === undefined || Math.abs(number - near) <= by)
  )
}

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
