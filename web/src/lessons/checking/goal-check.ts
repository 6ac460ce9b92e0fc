import { isWithin } from '../../../../src/core/numbers.ts'
import { counted, grouped } from '../../../../src/core/text-format.ts'
import { satisfies } from '../format/goal.ts'
import type { GoalCondition, GoalValue, LessonGoal, LessonQuestion } from '../format/lesson.ts'
import { type CheckFigures, type LessonRun, type QuantityValue, quantityOf } from './quantities.ts'

/** One condition of a goal: whether it holds, and a sentence that says so or what is missing. */
export interface GoalFinding {
  readonly quantity: string
  readonly met: boolean
  readonly text: string
}

/** Quantities that count things: one of them, and several. */
const COUNTS: Readonly<Record<string, readonly [string, string]>> = {
  n: ['node', 'nodes'],
  links: ['link', 'links'],
  messages: ['message', 'messages'],
  cost: ['message before the announcement', 'messages before the announcement'],
  bits: ['bit', 'bits'],
  lost: ['lost message', 'lost messages'],
  toDead: ['message to a crashed node', 'messages to crashed nodes'],
  leaders: ['leader at the end', 'leaders at the end'],
  leadersAtOnce: ['leader at the same time', 'leaders at the same time'],
  elections: ['election', 'elections'],
  undecided: ['undecided node', 'undecided nodes'],
  crashes: ['crash', 'crashes'],
  recoveries: ['recovery', 'recoveries'],
  cuts: ['cut link', 'cut links'],
  alive: ['live node', 'live nodes'],
  changes: ['change of yours', 'changes of yours'],
  states: ['state explored', 'states explored'],
  worst: ['message in the worst case', 'messages in the worst case'],
}

/** Quantities that measure something. */
const MEASURES: Readonly<Record<string, string>> = {
  time: 'The end is at time',
  elected: 'The leader is elected at time',
  term: 'The last term is',
  weight: 'The weight of the tree is',
  reached: 'The estimates are near the truth from cycle',
  error: 'The largest relative error is',
  estimate: 'The mean of the estimates is',
  truth: 'The truth is',
  variance: 'The variance is',
  factor: 'The factor of the variance per cycle is',
}

/** Quantities that are true or false: the sentence for each. */
const STATEMENTS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  holds: ['Every property holds', 'A property is violated'],
  converged: [
    'All estimates have come near the truth',
    'Not all estimates have come near the truth',
  ],
  counterexample: ['A counterexample is found', 'No counterexample is found yet'],
  proved: ['It is proved for every n', 'It is not proved yet'],
}

/** Checks a run against every condition of a goal. */
export function checkGoal(
  goal: LessonGoal,
  run: LessonRun | null,
  check: CheckFigures | null = null,
): GoalFinding[] {
  return goal.map(([quantity, condition]) => {
    const value = quantityOf(quantity, run, check)
    const met = satisfies(value, condition)
    const now = valueText(quantity, value, condition)
    const wanted = wantedText(quantity, value, condition)
    return { quantity, met, text: met || wanted === '' ? `${now}.` : `${now}; ${wanted}.` }
  })
}

function valueText(quantity: string, value: QuantityValue, condition: GoalCondition): string {
  const [, type] = /^messages\.(.+)$/.exec(quantity) ?? []
  const noun = type ? [`${type} message`, `${type} messages`] : COUNTS[quantity]
  if (noun) return value === null ? `No number of ${noun[1]}` : counted(Number(value), ...two(noun))
  if (quantity === 'violated') return violationText(value, condition)
  if (quantity === 'leader') return value === null ? 'No node leads alone' : `${value} leads`
  if (quantity === 'algorithm') return `The algorithm is ${value}`
  const statement = STATEMENTS[quantity]
  if (statement) return statement[value === true ? 0 : 1]
  return `${MEASURES[quantity]} ${value === null ? 'not known' : quantityText(value)}`
}

function violationText(value: QuantityValue, { equals, not }: GoalCondition): string {
  const names = Array.isArray(value) ? value : []
  const [wanted] = [equals, not].filter((one) => typeof one === 'string')
  if (wanted !== undefined)
    return `"${wanted}" ${names.includes(wanted) ? 'is violated' : 'still holds'}`
  return names.length === 0
    ? 'No property is violated'
    : `Violated: ${names.map((name) => `"${name}"`).join(', ')}`
}

/** What is wanted instead, in words that follow the value. */
function wantedText(quantity: string, value: QuantityValue, condition: GoalCondition): string {
  const { equals, not, atLeast, atMost, above, below, near } = condition
  const number = typeof value === 'number' ? value : Number.NaN
  if (quantity === 'violated' || STATEMENTS[quantity]) return ''
  if (quantity === 'leader' && equals !== undefined)
    return equals === null ? 'no node should' : `${equals} should`
  if (quantity === 'leader' && not !== undefined) return 'another should'
  const counts = COUNTS[quantity] !== undefined || quantity.startsWith('messages.')
  const wanted = (limit: GoalValue, words = '') => {
    const text = `${words}${quantityText(limit)}`
    if (!counts) return `it should be ${text}`
    return `${text} ${limit === 1 ? 'is' : 'are'} wanted`
  }
  if (equals !== undefined) return wanted(equals)
  if (atLeast !== undefined && !(number >= atLeast)) return wanted(atLeast, 'at least ')
  if (atMost !== undefined && !(number <= atMost)) return wanted(atMost, 'at most ')
  if (above !== undefined && !(number > above)) return wanted(above, 'more than ')
  if (below !== undefined && !(number < below)) return wanted(below, 'less than ')
  if (near !== undefined) return wanted(near, 'about ')
  return counts ? 'another number is wanted' : 'it should be another'
}

function two([one, many]: readonly string[]): [string, string] {
  return [one, many]
}

/** A value for people; small numbers keep three digits. */
export function quantityText(value: QuantityValue): string {
  if (typeof value !== 'number') return String(value)
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? grouped(value)
    : String(Number(value.toPrecision(3)))
}

/** How near a prediction is. */
export type Nearness = 'right' | 'near' | 'wrong'

/** Judges a predicted number; within the tolerance it is near, and counts as right. */
export function judgeNumber(
  predicted: number,
  answer: number,
  { tolerance: { by, share } }: Pick<LessonQuestion, 'tolerance'>,
): Nearness {
  const off = Math.abs(predicted - answer)
  const allowed = share ? by * Math.abs(answer) : by
  // The answer may have decimals that nobody would type.
  if (off === 0 || quantityText(predicted) === quantityText(answer)) return 'right'
  return isWithin(off, allowed) ? 'near' : 'wrong'
}

/** Which choices are right: those that are ticked, or the one with the computed value. */
export function rightChoices({ choices, answer }: LessonQuestion, value: QuantityValue): boolean[] {
  if (answer === null) return choices.map(({ right }) => right)
  const text = String(value)
  return choices.map((choice) => /^[^\s,;:]+/.exec(choice.text)?.[0] === text)
}
